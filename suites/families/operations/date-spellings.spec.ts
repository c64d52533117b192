import { X509Certificate } from 'node:crypto'
import { zone } from '../../../contract/environments.ts'
import type { RuleId } from '../../../contract/rules.ts'
import type { Client } from '../../../lib/client.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import { exportBody, settleExport } from '../../../lib/flows/export.ts'
import { closeOnline, drawSecret, openOnline } from '../../../lib/flows/session.ts'
import {
  applyFor,
  listedAs,
  obtainCertificate,
  outcomeOfApplication,
} from '../../support/callers/enrolment.ts'
import { instantKind } from '../../support/steps/filters.ts'
import type { Filters } from '../../support/steps/filters.ts'
import type { Fixtures as All } from '../../support/harness/fixtures.ts'
import { formCodes } from '../../support/checks/forms.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { numbersOf, pageIn, search } from '../../support/steps/searches.ts'
import type { SearchOperation } from '../../support/steps/searches.ts'
import { accept, fields, recordOf } from '../../support/steps/steps.ts'
import { withoutRates } from '../../support/service/target.ts'
import { expect, test } from '../../support/harness/test.ts'

/** Every date in a request, as an instant may be written: with an offset, with fractions, and as local time. */

const minute = 60_000
const month = 30 * 24 * 60 * minute

const withOffset = (minutes: number, text: string) => (at: number) =>
  new Date(at + minutes * minute).toISOString().replace('Z', text)

const local = (at: number): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
    .format(at)
    .replace(' ', 'T')

/** Ways to write an instant; to the second, because not every date has more. */
const spellings: Readonly<Record<string, (at: number) => string>> = {
  'in UTC': (at) => new Date(at).toISOString(),
  'in UTC, to the second': (at) => new Date(at).toISOString().replace(/\.\d+/, ''),
  'with seven digits': (at) => new Date(at).toISOString().replace('Z', '0000Z'),
  'two hours ahead': withOffset(120, '+02:00'),
  'five hours and a half ahead': withOffset(330, '+05:30'),
  'eight hours behind': withOffset(-480, '-08:00'),
  'three hours and a half behind': withOffset(-210, '-03:30'),
  'zero as an offset': withOffset(0, '+00:00'),
  'local time': local,
  'local time with fractions': (at) => `${local(at)}.0000000`,
}

type Fixtures = Pick<All, 'login' | 'open' | 'invoice' | 'clock' | 'target'>

/** What a list returns for a bound. */
type Answer = 'found' | 'missing' | `refused with ${number}`

interface Bound {
  /** The instant of the entry that the check looks for. */
  readonly at: number
  readonly find: (text: string) => Promise<Answer>
  readonly end: 'from' | 'to'
}

const answerOf = (exchange: Exchange, isIn: (exchange: Exchange) => boolean): Answer =>
  exchange.status > 299 ? `refused with ${exchange.status}` : isIn(exchange) ? 'found' : 'missing'

/** Whether a list in an answer has entries. */
const has =
  (list: string) =>
  (exchange: Exchange): boolean =>
    ((fields(exchange)[list] ?? []) as readonly unknown[]).length > 0

interface Row {
  readonly rule: RuleId
  readonly bounds: (fixtures: Fixtures) => Promise<Readonly<Record<string, Bound>>>
}

const sessionBounds = async ({ login, clock }: Fixtures) => {
  const { api } = await login()
  const opened = clock.now()
  const session = await openOnline(api, { formCode: formCodes.fa3 })
  await clock.advance(40 * minute)
  await closeOnline((await login()).api, session)
  const closed = clock.now()
  await clock.advance(40 * minute)
  const later = await login()
  const { referenceNumber } = session
  const find = (name: string) => async (text: string) => {
    const query = { sessionType: 'Online', referenceNumber, [name]: text }
    return answerOf(await later.api.call('sessions.list', { query }), has('sessions'))
  }
  const pair = (name: string, at: number) =>
    (['from', 'to'] as const).map((end) => {
      const parameter = `${name}${end === 'from' ? 'From' : 'To'}`
      return [parameter, { at, end, find: find(parameter) }] as const
    })
  return Object.fromEntries([
    ...pair('dateCreated', opened),
    ...pair('dateClosed', closed),
    ...pair('dateModified', closed),
  ])
}

/** An invoice that was acquired at an instant, and a filter for it whose other bound is far from that. */
const invoiceBounds = async (
  { open, invoice, clock }: Fixtures,
  ask: (api: Client, filters: Filters, svcNumber: string) => Promise<Answer>,
) => {
  const desk = await open()
  const { api } = desk
  const { svcNumber, body } = await accept(desk, invoice().bytes)
  const at = Date.parse(String(body['acquisitionDate'] ?? body['invoicingDate']))
  await clock.advance(minute)
  const dateType = instantKind(api.dialect)
  const find = (end: 'from' | 'to') => async (text: string) => {
    const other = new Date(at + (end === 'from' ? month : -month)).toISOString()
    const range = end === 'from' ? { from: text, to: other } : { from: other, to: text }
    const filters = { subjectType: 'subject1' as const, dateRange: { dateType, ...range } }
    return ask(api, { ...filters, svcNumber }, svcNumber)
  }
  return {
    from: { at, end: 'from' as const, find: find('from') },
    to: { at, end: 'to' as const, find: find('to') },
  }
}

const searchBounds = (operation: SearchOperation, fixtures: Fixtures) =>
  invoiceBounds(fixtures, async (api, filters, svcNumber) =>
    answerOf(await search(api, filters, {}, operation), (page) =>
      numbersOf([pageIn(page)]).includes(svcNumber),
    ),
  )

const exportBounds = (fixtures: Fixtures) =>
  invoiceBounds(fixtures, async (api, filters) => {
    const request = await exportBody(api, { filters, onlyMetadata: true }, drawSecret())
    const created = await api.call('exports.create', { body: request })
    if (created.status > 299) return `refused with ${created.status}` as const
    const referenceNumber = String(fields(created)['referenceNumber'])
    const settled = await settleExport(api, { referenceNumber })
    const { invoiceCount } = (settled.body['package'] ?? {}) as { readonly invoiceCount?: number }
    return invoiceCount === 1 ? 'found' : 'missing'
  })

const certificateBounds = async ({ login }: Fixtures) => {
  const { api } = await login()
  const { serialNumber, credentials } = await obtainCertificate(api)
  const at = Date.parse(new X509Certificate(credentials.certificate).validTo)
  const find = async (expiresAfter: string) => {
    const body = { certificateSerialNumber: serialNumber, expiresAfter }
    return answerOf(await api.call('certificates.query', { body }), has('certificates'))
  }
  return { expiresAfter: { at, end: 'from' as const, find } }
}

const lists: Readonly<Record<string, Row>> = {
  'sessions.list': { rule: 'sessions.list.complete', bounds: sessionBounds },
  'certificates.query': { rule: 'certificates.listed', bounds: certificateBounds },
  'exports.create': { rule: 'exports.package.content', bounds: exportBounds },
  ...Object.fromEntries(
    (['queries.metadata', 'queries.general'] as const).map((operation) => [
      operation,
      {
        rule:
          operation === 'queries.general'
            ? ('queries.general.date-range' as const)
            : ('queries.metadata.date-bounds' as const),
        bounds: (fixtures: Fixtures) => searchBounds(operation, fixtures),
      },
    ]),
  ),
}

for (const [operation, { rule, bounds }] of Object.entries(lists))
  test(
    ...familyRule(
      rule,
      operation.startsWith('certificates') ? 'spelled date of certificates' : 'spelled date',
      operation,
    ),
    async ({ login, open, invoice, clock, target }) => {
      await withoutRates(target)
      const wrong: string[] = []
      const found = await bounds({ login, open, invoice, clock, target })
      for (const [name, { at, end, find }] of Object.entries(found))
        for (const [spelling, write] of Object.entries(spellings))
          for (const minutes of [-10, 10]) {
            const text = write(at + minutes * minute)
            const wanted = (end === 'from' ? minutes < 0 : minutes > 0) ? 'found' : 'missing'
            const answer = await find(text)
            if (answer !== wanted)
              wrong.push(`${name} ${text} (${spelling}): ${answer} instead of ${wanted}`)
          }
      expect(wrong, 'what bounds find').toEqual([])
    },
  )

test(
  ...familyRule('exports.create.accepted', 'spelled date', 'exports.create'),
  async ({ login, clock, target }) => {
    await withoutRates(target)
    const { api } = await login()
    const now = Math.floor(clock.now() / 1_000) * 1_000
    for (const [spelling, write] of Object.entries(spellings))
      for (const dateType of ['issue', instantKind(api.dialect)] as const) {
        const dateRange = { dateType, from: write(now - month), to: write(now) }
        const filters = { subjectType: 'subject1', dateRange }
        const body = await exportBody(api, { filters }, drawSecret())
        const created = await api.call('exports.create', { body })
        expect(created, `a range of dates, ${spelling}`).toBeOk()
        const referenceNumber = String(fields(created)['referenceNumber'])
        expect(await settleExport(api, { referenceNumber }), spelling).toHaveSucceeded('export')
      }
  },
)

/** Dates that a request sets, and where they are shown. */
const dates: Readonly<
  Record<
    string,
    {
      readonly rule: RuleId
      readonly set: (api: Client, at: number, write: (at: number) => string) => Promise<number>
    }
  >
> = {
  'start of a certificate': {
    rule: 'certificates.two-years',
    async set(api, now, write) {
      const at = now + month
      const outcome = await outcomeOfApplication(api, await applyFor(api, { validFrom: write(at) }))
      expect(outcome, 'an application with a start').toHaveSucceeded('application')
      const serialNumber = String(recordOf(outcome)['certificateSerialNumber'])
      return Date.parse((await listedAs(api, serialNumber))?.validFrom ?? '') - at
    },
  },
  'end of a certificate': {
    rule: 'certificates.listed',
    async set(api, now, write) {
      const at = now + month
      const { serialNumber } = await obtainCertificate(api)
      const body = { validTo: write(at) }
      const path = { serialNumber }
      const answer = await api.call('testdata.updateCertificate', { path, body })
      expect(answer, 'an earlier end').toBeOk()
      return Date.parse((await listedAs(api, serialNumber))?.validTo ?? '') - at
    },
  },
}

for (const [what, { rule, set }] of Object.entries(dates))
  test(
    ...familyRule(
      rule,
      what.startsWith('end') ? 'spelled end of a certificate' : 'spelled date of certificates',
      what,
    ),
    async ({ login, clock, target }) => {
      await withoutRates(target)
      const { api } = await login()
      const now = Math.floor(clock.now() / 1_000) * 1_000
      for (const spelling of [
        'in UTC, to the second',
        'two hours ahead',
        'three hours and a half behind',
        'local time with fractions',
      ])
        expect(
          await set(api, now, spellings[spelling]!),
          `milliseconds off, written ${spelling}`,
        ).toBe(0)
    },
  )
