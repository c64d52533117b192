import { setImmediate } from 'node:timers/promises'
import type { Service, Workers } from '../call/service.ts'
import { expireExport, processExport } from './export.ts'
import { expireBatch, processBatch } from './package.ts'
import { beginVerification, closeOnline, finishSession, processInvoice } from './processing.ts'

/** Maximum number of documents in a row before callers are served again. */
const inARow = 20

const verifyInvoice = async (service: Service, referenceNumber: string): Promise<void> => {
  const { state } = service
  const invoice = state.invoices.get(referenceNumber)
  const session = invoice && state.sessions.get(invoice.session)
  if (invoice === undefined || session === undefined) return
  processInvoice(service, session, invoice)
  finishSession(service, session)
  if (invoice.ordinal % inARow === 0) await setImmediate()
}

/** The pieces of asynchronous work of sessions, invoices and exports. */
export const invoiceWorkers = {
  async invoice(service, referenceNumber) {
    if (service.schedule.isImmediate('verification')) return verifyInvoice(service, referenceNumber)
    const invoice = service.state.invoices.get(referenceNumber)
    if (invoice?.status.code === 100) beginVerification(service, invoice)
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
