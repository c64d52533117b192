import { setImmediate } from 'node:timers/promises'
import type { Soon } from '../base/soon.ts'
import type { Service, Workers } from '../call/service.ts'
import { expireExport, processExport } from './export.ts'
import { expireBatch, processBatch } from './package.ts'
import { beginVerification, closeOnline, finishSession, processInvoice } from './processing.ts'

/** Documents in a row, after which callers get their turn. */
const inARow = 20

const verifyInvoice = (service: Service, referenceNumber: string): Soon<void> => {
  const { state } = service
  const invoice = state.invoices.get(referenceNumber)
  const session = invoice && state.sessions.get(invoice.session)
  if (invoice === undefined || session === undefined) return undefined
  processInvoice(service, session, invoice)
  finishSession(service, session)
  return invoice.ordinal % inARow === 0 ? setImmediate() : undefined
}

/** The pieces of asynchronous work of sessions, invoices and exports. */
export const invoiceWorkers = {
  invoice(service, referenceNumber) {
    if (service.schedule.prompt('verification')) return verifyInvoice(service, referenceNumber)
    const invoice = service.state.invoices.get(referenceNumber)
    if (invoice?.status.code === 100) beginVerification(service, invoice)
    return undefined
  },
  verification: verifyInvoice,
  storage({ state, clock }, svcNumber) {
    const issued = state.issued.get(svcNumber)
    if (issued !== undefined) state.issued.put({ ...issued, storedAt: clock.now() })
  },
  session(service, referenceNumber) {
    const session = service.state.sessions.get(referenceNumber)
    if (session !== undefined) finishSession(service, session)
  },
  async batch(service, referenceNumber) {
    const session = service.state.sessions.get(referenceNumber)
    if (session !== undefined) await processBatch(service, session)
  },
  async export(service, referenceNumber) {
    const entry = service.state.exports.get(referenceNumber)
    if (entry !== undefined) await processExport(service, entry)
  },
  expiry(service, referenceNumber) {
    const { state, policy, clock } = service
    const session = state.sessions.get(referenceNumber)
    if (session?.status.code === 100) {
      if (session.kind === 'online') closeOnline(service, session)
      else expireBatch(service, session)
    }
    const entry = state.exports.get(referenceNumber)
    if (entry?.expiresAt !== undefined && policy.exportExpires(clock.now(), entry.expiresAt))
      expireExport(service, entry)
  },
} satisfies Partial<Workers>
