import type { OperationId } from '../../../contract/endpoints.ts'

/**
 * What an ordeal does to a client, as data: faults on the way to the service, and events at the service. Each states
 * at which occurrence of which call it happens; the occurrences are drawn from the seed, never at run time.
 */

/** How a call goes wrong on its way. */
export type Fault =
  /** Answered by a gateway, or by a failing service, before the service does anything. */
  | {
      readonly kind: 'refuse'
      readonly status: number
      readonly retryAfter?: number
      /** Retry-After as a date instead of seconds. */
      readonly isDate?: true
      readonly body: 'json' | 'html' | 'none'
    }
  /** The connection ends without an answer; the service never sees the call. */
  | { readonly kind: 'lost-before' }
  /** The service carries the call out; the connection ends without an answer. */
  | { readonly kind: 'lost-after' }
  /** The service carries the call out; the answer breaks off in its middle. */
  | { readonly kind: 'cut' }
  /** The connection is reset while the client still sends the body. */
  | { readonly kind: 'reset-upload' }
  /** The answer comes late. */
  | { readonly kind: 'slow'; readonly ms: number }
  /** The answer comes in small pieces. */
  | { readonly kind: 'dribble'; readonly ms: number }
  /** The answer says the same in another form. */
  | { readonly kind: 'form'; readonly how: 'chunked' | 'gzip' | 'reordered' | 'close' }
  /** Fields that the client cannot know. */
  | { readonly kind: 'unknown-fields' }
  /** The work is still pending, under this code. */
  | { readonly kind: 'pending'; readonly code: number }
  /** The outcome of an asynchronous piece of work is a failure of the service. */
  | { readonly kind: 'failed-work'; readonly code: number }
  /** The list of certificates holds one more, first: of another usage, or of the same and expired. */
  | { readonly kind: 'keys'; readonly first: 'other-usage' | 'expired' }
  /** A byte of the body changes on the way to the service. */
  | { readonly kind: 'corrupt-upload' }

/** What happens at the service, or to the client. */
export type Act =
  | {
      readonly kind: 'rotate'
      readonly usage: 'SvcTokenEncryption' | 'SymmetricKeyEncryption'
      readonly overlapMs: number
    }
  | { readonly kind: 'kill' }
  | { readonly kind: 'revoke-login' }
  | { readonly kind: 'revoke-token' }
  | { readonly kind: 'close-session' }
  | { readonly kind: 'withdraw-permission' }
  | { readonly kind: 'restore-permission' }
  | { readonly kind: 'arrive'; readonly count: number }

export interface Condition {
  readonly on: OperationId | readonly OperationId[] | 'any'
  /** Occurrences of these calls, together, from 1. */
  readonly from: number
  /** How many from there on; 1 when absent. */
  readonly times?: number
  /** Instead of `times`: all of these calls for this many milliseconds, starting with that one. */
  readonly lastsMs?: number
  /** Also every later call to the same address. */
  readonly stays?: true
  readonly fault?: Fault
  /** Done before the service sees the call, or before its answer is delivered. */
  readonly act?: Act
  readonly when?: 'before' | 'after'
}

const faultWords: {
  readonly [K in Fault['kind']]: (fault: Extract<Fault, { kind: K }>) => string
} = {
  refuse: ({ status, retryAfter, isDate, body }) =>
    `${status}${retryAfter === undefined ? '' : `, Retry-After ${retryAfter}${isDate ? ' as a date' : ''}`}${body === 'html' ? ", a gateway's HTML" : body === 'none' ? ', without a body' : ''}`,
  'lost-before': () => 'no answer, the service did not see the call',
  'lost-after': () => 'no answer, the service carried the call out',
  cut: () => 'the answer broke off in its middle',
  'reset-upload': () => 'the connection was reset within the body',
  slow: ({ ms }) => `the answer came ${ms / 1000} s late`,
  dribble: ({ ms }) => `the answer came in pieces over ${ms / 1000} s`,
  form: ({ how }) =>
    ({
      chunked: 'chunked answer',
      gzip: 'gzipped answer',
      reordered: 'members in another order',
      close: 'the connection was closed after the answer',
    })[how],
  'unknown-fields': () => 'unknown fields in the answer',
  pending: ({ code }) =>
    code === 100 || code === 150 ? 'still pending' : `unknown code ${code}, still pending`,
  'failed-work': ({ code }) => `ended with ${code}`,
  keys: ({ first }) =>
    first === 'expired'
      ? 'an expired certificate first in the list'
      : 'a certificate of another usage first in the list',
  'corrupt-upload': () => 'a byte changed on the way',
}

/** A fault in words, as steps and reports show it. */
export const wordsOf = (fault: Fault): string =>
  (faultWords[fault.kind] as (one: Fault) => string)(fault)
