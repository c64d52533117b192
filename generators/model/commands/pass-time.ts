import fc from 'fast-check'
import { command } from '../command.ts'
import { settleAll } from '../settling.ts'

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

/** Turns the clock, once nothing is under way any more. */
export const passTime = () =>
  fc.constantFrom(...(Object.keys(spans) as (keyof typeof spans)[])).map((span) =>
    command<number>({
      name: `let ${span} pass`,
      find: ({ clock, now, began, logins, challenges }) =>
        clock && now - began + spans[span] < longest && logins.length + challenges.length > 0
          ? spans[span]
          : undefined,
      says: () => `${span} ${span.endsWith('s') ? 'pass' : 'passes'}`,
      async act(model, world, ms) {
        await settleAll(model, world)
        await world.advance?.(ms)
        // What the time has ended is through before the next step looks.
        model.now = world.client.now()
        await settleAll(model, world)
      },
    }),
  )
