import type { OperationId } from '../../../contract/endpoints.ts'
import type { Condition, Fault } from '../conditions/condition.ts'

/** Conditions that many ordeals share. */

type Calls = Condition['on']

/** Every call from the first on. */
export const always = 1_000_000

/** Reads that show a client what became of its documents. */
export const looks: readonly OperationId[] = [
  'invoices.inSession',
  'invoices.status',
  'sessions.status',
  'sessions.invoices',
]

/** A gateway, or a failing service, refuses a call. */
export const refused = (
  on: Calls,
  status: number,
  more: Partial<Extract<Fault, { kind: 'refuse' }>> & { from?: number; times?: number } = {},
): Condition => {
  const { from = 1, times = 1, ...fault } = more
  return { on, from, times, fault: { kind: 'refuse', status, body: 'json', ...fault } }
}

/** 429 with Retry-After. */
export const limited = (
  on: Calls,
  retryAfter: number,
  more: Parameters<typeof refused>[2] = {},
): Condition => refused(on, 429, { retryAfter, ...more })

/** Submissions are answered so late that something happens between two of them. */
export const slowSubmissions = (times: number, ms = 2000): Condition => ({
  on: 'invoices.submit',
  from: 1,
  times,
  fault: { kind: 'slow', ms },
})

/** The first answer is lost before the service sees the call, the second after it has carried the call out. */
export const lostTwice = (on: Calls): readonly Condition[] => [
  { on, from: 1, fault: { kind: 'lost-before' } },
  { on, from: 2, fault: { kind: 'lost-after' } },
]
