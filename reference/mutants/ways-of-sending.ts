import type { AnyCall } from '../call/call.ts'
import type { Issued, Session } from '../model/documents.ts'
import { nipOf } from '../model/entities.ts'
import type { Mutant } from './mutant.ts'
import type { Fields } from './rewrite.ts'
import { bodies } from './rewrite.ts'

/** An invoice that was sent without a session; the service keeps one for it, without a key. */
export const isAlone = (session: Session | undefined): boolean => session?.key.length === 0

export const isPackage = (session: Session | undefined): boolean => session?.kind === 'batch'

/** Whether the seller of an invoice sent it, and no agent. */
export const isBySeller = ({ context, facts }: Pick<Issued, 'context' | 'facts'>): boolean =>
  context.value === facts.seller.nip

/** Whether the invoice of a number was sent in such a session, and the caller is not its seller. */
export const sentByAnother = (
  { caller, service: { state } }: AnyCall,
  svcNumber: string,
  isSuch: (session: Session | undefined) => boolean,
): boolean => {
  const issued = state.issued.get(svcNumber)
  return (
    issued !== undefined &&
    caller !== undefined &&
    isSuch(state.sessions.get(issued.session)) &&
    issued.facts.seller.nip !== nipOf(caller.context)
  )
}

/** Only its seller finds what was sent in one way. */
export const notFoundByTheBuyer = (isSuch: (session: Session | undefined) => boolean): Mutant =>
  bodies(['queries.metadata'], (body: Fields, call) => ({
    invoices: (body['invoices'] as { svcNumber: string }[]).filter(
      ({ svcNumber }) => !sentByAnother(call, svcNumber, isSuch),
    ),
  }))
