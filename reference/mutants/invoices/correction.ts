import type { RefusalId } from '../../../contract/errors.ts'
import type { AnyCall } from '../../call/call.ts'
import type { Invoice, Issued } from '../../model/documents.ts'
import { keyOf } from '../../model/entities.ts'
import { invoicesPolicy } from '../../policy/invoices.ts'
import type { Policy } from '../../policy/policy.ts'
import { policy } from '../../policy/policy.ts'
import type { Mutant } from '../mutant.ts'
import { calls, decidedBy, refuses } from '../rewrite.ts'
import { uncorrectedWithTheSlash } from '../slashes.ts'
import { isBySeller } from '../ways-of-sending.ts'

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

/** The seller is checked as if the sender of a correction could send for itself alone. */
const ofTheSellerItself = (): Mutant => {
  let isCorrection = false
  return {
    at: ['invoice'],
    tables: {
      contents: {
        read(found, key, state) {
          isCorrection = state.invoices.get(key)?.corrects !== undefined
          return found
        },
      },
    },
    policy: {
      sellerAllowed: (ties) => (isCorrection ? ties.own : policy.sellerAllowed(ties)),
    },
  }
}

/** A correction is compared with what its sender sent, and not with what colleagues sent. */
const comparedBySender: Mutant = calls(['invoices.submit'], (call) => {
  const { service, caller } = call
  const isOwn = ({ session }: Issued): boolean => {
    const sender = service.state.sessions.get(session)?.subject
    return sender !== undefined && caller !== undefined && keyOf(sender) === keyOf(caller.subject)
  }
  return decidedBy(call, {
    correctionRefusal: (issued, hash) =>
      isOwn(issued) ? service.policy.correctionRefusal(issued, hash) : undefined,
  })
})

/** Whether an invoice that a correction names has been received, and is of some kind. */
const namesOne = ({ body, service }: AnyCall, isOne: (invoice: Invoice) => boolean): boolean => {
  const { hashOfCorrectedInvoice: named } = body as {
    readonly hashOfCorrectedInvoice?: string | null
  }
  return [...service.state.invoices.values()].some((one) => one.hash === named && isOne(one))
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
  'invoices.correction/of-the-seller-itself': ofTheSellerItself(),
  'invoices.correction/of-invoices-of-agents': {
    policy: {
      correctionRefusal: (issued, hash) =>
        isBySeller(issued) ? policy.correctionRefusal(issued, hash) : undefined,
    },
  },
  'invoices.correction/compared-by-sender': comparedBySender,
  'invoices.correction/not-of-corrections': refuses(
    ['invoices.submit'],
    'correction-unavailable',
    (call) =>
      namesOne(call, ({ corrects, status }) => corrects !== undefined && status.code >= 400),
  ),
  'invoices.correction/accepted-correction-corrected': {
    policy: {
      correctionRefusal: (issued, hash) =>
        issued.corrects !== undefined && issued.hash === hash
          ? undefined
          : policy.correctionRefusal(issued, hash),
    },
  },
  'invoices.correction/unread-by-the-other-path': uncorrectedWithTheSlash(),
  'invoices.correction/once-in-a-session': correctedBySession(),
  'invoices.correction/twice-while-pending': { policy: { correctionUnderWay: () => false } },
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
