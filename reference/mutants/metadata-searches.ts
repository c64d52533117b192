/** Searches of metadata, and what their mutants change. */

import type { AnyCall } from '../call/call.ts'
import type { Issued, Session } from '../model/documents.ts'
import { keyOf } from '../model/entities.ts'
import type { Mutant } from './mutant.ts'
import type { Change } from './rewrite.ts'
import { answers, bodies, records } from './rewrite.ts'

export interface Metadata {
  readonly invoicingMode: string
  readonly netAmount: number
  readonly grossAmount: number
  readonly vatAmount: number
  readonly thirdSubjects?: readonly unknown[]
}

export const described = (change: Change<Metadata>): Mutant =>
  records(['queries.metadata'], 'invoices', change)

/** Of the invoices under one number a search has the first. */
export const oneOfANumber = (operation: 'queries.metadata' | 'queries.general'): Mutant =>
  bodies<{ readonly invoices: readonly { readonly invoiceNumber: string }[] }>(
    [operation],
    ({ invoices }) => ({
      invoices: invoices.filter(
        ({ invoiceNumber }, place) =>
          invoices.findIndex((one) => one.invoiceNumber === invoiceNumber) === place,
      ),
    }),
  )

type Search = 'queries.metadata' | 'queries.general'

/** Of the invoices a search has some. */
const some = (
  operation: Search,
  isShown: (issued: Issued, session: Session, call: AnyCall) => boolean,
): Mutant =>
  answers([operation], (answer, call) => {
    const { state } = call.service
    const body = answer.body as { readonly invoices: readonly { readonly svcNumber: string }[] }
    const invoices = body.invoices.filter(({ svcNumber }) => {
      const issued = state.issued.get(svcNumber)
      const session = issued && state.sessions.get(issued.session)
      return issued === undefined || session === undefined || isShown(issued, session, call)
    })
    return { ...answer, body: { ...body, invoices } }
  })

/** A search has the invoices of sessions that were closed. */
export const ofClosedSessions = (operation: Search): Mutant =>
  some(operation, (_issued, { status }) => status.code > 100)

/** Of what its context sent, a caller finds what it sent itself. */
export const ofItsSubject = (operation: Search): Mutant =>
  some(
    operation,
    (_issued, { context, subject }, { caller }) =>
      caller === undefined ||
      keyOf(context) !== keyOf(caller.context) ||
      keyOf(subject) === keyOf(caller.subject),
  )
