import { calls } from './rewrite.ts'
import type { Fields } from './rewrite.ts'
import type { Mutant } from './mutant.ts'
import { policy } from '../policy/policy.ts'
import { minute } from './spans.ts'

/** Searches by another range of dates than was requested. */

export const offsetAtEnd = /(?:Z|[+-]\d{2}:\d{2})$/i

interface Range {
  readonly from: string
  readonly to?: string
}

/** Searches with another range than was requested. */
export const ranges = (change: (range: Range, now: number) => Partial<Range>): Mutant =>
  calls(['queries.metadata'], (call) => {
    const { dateRange, ...rest } = call.body as Fields & { readonly dateRange: Range }
    return {
      ...call,
      body: { ...rest, dateRange: { ...dateRange, ...change(dateRange, call.now) } },
    }
  })

/** Both ends, where they are given, written differently. */
export const ends = (write: (text: string, now: number) => string): Mutant =>
  ranges(({ from, to }, now) => ({
    from: write(from, now),
    ...(typeof to === 'string' && { to: write(to, now) }),
  }))

/** Instants to the minute, and days as they are. */
export const toTheMinute = <T extends string | number>(at: T): T =>
  typeof at === 'number' && Number.isFinite(at) ? ((Math.floor(at / minute) * minute) as T) : at

export const isInstant = (at: unknown): boolean => typeof at === 'number'

/** The days of a schema are compared by month and day. */
export const yearsUnread: Mutant = {
  policy: {
    schemaInForce({ from, until, ...schema }, day) {
      const ofThatYear = (date: string | undefined) => date && day.slice(0, 4) + date.slice(4)
      const days = { from: ofThatYear(from), until: ofThatYear(until) }
      return policy.schemaInForce(
        { ...schema, ...days } as Parameters<typeof policy.schemaInForce>[0],
        day,
      )
    },
  },
}
