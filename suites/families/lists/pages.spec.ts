import type { RuleId } from '../../../contract/rules.ts'
import { openOnline, submit } from '../../../lib/flows/session.ts'
import type { OnlineSession } from '../../../lib/flows/session.ts'
import { expectOk, expectText } from '../../../lib/outcome.ts'
import { obtainCertificate } from '../../support/callers/enrolment.ts'
import { instantKind, issuedAround } from '../../support/steps/filters.ts'
import { formCodes } from '../../support/checks/forms.ts'
import {
  expectPages,
  expectPagesOfInvoices,
  judgedPages,
  many,
} from '../../support/steps/page-sizes.ts'
import { listInvoices, packed, sendBatch } from '../../support/steps/packages.ts'
import type { Row } from '../../support/answers/paged-lists.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { searchable } from '../../support/steps/searches.ts'
import { fields } from '../../support/steps/steps.ts'
import { withoutRates } from '../../support/service/target.ts'
import { expect, test } from '../../support/harness/test.ts'

/**
 * Every list in pages, with more rows than two pages of the smallest size: as three pages, as one full page, and as
 * two pages of which the last has a single row.
 */

const byReference = ({ referenceNumber }: Row): string => String(referenceNumber)
const named = (id: RuleId, list: string) => familyRule(id, 'paged list', list)

test(...named('sessions.list.complete', 'sessions'), async ({ login, target }) => {
  await withoutRates(target)
  const { api } = await login()
  const expected: string[] = []
  while (expected.length < many)
    expected.push((await openOnline(api, { formCode: formCodes.fa3 })).referenceNumber)
  await expectPages({
    api,
    operation: 'sessions.list',
    field: 'sessions',
    query: { sessionType: 'Online' },
    identity: byReference,
    rows: many,
    expected,
    lasting: true,
  })
})

test(
  ...named('sessions.list.complete', 'sessions that change'),
  async ({ login, invoice, target }) => {
    await withoutRates(target)
    const { api } = await login()
    const sessions: OnlineSession[] = []
    while (sessions.length < many) sessions.push(await openOnline(api, { formCode: formCodes.fa3 }))
    const query = { sessionType: 'Online', pageSize: 10 }
    const first = await api.call('sessions.list', { query })
    const seen = [first]
    // The sessions at both ends of the list: one that was shown already, and one that is still to come.
    for (const session of [sessions.at(0), sessions.at(-1)])
      if (session !== undefined) await submit(api, session, invoice().bytes)
    for (let page = first; typeof fields(page)['continuationToken'] === 'string';) {
      const headers = { 'x-continuation-token': String(fields(page)['continuationToken']) }
      page = await api.call('sessions.list', { query, headers })
      expect(page, 'a further page').toBeOk()
      seen.push(page)
      if (seen.length > 5) break
    }
    const found = seen.flatMap((page) => (fields(page)['sessions'] ?? []) as readonly Row[])
    expect(found.map(byReference).toSorted(), 'every session once').toEqual(
      sessions.map(({ referenceNumber }) => referenceNumber).toSorted(),
    )
  },
)

for (const [id, operation] of [
  ['sessions.invoices.complete', 'sessions.invoices'],
  ['sessions.batch.failed-list', 'sessions.failed'],
] as const)
  test(...named(id, 'documents of a session'), async ({ login, target }) => {
    await withoutRates(target)
    const { api } = await login()
    const documents = Array.from({ length: many }, (_, place) => ({
      bytes: new TextEncoder().encode(`<a>${place}</a>`),
    }))
    const { referenceNumber } = await sendBatch(api, await packed(documents))
    const path = { referenceNumber }
    const identity = byReference
    await expectPages({
      api,
      operation,
      field: 'invoices',
      path,
      identity,
      rows: many,
      lasting: true,
    })
    const all = await listInvoices(api, referenceNumber, operation)
    expect(
      all.map(({ ordinalNumber }) => Number(ordinalNumber)).toSorted((a, b) => a - b),
      'ordinal numbers',
    ).toEqual(documents.map((_, place) => place + 1))
  })

test(...named('tokens.list.narrowed', 'service tokens'), async ({ login, target }) => {
  await withoutRates(target)
  const { api } = await login()
  const expected: string[] = []
  const description = 'one page after another'
  while (expected.length < many) {
    const body = { permissions: ['InvoiceRead'], description }
    const made = expectOk(await api.call('tokens.create', { body }), 'create a service token')
    expected.push(byReference(made.body as Row))
  }
  await expectPages({
    api,
    operation: 'tokens.list',
    field: 'tokens',
    query: { description },
    identity: byReference,
    rows: many,
    expected,
  })
})

test(...named('auth.sessions.listed', 'logins'), async ({ login, target }) => {
  await withoutRates(target)
  const { api, referenceNumber } = await login()
  const expected = [referenceNumber]
  while (expected.length < many) expected.push((await login()).referenceNumber)
  await expectPages({
    api,
    operation: 'auth.sessions',
    field: 'items',
    identity: byReference,
    rows: many,
    expected,
  })
})

test(...named('certificates.listed', 'certificates'), async ({ login, target }) => {
  await withoutRates(target)
  const { api } = await login()
  const expected: string[] = []
  while (expected.length < many)
    expected.push((await obtainCertificate(api, { name: 'page by page' })).serialNumber)
  await expectPages({
    api,
    operation: 'certificates.query',
    field: 'certificates',
    body: {},
    identity: ({ certificateSerialNumber }) => String(certificateSerialNumber),
    rows: many,
    expected,
    narrowed: {
      body: { status: 'Active', certificateSerialNumber: expected[0] },
      rows: 1,
    },
  })
  const none = await api.call('certificates.query', { body: { name: 'none of these' } })
  expect(none, 'a search that finds nothing').toBeOk()
  expect(fields(none)['hasMore'] ?? false, 'whether it has another page').toBe(false)
})

for (const [id, operation] of [
  ['queries.metadata.paging', 'queries.metadata'],
  ['queries.general.date-range', 'queries.general'],
] as const)
  test(...named(id, 'invoices'), async ({ login, invoice, target }) => {
    await withoutRates(target)
    const { api } = await login()
    const documents = Array.from({ length: many }, () => invoice())
    const { referenceNumber } = await sendBatch(api, await packed(documents))
    const rows = await listInvoices(api, referenceNumber)
    const expected = rows.flatMap(({ svcNumber }) => svcNumber ?? [])
    const body = issuedAround(target.now())
    await searchable(api, body, expected)
    // The invoices of a package have come at the same instant.
    const dates = ['issue', 'invoicing', instantKind(api.dialect), 'permanentStorage'] as const
    for (const dateType of new Set(dates)) {
      const by = issuedAround(target.now(), 'subject1', dateType)
      await expectPagesOfInvoices(api, operation, by, expected, many)
    }
    const empty = { ...body, invoiceNumber: 'none of these' }
    const none = await judgedPages({ api, operation, field: 'invoices', body: empty }, 10, 1)
    expect(none, 'pages of a search that finds nothing').toEqual([[]])
  })

test(
  ...named('invoices.collective.listed', 'collective identifiers'),
  async ({ login, invoice, target }) => {
    await withoutRates(target)
    const { api } = await login()
    const { referenceNumber } = await sendBatch(
      api,
      await packed(Array.from({ length: many }, () => invoice())),
    )
    const invoices = (await listInvoices(api, referenceNumber)).map(({ svcNumber }) => ({
      svcNumber: String(svcNumber),
    }))
    const [first] = invoices
    const path = { svcNumber: String(first?.svcNumber) }
    const create = async (of: readonly object[]) => {
      const made = await api.call('invoices.createCollective', { body: { invoices: of } })
      return expectText(made, 'create a collective identifier', 'collectiveIdentifierNumber')
    }
    const numbers = [await create(invoices)]
    while (numbers.length < many) numbers.push(await create(invoices.slice(0, 1)))
    const at = (ms: number) => new Date(target.now() + ms).toISOString()
    const day = 24 * 3600 * 1000
    const identifiers = {
      api,
      field: 'collectiveIdentifiers',
      identity: (row: Row) => String(row['collectiveIdentifierNumber']),
      rows: many,
      expected: numbers,
      lasting: true,
    } as const
    const body = { dateCreatedFrom: at(-day), dateCreatedTo: at(day) }
    await expectPages({ ...identifiers, operation: 'invoices.queryCollectives', body })
    await expectPages({ ...identifiers, operation: 'invoices.collectivesOf', path })
    await expectPages({
      api,
      operation: 'invoices.ofCollective',
      path: { collectiveIdentifierNumber: numbers[0]! },
      field: 'invoices',
      identity: ({ svcNumber }) => String(svcNumber),
      rows: many,
      expected: invoices.map(({ svcNumber }) => svcNumber),
      lasting: true,
    })
    for (const [operation, given] of [
      ['invoices.queryCollectives', { body }],
      ['invoices.collectivesOf', { path }],
      ['invoices.ofCollective', { path: { collectiveIdentifierNumber: numbers[0]! } }],
    ] as const) {
      const headers = { 'x-continuation-token': 'none that was given out' }
      const answer = await api.call(operation, { ...given, query: { pageSize: 10 }, headers })
      expect(answer, `${operation} with an invented token`).toBeRefused(
        'continuation-token-malformed',
      )
    }
  },
)
