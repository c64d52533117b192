import { setImmediate } from 'node:timers/promises'
import type { Service } from '../call/service.ts'
import { closeOnline, finishSession, processInvoice } from './processing.ts'
import type { Soon } from '../base/soon.ts'
import type { Workers } from '../time/work.ts'
import { expireBatch, processBatch } from './batch.ts'
import { expireExport, processExport } from './export.ts'

/** Documents in a row, after which callers get their turn. */
const inARow = 20

/** The pieces of asynchronous work of sessions, invoices and exports. */
export const invoiceWorkers = (service: Service) => {
  const { state } = service
  let done = 0
  return {
    invoice(referenceNumber): Soon<void> {
      const invoice = state.invoices.get(referenceNumber)
      const session = invoice && state.sessions.get(invoice.session)
      if (invoice === undefined || session === undefined) return undefined
      processInvoice(service, session, invoice)
      finishSession(service, session)
      return ++done % inARow === 0 ? setImmediate() : undefined
    },
    storage(svcNumber) {
      const issued = state.issued.get(svcNumber)
      if (issued !== undefined) state.issued.put({ ...issued, storedAt: service.clock.now() })
    },
    session(referenceNumber) {
      const session = state.sessions.get(referenceNumber)
      if (session !== undefined) finishSession(service, session)
    },
    async batch(referenceNumber) {
      const session = state.sessions.get(referenceNumber)
      if (session !== undefined) await processBatch(service, session)
    },
    async export(referenceNumber) {
      const entry = state.exports.get(referenceNumber)
      if (entry !== undefined) await processExport(service, entry)
    },
    expiry(referenceNumber) {
      const session = state.sessions.get(referenceNumber)
      if (session?.status.code === 100 && service.policy.sessionEndsByItself()) {
        if (session.kind === 'online') closeOnline(service, session)
        else expireBatch(service, session)
      }
      const entry = state.exports.get(referenceNumber)
      if (
        entry?.expiresAt !== undefined &&
        service.policy.exportExpires(service.clock.now(), entry.expiresAt)
      )
        expireExport(service, entry)
    },
  } satisfies Workers
}
