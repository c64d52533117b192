import { keyOf } from '../../model/entities.ts'
import { dayOf } from '../../base/identifiers.ts'
import { makeSvcNumber } from '../../base/service-numbers.ts'
import type { AnyCall } from '../../call/call.ts'
import { invoicesPolicy } from '../../policy/invoices.ts'
import { policy } from '../../policy/policy.ts'
import type { Mutant } from '../mutant.ts'
import { numbered } from '../once-more.ts'
import { statuses } from '../statuses.ts'

/** Numbers are derived from something in the call, rather than from the document. */
const numberedBy = (
  change: (call: AnyCall) => { readonly nip?: string; readonly day?: string },
): Mutant => {
  let given: { readonly nip?: string; readonly day?: string } = {}
  return {
    at: ['invoices.submit', 'invoice'],
    call(call, next) {
      given = change(call)
      return next(call)
    },
    policy: {
      svcNumber: (nip, day, technical) =>
        policy.svcNumber(given.nip ?? nip, given.day ?? day, technical),
    },
  }
}

/** Numbers are made of the place of the invoice in its session. */
const countedInItsSession = (): Mutant => {
  const first = new Map<string, string>()
  return {
    tables: {
      invoices: {
        write(next, _before, { sessions }) {
          const session = sessions.get(next.session)
          if (next.svcNumber === undefined || session === undefined) return next
          const key = `${keyOf(session.context)} ${next.ordinal}`
          first.set(key, first.get(key) ?? next.svcNumber)
          return { ...next, svcNumber: first.get(key)! }
        },
      },
    },
  }
}

/**
 * Numbers that count the invoices of a seller within a day (10), a month (7) or a year (4), which begins again with it,
 * and show the day of the number itself.
 * @param of when the counted invoice came
 */
const countedWithin = (letters: 4 | 7 | 10, of: 'acquisitionDate' | 'invoicingDate'): Mutant => {
  const known = new Map<string, string>()
  const counts = new Map<string, number>()
  const other = of === 'acquisitionDate' ? 'invoicingDate' : 'acquisitionDate'
  return statuses((status) => {
    const { svcNumber } = status
    if (svcNumber === null) return {}
    if (!known.has(svcNumber)) {
      const dates = status as unknown as Readonly<Record<typeof of, string>>
      const seller = svcNumber.slice(0, 10)
      const period = `${seller} ${dayOf(Date.parse(dates[of])).slice(0, letters)}`
      const count = (counts.get(period) ?? 0) + 1
      counts.set(period, count)
      const technical = new Uint8Array(6)
      technical[5] = count
      known.set(svcNumber, makeSvcNumber(seller, dayOf(Date.parse(dates[other])), technical))
    }
    return { svcNumber: known.get(svcNumber) }
  })
}

/** Defects of the numbers of invoices. */
export const invoicesNumberMutants = {
  'invoices.number.unique/nip-of-the-sender': numberedBy(({ caller }) =>
    caller === undefined ? {} : { nip: caller.context.value.slice(0, 10) },
  ),
  'invoices.number.unique/day-in-utc': numberedBy(({ now }) => ({
    day: new Date(now).toISOString().slice(0, 10),
  })),
  'invoices.number.unique/number-not-unique': statuses(({ svcNumber }) =>
    svcNumber === null
      ? {}
      : {
          svcNumber: makeSvcNumber(
            svcNumber.slice(0, 10),
            svcNumber.slice(11, 19),
            new Uint8Array(6),
          ),
        },
  ),
  'invoices.number.unique/number-of-another-day': {
    policy: { svcNumber: (nip, _, bytes) => invoicesPolicy.svcNumber(nip, '2026-02-01', bytes) },
  },
  'invoices.number.unique/of-the-number-of-the-invoice': numbered(),
  'invoices.number.unique/counted-in-its-session': countedInItsSession(),
  'invoices.number.unique/counted-on-the-day-of-processing': countedWithin(10, 'acquisitionDate'),
  'invoices.number.unique/counted-on-the-day-of-opening': countedWithin(10, 'invoicingDate'),
  'invoices.number.unique/counted-in-the-month-of-processing': countedWithin(7, 'acquisitionDate'),
  'invoices.number.unique/counted-in-the-year-of-processing': countedWithin(4, 'acquisitionDate'),
} as const satisfies Readonly<Record<string, Mutant>>
