import type { RuleId } from '../../../contract/rules.ts'
import { openOnline } from '../../../lib/flows/session.ts'
import { isoDay } from '../../../lib/local-time.ts'
import type { Me } from '../../support/service/contexts.ts'
import { countsBy } from '../../support/steps/export-parts.ts'
import type { DateType, SubjectType } from '../../support/steps/filters.ts'
import { instantKind, issuedAround } from '../../support/steps/filters.ts'
import { formCodes } from '../../support/checks/forms.ts'
import { withAuthorizedParty, withThirdParty } from '../../support/documents/parties.ts'
import { familyRule } from '../../support/checks/rule.ts'
import type { Found, Paging, SearchOperation } from '../../support/steps/searches.ts'
import { findAll } from '../../support/steps/searches.ts'
import { accept } from '../../support/steps/steps.ts'
import { withoutRates } from '../../support/service/target.ts'
import { filtersFor, filtersForNone, withFilters } from '../../support/scenes/stock.ts'
import type { Stocked, StockFilter } from '../../support/scenes/stock.ts'
import { expect, test as base } from '../../support/harness/test.ts'

/** The range of a search by each party of an invoice, against each kind of date and beside each filter. */

const day = 24 * 3_600_000
const near = 1.5 * day
const far = 20 * day

/** From and to, in milliseconds around a date, and whether an invoice of that date is found. */
const ranges = [
  [-near, near, true],
  [-far, -near, false],
  [near, far, false],
] as const satisfies readonly (readonly [from: number, to: number, found: boolean])[]

/** An invoice with four parties, which each of them finds. */
interface Issued {
  readonly parties: Readonly<Record<SubjectType, Me>>
  /** What a search reports of it. */
  readonly row: Found
  /** The date of each kind, Unix milliseconds. */
  readonly dates: readonly (readonly [DateType, number])[]
}

const iso = (instant: number): string => new Date(instant).toISOString()

const newest: Paging = { sortOrder: 'Desc' }

/** Each search, with the paging that makes a difference to its checks, and what their names add of it. */
const searches: readonly (readonly [
  RuleId,
  SearchOperation | 'exports.create',
  paging?: Paging,
  added?: string,
])[] = [
  ['queries.metadata.filters', 'queries.metadata'],
  ['queries.metadata.filters', 'queries.metadata', newest, ', the newest first'],
  ['queries.metadata.date-type', 'queries.metadata'],
  ['queries.metadata.date-type', 'queries.metadata', newest, ', the newest first'],
  ['queries.general.date-range', 'queries.general'],
  ['exports.package.content', 'exports.create'],
]

const test = base.extend<{ issued: () => Promise<Issued> }>({
  issued: async ({ login, limited, another, invoice, target }, use) => {
    await use(async () => {
      await withoutRates(target)
      const someone = async () => login({ context: await another() })
      const parties: Issued['parties'] = {
        subject1: await login(),
        subject2: await someone(),
        subject3: await someone(),
        subjectAuthorized: await someone(),
      }
      const { subject1, subject2, subject3, subjectAuthorized } = parties
      const now = target.now()
      const issue = now - 10 * day
      const { bytes } = invoice({ buyer: subject2.context.nip, issueDate: isoDay(issue) })
      const third = withThirdParty(bytes, subject3.context.nip)
      const session = await openOnline(subject1.api, { formCode: formCodes.fa3 })
      const { svcNumber } = await accept(
        { api: subject1.api, session },
        withAuthorizedParty(third, subjectAuthorized.context.nip),
      )
      // As the issuer, somebody who may read invoices and do nothing else.
      const readers = { ...parties, subject1: await limited(['InvoiceRead']) }
      const rows: Found[] = []
      for (const [role, { api }] of Object.entries(parties) as [SubjectType, Me][])
        rows.push(...(await findAll(api, { ...issuedAround(now, role), svcNumber }, [svcNumber])))
      const instant = instantKind(subject1.api.dialect)
      const kinds = new Set<DateType>(['issue', instant, 'invoicing', 'permanentStorage'])
      return {
        parties: readers,
        row: rows[0]!,
        dates: [...kinds].map((kind) => [kind, kind === 'issue' ? issue : now]),
      }
    })
  },
})

/** A range that contains the invoice, which another filter excludes. */
const outside = [-near, near, false] as const

/** A filter with a value that an invoice does not have, although it may be of any kind, and in any currency. */
const unlike =
  ({ invoiceType, currency }: Found) =>
  (none: StockFilter): StockFilter => {
    if (none.name === 'invoiceTypes' && invoiceType === 'Zal')
      return { ...none, given: { invoiceTypes: ['Upr'] } }
    if (none.name === 'currencyCodes' && currency === 'CHF')
      return { ...none, given: { currencyCodes: ['USD'] } }
    return none
  }

/** Filters that exclude an invoice. */
const excluding = (row: Found): readonly StockFilter[] => [
  ...filtersForNone.map(unlike(row)),
  ...Object.entries({
    isSelfInvoicing: row['isSelfInvoicing'] !== true,
    invoicingMode: row['invoicingMode'] === 'Online' ? 'Offline' : 'Online',
  }).map(([name, value]) => ({ name, given: { [name]: value }, keeps: () => false })),
]

for (const [id, operation, paging, added = ''] of searches)
  test(
    ...familyRule(id, 'range of each party', `each kind of date${added}`),
    async ({ issued }) => {
      const { parties, dates } = await issued()
      for (const [subjectType, me] of Object.entries(parties) as [SubjectType, Me][]) {
        const count = countsBy(operation, me, paging)
        for (const [dateType, at] of dates)
          for (const [from, to, found] of ranges) {
            const dateRange = { dateType, from: iso(at + from), to: iso(at + to) }
            expect(
              await count({ subjectType, dateRange }),
              `as ${subjectType} by ${dateType}, ${dateRange.from} to ${dateRange.to}`,
            ).toBe(found ? 1 : 0)
          }
      }
    },
  )

for (const [id, operation, paging, added = ''] of searches.filter(
  ([rule]) => rule !== 'queries.metadata.date-type',
))
  test(...familyRule(id, 'range of each party', `each filter${added}`), async ({ issued }) => {
    const { parties, dates, row } = await issued()
    const own = filtersFor(row as unknown as Stocked)
    for (const [subjectType, me] of Object.entries(parties) as [SubjectType, Me][]) {
      const count = countsBy(operation, me, paging)
      const expectCount = async (
        place: number,
        [from, to, found]: (typeof ranges)[number],
        given: readonly StockFilter[],
      ) => {
        const [dateType, at] = dates[place % dates.length]!
        const dateRange = { dateType, from: iso(at + from), to: iso(at + to) }
        const filters = withFilters({ subjectType, dateRange }, given)
        expect(await count(filters), JSON.stringify(filters)).toBe(found ? 1 : 0)
      }
      for (const [place, filter] of own.entries())
        for (const range of ranges) await expectCount(place, range, [filter])
      for (const [place, none] of excluding(row).entries()) {
        const others = own.filter(({ name }) => name !== none.name)
        // Of an export, which takes longer, beside one other filter.
        const beside = operation === 'exports.create' ? [others[place % others.length]!] : others
        for (const filter of beside) await expectCount(place, outside, [filter, none])
      }
    }
  })
