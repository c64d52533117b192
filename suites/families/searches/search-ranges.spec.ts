import type { RuleId } from '../../../contract/rules.ts'
import { limits } from '../../../contract/limits.ts'
import { closeBatch, openBatch, uploadParts } from '../../../lib/flows/batch.ts'
import { createExport, exportBody, settleExport } from '../../../lib/flows/export.ts'
import { drawSecret, openOnline, settleSession } from '../../../lib/flows/session.ts'
import { expectText } from '../../../lib/outcome.ts'
import { countsBy, documentsIn, fetchFiles } from '../../support/steps/export-parts.ts'
import type { DateType, Filters } from '../../support/steps/filters.ts'
import { instantKind, issuedAround } from '../../support/steps/filters.ts'
import type { CheckFixtures } from '../../support/harness/fixtures.ts'
import { formCodes } from '../../support/checks/forms.ts'
import { isoDay } from '../../../lib/local-time.ts'
import { offered } from '../../support/service/offered.ts'
import { listInvoices, only, packed } from '../../support/steps/packages.ts'
import { familyRule } from '../../support/checks/rule.ts'
import type { SearchOperation } from '../../support/steps/searches.ts'
import { findAll, numbersOf, page } from '../../support/steps/searches.ts'
import { accept } from '../../support/steps/steps.ts'
import { withoutRates } from '../../support/service/target.ts'
import { expect, test } from '../../support/harness/test.ts'

/** The range of a search against each kind of date: at its bounds, in Warsaw, and as wide as allowed. */

const day = 24 * 3_600_000
const rule: RuleId = 'queries.metadata.date-bounds'

const range = (dateType: DateType, from: string, to?: string): Filters => ({
  subjectType: 'subject1',
  dateRange: { dateType, from, ...(to === undefined ? {} : { to }) },
})

const iso = (instant: number): string => new Date(instant).toISOString()

// Half a year apart, one day is in summer time and the other is not.
for (const [what, days] of [
  ['days of issue in Warsaw', 10],
  ['days of issue in Warsaw, half a year before', 192],
] as const)
  test(...familyRule(rule, 'range of a search', what), async ({ open, invoice, target }) => {
    await withoutRates(target)
    const desk = await open()
    const at = target.now() - days * day
    const [before, own, after] = [at - day, at, at + day].map(isoDay)
    const { svcNumber } = await accept(desk, invoice({ issueDate: own! }).bytes)
    await findAll(desk.api, range('issue', iso(at - day), iso(at + day)), [svcNumber])
    // A timestamp without an offset is one of Warsaw, where a day begins an hour or two before it does in UTC.
    const rows: readonly (readonly [string, string, boolean])[] = [
      [`${own}T00:00:00`, `${own}T00:00:00`, true],
      [`${own}T00:30:00`, `${own}T00:45:00`, true],
      [`${own}T23:30:00`, `${own}T23:59:59`, true],
      [`${before}T00:00:00`, `${own}T00:30:00`, true],
      [`${own}T23:30:00`, `${after}T12:00:00`, true],
      [`${before}T00:00:00`, `${before}T23:59:59`, false],
      [`${after}T00:00:00`, `${after}T23:00:00`, false],
      [`${after}T00:30:00`, `${after}T00:45:00`, false],
    ]
    for (const [from, to, found] of rows) {
      const answer = await desk.api.call('queries.metadata', { body: range('issue', from, to) })
      expect(answer, `from ${from} to ${to}`).toBeOk()
      for (const sortOrder of ['Asc', 'Desc'] as const) {
        const result = numbersOf([await page(desk.api, range('issue', from, to), { sortOrder })])
        expect(result, `issued from ${from} to ${to}, ${sortOrder}`).toEqual(
          found ? [svcNumber] : [],
        )
      }
    }
  })

test(
  ...familyRule('exports.package.content', 'range of a search', 'each kind of date'),
  async ({ open, invoice, clock }) => {
    const desk = await open()
    const now = clock.now()
    const issueDate = isoDay(now - 3 * day)
    const { svcNumber } = await accept(desk, invoice({ issueDate }).bytes)
    await findAll(desk.api, range('issue', iso(now - 4 * day), iso(now)), [svcNumber])
    const later = iso(clock.now() + 60_000)
    const counts = async (dateType: DateType, from: string, to?: string) => {
      const started = await createExport(desk.api, { filters: range(dateType, from, to) })
      const { body } = await settleExport(desk.api, started)
      return (body['package'] as { readonly invoiceCount?: number } | undefined)?.invoiceCount
    }
    const kinds = [instantKind(desk.api.dialect), 'invoicing', 'permanentStorage', 'issue'] as const
    for (const dateType of kinds) {
      const issued = dateType === 'issue'
      const what = `exported by the date of ${dateType}`
      const past = [iso(now - 4 * day), iso(now - 2 * day)] as const
      expect(await counts(dateType, ...past), `${what}, days ago`).toBe(issued ? 1 : 0)
      const recent = [iso(now - 3_600_000), later] as const
      expect(await counts(dateType, ...recent), `${what}, today`).toBe(issued ? 0 : 1)
      expect(await counts(dateType, past[0]), `${what}, since days ago`).toBe(1)
      expect(await counts(dateType, past[1]), `${what}, without an end`).toBe(issued ? 0 : 1)
    }
  },
)

test(
  ...familyRule('exports.create.accepted', 'range of a search', 'an export beyond the data'),
  async ({ login, target }) => {
    const { api } = await login()
    const dateRange = {
      dateType: 'permanentStorage',
      from: iso(target.now() + day),
      restrictToPermanentStorageHwmDate: true,
    } as unknown as Filters['dateRange']
    const body = { filters: { subjectType: 'subject1' as const, dateRange } }
    const started = await api.call('exports.create', {
      body: await exportBody(api, body, drawSecret()),
    })
    if (started.status > 299) {
      expect(started).toBeRefused('query-outside-data')
      return
    }
    const referenceNumber = expectText(started, 'create an export', 'referenceNumber')
    const settled = await settleExport(api, { referenceNumber })
    expect(settled).not.toHaveSucceeded('export')
  },
)

for (const [id, operation, paging, added] of [
  ['queries.metadata.date-type', 'queries.metadata', {}, ''],
  ['queries.metadata.date-type', 'queries.metadata', { sortOrder: 'Desc' }, ', the newest first'],
  ['queries.general.date-range', 'queries.general', {}, ''],
  ['exports.package.content', 'exports.create', {}, ''],
] as const)
  test(
    ...familyRule(id, 'range of a search', `instants of a package${added}`),
    async ({ login, invoice, clock, target }) => {
      await withoutRates(target)
      const me = await login()
      const { api } = me
      const made = await packed([invoice({ issueDate: isoDay(clock.now() - 3 * day) })])
      const session = await openBatch(api, made, { formCode: formCodes.fa3 })
      await uploadParts(api, session, made.parts)
      await clock.advance(5 * 60_000)
      await closeBatch(api, session)
      await settleSession(api, session, 'batchSession')
      const row = only(await listInvoices(api, session.referenceNumber))
      await findAll(api, issuedAround(clock.now()), [String(row.svcNumber)])
      await clock.advance(5 * 60_000)
      const count = countsBy(operation, me, paging)
      const kinds = {
        invoicing: 'invoicingDate',
        permanentStorage: 'permanentStorageDate',
        ...(instantKind(api.dialect) === 'acquisition' && { acquisition: 'acquisitionDate' }),
      } as const
      for (const [dateType, field] of Object.entries(kinds) as [DateType, string][]) {
        const at = Date.parse(String(row[field]))
        for (const [from, to, found] of [
          [at, at, true],
          [at - 60_000, at, true],
          [at, at + 60_000, true],
          [at + 1, at + 60_000, false],
          [at - 60_000, at - 1, false],
        ] as const)
          expect(
            await count(range(dateType, iso(from), iso(to))),
            `by ${field} ${iso(at)}, in ${iso(from)} to ${iso(to)}`,
          ).toBe(found ? 1 : 0)
      }
    },
  )

test(
  ...familyRule(rule, 'range of a search', 'as wide as allowed in every month'),
  async ({ login, target }) => {
    await withoutRates(target)
    const { api } = await login()
    const months = target.dialect.limits['query.months'] ?? limits['query.months'].value
    const year = new Date(target.now()).getUTCFullYear()
    for (let month = 0; month < 12; month += 1) {
      const from = Date.UTC(year - 1, month, 1)
      const end = Date.UTC(year - 1, month + months, 1)
      const kind = instantKind(api.dialect)
      const widest = await api.call('queries.metadata', {
        body: range(kind, iso(from), iso(end)),
      })
      expect(widest, `${months} months from ${iso(from)}`).toBeOk()
      const wider = await api.call('queries.metadata', {
        body: range(kind, iso(from), iso(end + 25 * 3_600_000)),
      })
      expect(wider, `a day more, from ${iso(from)}`).toBeRefused('invalid-input')
    }
  },
)

test(
  ...familyRule(rule, 'range of a search', 'without an end, too wide'),
  async ({ login, target }) => {
    const { api } = await login()
    const months = target.dialect.limits['query.months'] ?? limits['query.months'].value
    const kind = instantKind(api.dialect)
    const since = (days: number) =>
      api.call('queries.metadata', { body: range(kind, iso(target.now() - days * day)) })
    expect(await since(months * 28), 'a range that is narrow enough').toBeOk()
    expect(await since(months * 32), 'a range that is too wide').toBeRefused('invalid-input')
  },
)

/** The last day of FA(2), and the first of FA(3). */
const lastOfFa2 = Date.parse('2026-01-31T10:00:00+01:00')
const firstOfFa3 = Date.parse('2026-02-01T10:00:00+01:00')

/** Has an invoice of each schema accepted, on the last day of FA(2) and the first day of FA(3); one is offline. */
const issueBothSchemas = async ({
  login,
  invoice,
  clock,
}: Pick<CheckFixtures, 'login' | 'invoice' | 'clock'>) => {
  const issued = async (schema: 'fa2' | 'fa3', offlineMode = false) => {
    const { api } = await login()
    const session = await openOnline(api, { formCode: formCodes[schema] })
    const { bytes } = invoice({ schema })
    return (await accept({ api, session }, bytes, { offlineMode })).svcNumber
  }
  await clock.set(lastOfFa2)
  const old = await issued('fa2')
  const offline = await issued('fa2', true)
  await clock.set(firstOfFa3)
  const fresh = await issued('fa3')
  const { api } = await login()
  const filters = issuedAround(clock.now())
  await findAll(api, filters, [old, offline, fresh])
  return { api, filters, old, offline, fresh }
}

test(
  ...familyRule('queries.metadata.described', 'range of a search', 'forms of FA(2) and FA(3)'),
  async ({ login, invoice, clock }) => {
    const { api, filters, old, offline, fresh } = await issueBothSchemas({ login, invoice, clock })
    const all = [
      { svcNumber: old, formCode: formCodes.fa2 },
      { svcNumber: offline, formCode: formCodes.fa2 },
      { svcNumber: fresh, formCode: formCodes.fa3 },
    ]
    for (const operation of offered('queries.metadata', 'queries.general') as SearchOperation[]) {
      const { invoices } = await page(api, filters, {}, operation)
      for (const { svcNumber, formCode } of all) {
        const row = invoices.find((one) => one.svcNumber === svcNumber)
        expect(row, `the row of ${operation}`).toMatchObject({ formCode })
      }
    }
  },
)

test(
  ...familyRule('exports.package.content', 'range of a search', 'forms of FA(2) and FA(3)'),
  async ({ login, invoice, clock }) => {
    const { api, filters, old, offline, fresh } = await issueBothSchemas({ login, invoice, clock })
    for (const more of [{}, { formType: 'FA' }, { svcNumber: old }]) {
      const started = await createExport(api, { filters: { ...filters, ...more } })
      const files = await fetchFiles(api, started)
      const wanted = 'svcNumber' in more ? [old] : [old, offline, fresh]
      expect(documentsIn(files).toSorted(), `exported by ${JSON.stringify(more)}`).toEqual(
        wanted.toSorted(),
      )
    }
  },
)

test(
  ...familyRule('receipts.session.verifies', 'range of a search', 'form of an FA(2) invoice'),
  async ({ login, invoice, clock }) => {
    await clock.set(lastOfFa2)
    const { api } = await login()
    const session = await openOnline(api, { formCode: formCodes.fa2 })
    const { svcNumber } = await accept({ api, session }, invoice({ schema: 'fa2' }).bytes)
    const path = { referenceNumber: session.referenceNumber, svcNumber }
    const receipt = await api.call('receipts.invoiceBySvcNumber', { path })
    expect(receipt.text, 'its form').toMatch(/KodFormularza[^>]*>FA \(2\)</)
  },
)
