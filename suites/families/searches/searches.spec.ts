import type { Client } from '../../../lib/client.ts'
import { exportBody } from '../../../lib/flows/export.ts'
import { drawSecret } from '../../../lib/flows/session.ts'
import type { RuleId } from '../../../contract/rules.ts'
import { documentsIn, fetchFiles } from '../../support/steps/export-parts.ts'
import type { Filters } from '../../support/steps/filters.ts'
import { issuedAround } from '../../support/steps/filters.ts'
import { isoDay } from '../../../lib/local-time.ts'
import { meaningOfRow } from '../../support/answers/meaning.ts'
import { familyRule } from '../../support/checks/rule.ts'
import type { Found, SearchOperation } from '../../support/steps/searches.ts'
import { findAll, numbersOf, page, pageIn, search } from '../../support/steps/searches.ts'
import type { StockFilter, Stocked } from '../../support/scenes/stock.ts'
import { fields } from '../../support/steps/steps.ts'
import {
  describedAs,
  filtersFor,
  filtersForNone,
  keptBy,
  severalFor,
  statusOfStocked,
  stock,
  withFilters,
} from '../../support/scenes/stock.ts'
import { withoutRates } from '../../support/service/target.ts'
import { expect, test as base } from '../../support/harness/test.ts'

/**
 * Searches among invoices that differ in one property each, by the third party of all of them: what is reported about
 * each, and what every filter finds, alone and together with every other.
 */

interface Searched {
  readonly api: Client
  readonly filters: Filters
  readonly all: readonly Stocked[]
  readonly parties: { readonly third: string }
}

type Stock = () => Promise<Searched>

const searches: readonly (readonly [SearchOperation, RuleId, RuleId])[] = [
  ['queries.metadata', 'queries.metadata.filters', 'queries.metadata.described'],
  ['queries.general', 'queries.general.date-range', 'queries.general.date-range'],
]

const test = base.extend<{ stocked: Stock }>({
  stocked: async ({ login, another, target, rng }, use) => {
    await use(async () => {
      await withoutRates(target)
      const me = await login()
      const third = me.context.nip
      const all = await stock({
        issueDate: isoDay(target.now()),
        seller: await login({ context: await another() }),
        otherSeller: await login({ context: await another() }),
        third,
        prefix: `S-${rng.digits(9)}`,
      })
      const filters = issuedAround(target.now(), 'subject3')
      const numbers = all.map(({ svcNumber }) => svcNumber)
      await findAll(me.api, filters, numbers)
      return { api: me.api, filters, all, parties: { third } }
    })
  },
})

const found = async (
  { api, filters }: Searched,
  operation: SearchOperation,
  given: readonly StockFilter[],
): Promise<string[]> => {
  const answer = await search(api, withFilters(filters, given), {}, operation)
  expect(answer, `a search by ${shown(given)}`).toBeOk()
  return numbersOf([pageIn(answer)]).toSorted()
}

/** Filters as a message shows them. */
const shown = (given: readonly StockFilter[]): string =>
  JSON.stringify(Object.assign({}, ...given.map((one) => one.given)))

const byNumber = (rows: readonly Found[]): ReadonlyMap<string, Found> =>
  new Map(rows.map((row) => [row.svcNumber, row]))

for (const [operation, filtersRule, describedRule] of searches) {
  test(...familyRule(describedRule, 'stocked search', 'described'), async ({ stocked }) => {
    const searched = await stocked()
    const rows = byNumber((await page(searched.api, searched.filters, {}, operation)).invoices)
    for (const one of searched.all) {
      const row = rows.get(one.svcNumber)
      const stated = (what: unknown) => meaningOfRow(operation, 'invoices', what ?? {})
      expect(stated(row), `what a search says of ${one.svcNumber}`).toMatchObject(
        stated(describedAs(one, searched.parties)),
      )
      const status = await statusOfStocked(one)
      const moments = ['invoicingDate', 'acquisitionDate', 'permanentStorageDate'] as const
      for (const name of moments)
        expect(
          Date.parse(String(row?.[name])),
          `${name} of ${one.svcNumber}, as in its status`,
        ).toBe(Date.parse(String(status[name])))
    }
  })

  test(...familyRule(filtersRule, 'stocked search', 'each filter'), async ({ stocked }) => {
    const searched = await stocked()
    const { all } = searched
    for (const one of [all[0], all[1], all[3], all[9], all[10]])
      for (const filter of one === undefined ? [] : [...filtersFor(one), ...severalFor(one)])
        expect(await found(searched, operation, [filter]), `found by ${shown([filter])}`).toEqual(
          keptBy(all, [filter]),
        )
  })

  test(
    ...familyRule(filtersRule, 'stocked search', 'each filter as the seller'),
    async ({ stocked, target }) => {
      const { all, parties } = await stocked()
      const [first] = all
      if (first === undefined) return
      const filters = issuedAround(target.now(), 'subject1')
      const searched = { api: first.sender.api, filters, all, parties }
      const sold = all.filter(({ seller }) => seller.nip === first.seller.nip)
      for (const filter of [...filtersFor(first), ...severalFor(first), ...filtersForNone])
        expect(await found(searched, operation, [filter]), `sold, by ${shown([filter])}`).toEqual(
          keptBy(sold, [filter]),
        )
    },
  )

  test(...familyRule(filtersRule, 'stocked search', 'two filters'), async ({ stocked }) => {
    const searched = await stocked()
    const { all } = searched
    const [first] = all
    if (first === undefined) return
    const own = filtersFor(first)
    for (const [place, one] of own.entries())
      for (const other of own.slice(place + 1)) {
        if (other.name === one.name) continue
        const given = [one, other]
        expect(await found(searched, operation, given), `found by ${shown(given)}`).toEqual(
          keptBy(all, given),
        )
      }
    const [number, , , otherNumber] = [...own, ...filtersFor(all[1] ?? first)].filter(isNumber)
    if (number !== undefined && otherNumber !== undefined)
      expect(
        await found(searched, operation, [number, otherNumber]),
        'found by the numbers of two invoices',
      ).toEqual([])
    for (const none of filtersForNone)
      for (const other of own) {
        if (other.name === none.name) continue
        const given = [none, other]
        expect(await found(searched, operation, given), `found by ${shown(given)}`).toEqual([])
      }
    // The number names an invoice, and the other filter excludes it.
    for (const named of all.slice(1))
      for (const one of filtersFor(named).slice(0, 2))
        for (const other of own.slice(2)) {
          if (other.keeps(named)) continue
          const given = [one, other]
          expect(await found(searched, operation, given), `found by ${shown(given)}`).toEqual([])
        }
  })

  test(
    ...familyRule(filtersRule, 'stocked search', 'each filter in an earlier range'),
    async ({ stocked }) => {
      const searched = await stocked()
      const earlier = { ...searched, filters: endingBefore(searched.filters) }
      for (const one of searched.all.slice(0, 1))
        for (const filter of filtersFor(one))
          expect(
            await found(earlier, operation, [filter]),
            `found by ${shown([filter])} in an earlier range`,
          ).toEqual([])
    },
  )

  test(...familyRule(filtersRule, 'stocked search', 'all filters'), async ({ stocked }) => {
    const searched = await stocked()
    const { all } = searched
    const earlier = endingBefore(searched.filters)
    for (const given of together(all).slice(0, 1))
      expect(
        await found({ ...searched, filters: earlier }, operation, given),
        `found by ${shown(given)} in an earlier range`,
      ).toEqual([])
    for (const given of together(all))
      expect(await found(searched, operation, given), `found by ${shown(given)}`).toEqual(
        keptBy(all, given),
      )
  })
}

/** The range of a filter, ended before all of its invoices. */
const endingBefore = (filters: Filters): Filters => {
  const { dateRange } = filters
  const to = new Date(Date.parse(dateRange.from) + 24 * 3_600_000).toISOString()
  return { ...filters, dateRange: { ...dateRange, to } }
}

/** All filters at once, but for the numbers, with each kind of amount. */
const together = (all: readonly Stocked[]): readonly (readonly StockFilter[])[] => {
  const [first] = all
  if (first === undefined) return []
  const own = filtersFor(first)
  const rest = own.filter(({ name }) => !['svcNumber', 'invoiceNumber', 'amount'].includes(name))
  return own.filter(({ name }) => name === 'amount').map((amount) => [...rest, amount])
}

const isNumber = ({ name }: StockFilter): boolean =>
  name === 'svcNumber' || name === 'invoiceNumber'

/** Filters for a small number of exports, combined so that the result shows whether one of them is ignored. */
const inCompany = (all: readonly Stocked[]): readonly (readonly StockFilter[])[] => {
  const [first, ...others] = all
  if (first === undefined) return []
  const [own, several] = [filtersFor(first), severalFor(first)]
  const [numbers, rest] = [own.filter(isNumber), own.filter((one) => !isNumber(one))]
  const [everything = []] = together(all)
  const attached = filtersForNone.filter(({ name }) => name === 'hasAttachment')
  const excluding = new Map(
    others
      .flatMap(filtersFor)
      .filter((one) => !isNumber(one) && !one.keeps(first))
      .map((one) => [one.name, one]),
  )
  return [
    [several[0], several[2]],
    [several[1], several[3]],
    [...attached, ...everything.filter(({ name }) => name !== 'hasAttachment')],
    // The number of an invoice, and every filter value that it shares with the first invoice.
    ...others.slice(0, 2).flatMap((named) =>
      filtersFor(named)
        .filter(isNumber)
        .map((number) => [number, ...rest.filter(({ keeps }) => keeps(named))]),
    ),
    // The numbers of an invoice, and a filter that excludes it.
    ...[...excluding.values(), ...attached].map((one) => [...numbers, one]),
    ...others.slice(0, 1).map((named) => [numbers[0], filtersFor(named).filter(isNumber)[1]]),
  ].map((given) => given.filter((one) => one !== undefined))
}

test(
  ...familyRule('exports.package.content', 'stocked search', 'filters of an export'),
  async ({ stocked }) => {
    const searched = await stocked()
    const { api, all, filters } = searched
    const [first] = all
    if (first === undefined) return
    const own = filtersFor(first)
    /** The files of an export, which must be accepted. */
    const exported = async (wish: Filters, what: string) => {
      const secret = drawSecret()
      const created = await api.call('exports.create', {
        body: await exportBody(api, { filters: wish }, secret),
      })
      expect(created, what).toBeOk()
      const started = { referenceNumber: String(fields(created)['referenceNumber']), ...secret }
      return await fetchFiles(api, started)
    }
    const wish = withFilters(endingBefore(filters), together(all)[0] ?? [])
    const none = await exported(wish, 'an export of an earlier range')
    expect(documentsIn(none), 'exported from an earlier range').toEqual([])
    const wanted = [
      ...together(all),
      ...inCompany(all),
      ...own.slice(0, 2).map((one) => [one]),
      ...filtersForNone.map((one) => [one]),
    ]
    for (const given of wanted) {
      const files = await exported(withFilters(filters, given), `an export by ${shown(given)}`)
      expect(documentsIn(files).toSorted(), `exported by ${shown(given)}`).toEqual(
        keptBy(all, given),
      )
      for (const one of all) {
        const bytes = files[`${one.svcNumber}.xml`]
        if (bytes !== undefined)
          expect(Buffer.from(bytes).equals(one.bytes), `${one.svcNumber} byte for byte`).toBe(true)
      }
    }
  },
)
