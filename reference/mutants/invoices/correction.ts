import type { RefusalId } from '../../../contract/errors.ts'
import { invoicesPolicy } from '../../policy/invoices.ts'
import type { Policy } from '../../policy/policy.ts'
import { policy } from '../../policy/policy.ts'
import type { Mutant } from '../mutant.ts'
import { refuses } from '../rewrite.ts'

/** A correction counts in the session in which it was sent. */
const correctedBySession = (): Mutant => {
  let asked: string | undefined
  return {
    at: ['invoices.submit'],
    call(call, next) {
      asked = call.path['referenceNumber']
      return next(call)
    },
    policy: {
      correctionRefusal: (issued, hash) =>
        issued.corrects === hash && issued.session !== asked
          ? undefined
          : policy.correctionRefusal(issued, hash),
    },
  }
}

const correctionUnless =
  (allowed: RefusalId): Policy['correctionRefusal'] =>
  (issued, hash) => {
    const refusal = invoicesPolicy.correctionRefusal(issued, hash)
    return refusal === allowed ? undefined : refusal
  }

/** Defects of technical corrections. */
export const invoicesCorrectionMutants = {
  'invoices.correction/used-up-by-a-rejection': refuses(
    ['invoices.submit'],
    'correction-unavailable',
    ({ body, service }) => {
      const { hashOfCorrectedInvoice } = body as { readonly hashOfCorrectedInvoice?: string | null }
      return (
        typeof hashOfCorrectedInvoice === 'string' &&
        [...service.state.invoices.values()].some(
          ({ corrects }) => corrects === hashOfCorrectedInvoice,
        )
      )
    },
  ),
  'invoices.correction/once-in-a-session': correctedBySession(),
  'invoices.correction/corrected-again': {
    policy: { correctionRefusal: correctionUnless('correction-unavailable') },
  },
  'invoices.correction/accepted-corrected': {
    policy: { correctionRefusal: correctionUnless('correction-forbidden') },
  },
  'invoices.correction/accepted-offline-corrected': {
    policy: {
      correctionRefusal: (issued, hash) =>
        issued.hash === hash && issued.mode === 'Offline'
          ? undefined
          : policy.correctionRefusal(issued, hash),
    },
  },
} as const satisfies Readonly<Record<string, Mutant>>
