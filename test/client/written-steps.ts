import type { History } from '../../suites/client/history.ts'
import type { WrittenStep } from './written-history.ts'
import { document, historyOf, issued, submitted, told } from './written-history.ts'

/** Steps that the written histories have in common. */

export const keys: WrittenStep = { operation: 'keys.list' }
export const open: WrittenStep = {
  operation: 'sessions.openOnline',
  bearer: 'access',
  facts: { opened: 'S' },
}
export const close: WrittenStep = {
  operation: 'sessions.closeOnline',
  bearer: 'access',
  session: 'S',
}
export const receipt: WrittenStep = {
  operation: 'receipts.invoice',
  bearer: 'access',
  receiptOf: 'E',
}
export const lost: WrittenStep = {
  ...submitted,
  outcome: 'unknown',
  status: undefined,
  sightings: [],
}
export const look: WrittenStep = { operation: 'sessions.invoices', bearer: 'access', session: 'S' }
export const limited: WrittenStep = {
  operation: 'invoices.submit',
  outcome: 'fail',
  status: 429,
  retryAfter: 2,
  fault: '429, Retry-After 2',
  hash: 'hash-1',
}
export const refusedKey: WrittenStep = {
  ...open,
  outcome: 'fail',
  status: 400,
  refusal: 'session-key-refused',
  facts: {},
}
export const rotated = {
  at: 1500,
  kind: 'keys-rotated',
  words: 'rotated',
  subject: 'SymmetricKeyEncryption',
} as const
export const page = (from: string, listed: readonly string[], more: object = {}): WrittenStep => ({
  operation: 'queries.metadata',
  bearer: 'access',
  listed,
  facts: {
    subjectType: 'subject2',
    dateType: 'permanentStorage',
    from,
    hasMore: false,
    isTruncated: false,
    ...more,
  },
})
export const receiving = (beliefs: readonly string[], ...pages: WrittenStep[]): History =>
  historyOf(pages, {
    task: { documents: [], toReceive: ['A', 'B'] },
    held: [],
    beliefs: beliefs.map((number) => ({ document: number, outcome: 'accepted', number })),
  })
export const expired: WrittenStep = {
  operation: 'sessions.openOnline',
  bearer: 'access',
  bearerId: 'old',
  outcome: 'fail',
  status: 403,
  refusal: 'expired-token',
}
export const duplicate = { ...document, expect: 'duplicate', svcNumber: 'N-0' } as const
export const told440 = told(440, { originalSvcNumber: 'N-0' })
export const rejected = { ...issued, svcNumber: undefined, code: 440 }
export const redeemed: WrittenStep = { operation: 'auth.redeem', bearer: 'authentication' }
