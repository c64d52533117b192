import type { OperationId } from '../../contract/endpoints.ts'
import { reached } from '../base/wording.ts'
import type { AnyCall } from '../call/call.ts'
import { changeSession } from '../invoices/session.ts'
import type { Session } from '../model/documents.ts'
import { keyOf } from '../model/entities.ts'
import type { Mutant } from './mutant.ts'
import type { Fields } from './rewrite.ts'
import { bodies, calls, refuses } from './rewrite.ts'
import { underWay } from './under-way.ts'

/** The session that a call names. */
export const sessionOf = ({ service, path }: AnyCall): Session | undefined =>
  service.state.sessions.get(path['referenceNumber'] ?? '')

/** The caller's own session of a reference, of whichever kind. */
export const ownSession = (call: AnyCall): Session | undefined => {
  const session = sessionOf(call)
  const { caller } = call
  return session && caller && keyOf(session.context) === keyOf(caller.context) ? session : undefined
}

/** Whether an interactive session ended by time, because no caller closed it. */
export const endedByTime = (session: Session | undefined): boolean =>
  session?.closedAt !== undefined && session.closedAt >= session.validUntil

/** A session as its opening shows it. */
export interface Opened {
  readonly referenceNumber: string
  readonly validUntil: string
}

/** A session as its status or the list shows it. */
export interface SessionView {
  readonly referenceNumber: string
  readonly status: { readonly code: number }
  readonly dateCreated: string
  readonly dateUpdated: string
  readonly validUntil: string
  readonly invoiceCount?: number | null
  readonly totalInvoiceCount?: number
  readonly successfulInvoiceCount?: number | null
  readonly failedInvoiceCount?: number | null
}

/** Of the sessions of a context, the last one alone has a receipt. */
export const receiptOfTheLastAlone: Mutant = refuses(
  ['receipts.session'],
  'receipt-unknown',
  (call) => {
    const own = ownSession(call)
    const later = [...call.service.state.sessions.values()].filter(
      (session) => own !== undefined && keyOf(session.context) === keyOf(own.context),
    )
    return own !== undefined && later.at(-1)?.referenceNumber !== own.referenceNumber
  },
)

/** The opening of an interactive session ends the open batch sessions of its context. */
export const endsOpenPackages: Mutant = calls(['sessions.openOnline'], (call) => {
  const { service, caller } = call
  for (const other of service.state.sessions.by('context', caller ? keyOf(caller.context) : ''))
    if (other.kind === 'batch' && other.status.code === 100)
      changeSession(service, other, { status: reached('batchSession', 440) })
  return call
})

/** The answer of an opening is read back, and so names the newest session of its context. */
export const newestOpened: Mutant = {
  also: ['sessions.batch.opens'],
  at: ['sessions.openOnline', 'sessions.openBatch'],
  async call(call, next) {
    const answer = await next(call)
    await underWay()
    const { caller, service } = call
    const newest = service.state.sessions.by('context', keyOf(caller!.context)).at(-1)
    return {
      ...answer,
      body: {
        ...(answer.body as Opened),
        ...(newest && { referenceNumber: newest.referenceNumber }),
      },
    }
  },
}

/** What is told of a session to a login of another subject than the one that opened it. */
export const toldToOthers = (operation: OperationId, told: (body: Fields) => object): Mutant =>
  bodies([operation], (body, call) => {
    const [opener, caller] = [sessionOf(call)?.subject, call.caller?.subject]
    return opener && caller && keyOf(opener) === keyOf(caller) ? {} : told(body)
  })
