import type { Design } from './design.ts'
import { shareOf } from './design.ts'
import type { Schedule } from './sessions.ts'
import { timetable } from './timetable.ts'

/** Calls that a client needs besides those that send invoices. */
export interface Companion {
  readonly what: string
  readonly rule: string
  /** Of each (context, address), over the whole plan. */
  readonly calls: number
  /** Minimum time that these calls take on their own, milliseconds. */
  readonly ms: number
  /** Whether they fit beside the sending without making the plan longer. */
  readonly fits: boolean
  readonly advice?: string
}

const day = 86_400_000
/** A client that watches a session polls once a minute. */
const lookEvery = 60_000
const pageOfInvoices = 1000

interface Kind {
  readonly what: string
  readonly rule: string
  readonly calls: (design: Design, schedule: Schedule) => number
  readonly advice?: string
}

const receiptPages = ({ limits }: Design, { sessions }: Schedule): number =>
  sessions.reduce(
    (sum, { invoices }) => sum + Math.ceil(invoices / limits.value('receipt.documentsPerPage')),
    0,
  )

const kinds: readonly Kind[] = [
  {
    what: 'logins (a refresh token lasts 7 days)',
    rule: 'public',
    calls: (_, { ends }) => 4 * (1 + Math.floor(ends / (7 * day))),
  },
  {
    what: 'renewals of the access token',
    rule: 'public',
    calls: ({ limits }, { ends }) =>
      Math.floor(ends / (limits.value('accessToken.lifetimeMinimum') * 1000)),
  },
  {
    what: 'status of a session, once a minute',
    rule: 'sessionOther',
    calls: (design, schedule) =>
      Math.ceil(schedule.ends / lookEvery) +
      schedule.sessions.length +
      receiptPages(design, schedule),
  },
  {
    what: 'status of each invoice, once',
    rule: 'invoiceStatus',
    calls: (design) => shareOf(design).largest,
    advice: `list the invoices of the session instead, ${pageOfInvoices.toLocaleString('en')} a page`,
  },
  {
    what: `list of invoices, pages of ${pageOfInvoices.toLocaleString('en')}`,
    rule: 'sessionInvoices',
    calls: (_, { sessions }) =>
      sessions.reduce((sum, { invoices }) => sum + Math.ceil(invoices / pageOfInvoices), 0),
  },
  {
    what: 'receipt of each invoice',
    rule: 'sessionOther',
    calls: (design) => shareOf(design).largest,
    advice: 'fetch the aggregate receipt of the session instead: one call for 10,000 invoices',
  },
]

/** What else must fit beside a schedule, and whether it does. */
export function companionsOf(design: Design, schedule: Schedule): readonly Companion[] {
  return kinds.map(({ what, rule, calls: count, advice }) => {
    const calls = count(design, schedule)
    const ms = calls === 0 ? 0 : (timetable(rule, design.limits.rate(rule), calls).at(-1)?.at ?? 0)
    // A minute of tolerance: calls that take no time fit even beside a schedule that takes none.
    const fits = ms <= Math.max(schedule.ends, lookEvery)
    return { what, rule, calls, ms, fits, ...(fits || advice === undefined ? {} : { advice }) }
  })
}
