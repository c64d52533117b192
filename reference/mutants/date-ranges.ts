import { instantOf, warsaw } from '../base/wording.ts'
import { policy } from '../policy/policy.ts'
import type { Mutant } from './mutant.ts'
import { calls } from './rewrite.ts'
import type { Fields } from './rewrite.ts'

/** Defects of how a search reads the range of its dates. */

const offset = /(?:Z|[+-]\d{2}:\d{2})$/i

interface Range {
  readonly from: string
  readonly to?: string
}

/** Searches with another range than was asked for. */
const ranges = (change: (range: Range, now: number) => Partial<Range>): Mutant =>
  calls(['queries.metadata'], (call) => {
    const { dateRange, ...rest } = call.body as Fields & { readonly dateRange: Range }
    return {
      ...call,
      body: { ...rest, dateRange: { ...dateRange, ...change(dateRange, call.now) } },
    }
  })

/** Both ends, where they are given, written otherwise. */
const ends = (write: (text: string, now: number) => string): Mutant =>
  ranges(({ from, to }, now) => ({
    from: write(from, now),
    ...(typeof to === 'string' && { to: write(to, now) }),
  }))

const minute = 60_000

/** Instants to the minute, and days as they are. */
const toTheMinute = <T extends string | number>(at: T): T =>
  typeof at === 'number' && Number.isFinite(at) ? ((Math.floor(at / minute) * minute) as T) : at

const isInstant = (at: unknown): boolean => typeof at === 'number'

export const dateRangesMutants = {
  'queries.metadata.date-bounds/offset-unread': ends((text) => text.replace(offset, '')),
  'queries.metadata.date-bounds/offset-as-utc': ends((text) => text.replace(offset, 'Z')),
  'queries.metadata.date-bounds/without-an-offset-as-utc': ends((text) =>
    offset.test(text) ? text : `${text}Z`,
  ),
  'queries.metadata.date-bounds/offset-of-today': ends((text, now) =>
    offset.test(text) ? text : text + (offset.exec(warsaw(now))?.[0] ?? 'Z'),
  ),
  'queries.metadata.date-bounds/open-end-at-the-start': ranges(({ from, to }) =>
    typeof to === 'string' ? {} : { to: new Date((instantOf(from) ?? 0) + minute).toISOString() },
  ),
  'queries.metadata.date-bounds/start-excluded': {
    policy: {
      dateInRange: (at, from, to) =>
        policy.dateInRange(at, from, to) && !(isInstant(at) && at === from),
    },
  },
  'queries.metadata.date-bounds/end-excluded': {
    policy: {
      dateInRange: (at, from, to) =>
        policy.dateInRange(at, from, to) && !(isInstant(at) && at === to),
    },
  },
  'queries.metadata.date-bounds/start-to-the-minute': {
    policy: { dateInRange: (at, from, to) => policy.dateInRange(at, toTheMinute(from), to) },
  },
} as const satisfies Readonly<Record<string, Mutant>>
