import fc from 'fast-check'
import { command } from '../command.ts'
import { settleAll, settleExports } from '../settling.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Around every lifetime of the contract: challenge, tokens, links, sessions, packages. */
const spans = {
  'a minute': minute,
  'nine minutes': 9 * minute,
  'eleven minutes': 11 * minute,
  'forty minutes': 40 * minute,
  'fifty minutes': 50 * minute,
  'eleven hours': 11 * hour,
  'thirteen hours': 13 * hour,
  'a day and an hour': 25 * hour,
  'three days and an hour': 73 * hour,
  'eight days': 8 * day,
} as const

/** Sequences stay within the weeks that searches look at. */
const longest = 15 * day

/** How far the clock moves while work is pending: the record of how the work ended must still be available. */
const longestHaste = day + hour

interface Drawn {
  readonly span: keyof typeof spans
  readonly haste: boolean
}

/** Moves the clock, mostly once nothing is pending; never while an export is, whose package would be gone. */
export const passTime = () =>
  fc
    .record({
      span: fc.constantFrom(...(Object.keys(spans) as (keyof typeof spans)[])),
      haste: fc.integer({ min: 0, max: 2 }).map((drawn) => drawn === 2),
    })
    .map(({ span, haste }: Drawn) => turn(span, haste && spans[span] <= longestHaste))

const turn = (span: keyof typeof spans, haste: boolean) =>
  command<number>({
    name: `let ${span} pass`,
    find: ({ clock, now, began, logins, challenges }) =>
      clock && now - began + spans[span] < longest && logins.length + challenges.length > 0
        ? spans[span]
        : undefined,
    says: () =>
      `${span} ${span.endsWith('s') ? 'pass' : 'passes'}${haste ? ' in one step, whatever is in progress' : ''}`,
    async act(model, world, ms) {
      await (haste ? settleExports(model, world) : settleAll(model, world))
      await world.advance?.(ms)
      // What ends because of the time that passed has ended before the next step reads it.
      model.now = world.client.now()
      await settleAll(model, world)
    },
  })
