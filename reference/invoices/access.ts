/** Which sessions and invoices a caller may see. Source: gaps session-status and query-roles. */

import type { Service } from '../call/service.ts'
import { keyOf } from '../model/entities.ts'
import type { Caller } from '../call/call.ts'
import { refuse } from '../base/refusals.ts'
import type { Invoice, Issued, Session } from '../model/documents.ts'
import { normalSvcNumber } from '../base/service-numbers.ts'
import { rolesIn } from '../model/roles.ts'

const sees = (service: Service, caller: Caller, session: Session): boolean => {
  const { policy } = service
  const introspects = (): boolean =>
    caller.permissions().has('Introspection') || caller.permissions().has('EnforcementOperations')
  return (
    policy.sessionIsOfContext(keyOf(session.context), keyOf(caller.context)) &&
    policy.sessionIsOfSubject(keyOf(session.subject) === keyOf(caller.subject), introspects)
  )
}

/**
 * The session of a reference.
 * @throws refusal session-unknown, also where the session is not the caller's to see
 */
export const sessionFor = (service: Service, caller: Caller, referenceNumber: string): Session => {
  const session = service.state.sessions.get(referenceNumber)
  if (session === undefined || !sees(service, caller, session)) throw refuse('session-unknown')
  return session
}

/**
 * The same for an operation of one kind of session.
 * @throws refusal session-unknown
 */
export const sessionForWriting = (
  service: Service,
  caller: Caller,
  referenceNumber: string,
  kind: Session['kind'],
): Session => {
  const session = sessionFor(service, caller, referenceNumber)
  if (session.kind !== kind) throw refuse('session-unknown')
  return session
}

/** The sessions that a caller sees, in the order of their opening. */
export const sessionsSeen = (service: Service, caller: Caller): Session[] =>
  service.state.sessions
    .by('context', keyOf(caller.context))
    .filter((session) => sees(service, caller, session))

/**
 * An invoice of a session that the caller sees.
 * @throws refusals session-unknown, invoice-unknown
 */
export const invoiceIn = (
  service: Service,
  caller: Caller,
  sessionReference: string,
  referenceNumber: string,
): Invoice => {
  const session = sessionFor(service, caller, sessionReference)
  const invoice = service.state.invoices.get(referenceNumber)
  if (invoice === undefined || invoice.session !== session.referenceNumber)
    throw refuse('invoice-unknown')
  return invoice
}

/**
 * An accepted invoice by its service number.
 * @throws refusal invoice-unknown, also where the caller has no part in it
 */
export const issuedFor = (service: Service, caller: Caller, svcNumber: string): Issued => {
  const issued = service.state.issued.get(normalSvcNumber(svcNumber) ?? svcNumber)
  if (issued === undefined || !service.policy.mayReadInvoice(rolesIn(caller.context, issued)))
    throw refuse('invoice-unknown')
  return issued
}
