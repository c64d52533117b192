import { unknown } from '../../../generators/model/linearize.ts'
import type { HistoryCall, Linearization } from '../../../generators/model/linearize.ts'
import { Unreachable } from '../../../lib/node/fetch.ts'
import { sleep } from '../../../lib/poll.ts'
import type { Rng } from '../../../lib/random.ts'
import { atOnce } from './at-once.ts'
import { expect as base } from '../run/valued.ts'

/** Histories of several clients at work at the same time, and the judgement of them. */

/** What a call does, and how a report says it. */
export interface Said {
  readonly says: string
}

/** A call that a client is going to make. */
export interface PlannedCall<Op> {
  readonly operation: Op
  /** Makes the call and awaits what becomes of it: `ok`, the id of a refusal, or what was read. */
  readonly make: () => Promise<string>
}

/** What every client does, call by call. */
export type Plan<Op> = Readonly<Record<string, readonly PlannedCall<Op>[]>>

/** The longest pause of a client before a call, in milliseconds: about as long as a quick call. */
const longestPauseMs = 8

type Paused<Op> = PlannedCall<Op> & { readonly ms: number }

const withPauses = <Op>(rng: Rng, planned: readonly PlannedCall<Op>[]): Paused<Op>[] =>
  planned.map((call) => ({ ...call, ms: rng.int(0, longestPauseMs) }))

/**
 * Lets all clients of a plan work at the same time, then one more client after them.
 * @param rng draws the order in which they start, and how long they pause between calls
 */
export const recordHistory = async <Op>(
  rng: Rng,
  plan: Plan<Op>,
  afterwards: readonly PlannedCall<Op>[] = [],
): Promise<HistoryCall<Op>[]> => {
  const calls: HistoryCall<Op>[] = []
  let events = 0
  const work = async (client: string, paused: readonly Paused<Op>[]) => {
    for (const { ms, operation, make } of paused) {
      await sleep(ms)
      const began = (events += 1)
      const outcome = await make().catch((error: unknown) => {
        if (error instanceof Unreachable) return unknown
        throw error
      })
      calls.push({ client, operation, began, ended: (events += 1), outcome })
    }
  }
  // Drawn before the first call, so that a seed draws the same values however long the answers take.
  const clients = Object.entries(plan).map(
    ([client, planned]) => [client, withPauses(rng, planned)] as const,
  )
  await atOnce(
    rng,
    clients.map(
      ([client, paused]) =>
        () =>
          work(client, paused),
    ),
  )
  await work('afterwards', withPauses(rng, afterwards))
  return calls.toSorted((a, b) => a.began - b.began)
}

const lineOf = ({ client, operation, began, ended, outcome }: HistoryCall<Said>): string =>
  `${client}: ${operation.says} (${began} to ${ended}): ${outcome}`

export const expect = base.extend({
  /** There is an order of the calls in which every outcome is right. */
  toBeInSomeOrder({ calls, explained, order, next }: Linearization<Said>) {
    const tried = order.map(({ client, operation }) => `${client}: ${operation.says}`)
    const expected =
      next.length === 0
        ? 'calls that take effect one after another'
        : next
            .map(({ call: { client, operation }, possible }) =>
              [client, operation.says, possible.join(' or ')].join(': '),
            )
            .join('; or ')
    return {
      pass: explained,
      expected,
      actual: next.map(({ call }) => lineOf(call)).join('; '),
      message: () =>
        [
          'No order of these calls explains their outcomes (calls that overlap may take effect in any order):',
          ...calls.map((call) => `  ${lineOf(call)}`),
          `  the longest beginning of an order: ${tried.join(', ') || 'none'}`,
          `  next would have to come ${expected}`,
        ].join('\n'),
    }
  },
})
