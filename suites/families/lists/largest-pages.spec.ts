import { pageSizesOf } from '../../../contract/endpoints.ts'
import type { OperationId } from '../../../contract/endpoints.ts'
import type { RuleId } from '../../../contract/rules.ts'
import type { Client } from '../../../lib/client.ts'
import { openOnline } from '../../../lib/flows/session.ts'
import { drawNip } from '../../../lib/identifiers/nip.ts'
import { drawPesel } from '../../../lib/identifiers/pesel.ts'
import { expectOk } from '../../../lib/outcome.ts'
import type { Rng } from '../../../lib/random.ts'
import type { Me } from '../../support/service/contexts.ts'
import {
  authorizationGrant,
  byNip,
  euAdministrationGrant,
  grantBy,
  grantPerson,
  granted,
  unitGrant,
} from '../../support/callers/grants.ts'
import { obtainCertificate } from '../../support/callers/enrolment.ts'
import { mintToken } from '../../support/callers/service-token.ts'
import { formCodes } from '../../support/checks/forms.ts'
import { spoilt } from '../../support/documents/malformed.ts'
import type { Fixtures } from '../../support/harness/fixtures.ts'
import { acceptMany } from '../../support/scenes/arrivals.ts'
import { issuedAround } from '../../support/steps/filters.ts'
import { packed, sendBatch } from '../../support/steps/packages.ts'
import { judgedPages } from '../../support/steps/page-sizes.ts'
import type { Listed } from '../../support/steps/page-sizes.ts'
import { searchable } from '../../support/steps/searches.ts'
import { grantLists } from '../../support/callers/permission-lists.ts'
import type { GrantListName } from '../../support/callers/permission-lists.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { withoutRates } from '../../support/service/target.ts'
import { expect, test } from '../../support/harness/test.ts'
import { drawUnit } from '../../support/run/units.ts'

/** Lists with more rows than their largest page holds. Rows of permissions of entities would take a login each. */

interface Scene {
  readonly api: Client
  readonly me: Me
  readonly rng: Rng
}

interface FilledByGrants {
  /** How many rows one call makes. */
  readonly each: number
  readonly body?: Readonly<Record<string, unknown>>
  readonly fill: (scene: Scene, calls: number) => Promise<unknown>
}

const description = 'a group of a check'

const largestPage = (operation: OperationId): number => pageSizesOf(operation)?.maximum ?? 0

/** Calls at the same moment: each starts its own operation and waits for it. */
const together = (calls: number, make: () => Promise<unknown>): Promise<unknown> =>
  Promise.all(Array.from({ length: calls }, make))

const ofPermissions: Partial<Readonly<Record<GrantListName, FilledByGrants>>> = {
  persons: {
    each: 1,
    body: granted,
    fill: ({ me: { api }, rng }, calls) =>
      together(calls, () =>
        grantPerson(api, { type: 'Pesel', value: drawPesel(rng) }, ['InvoiceRead']),
      ),
  },
  subunits: {
    each: 1,
    body: {},
    fill: ({ me: { api, context }, rng }, calls) =>
      together(calls, () => {
        const unit = drawUnit(rng, context.nip)
        const subject = { type: 'Pesel', value: drawPesel(rng) }
        return grantBy(api, 'permissions.grantSubunit', unitGrant(subject, unit, 'a branch'))
      }),
  },
  authorizations: {
    each: 1,
    body: { queryType: 'Granted' },
    fill: ({ me: { api }, rng }, calls) =>
      together(calls, () => {
        const grant = authorizationGrant(byNip(drawNip(rng)), 'SelfInvoicing')
        return grantBy(api, 'permissions.grantAuthorization', grant)
      }),
  },
  eu: {
    each: 4,
    body: {},
    fill: ({ me: { api, context }, rng }, calls) =>
      together(calls, () => {
        const entity = `${context.nip}-DE${rng.digits(9)}`
        const grant = euAdministrationGrant(`A${rng.digits(63)}`, entity)
        return grantBy(api, 'permissions.grantEuAdministration', grant)
      }),
  },
  subordinateRoles: {
    each: 1,
    body: {},
    async fill({ api, me, rng }, calls) {
      const subunits = Array.from({ length: calls }, () => ({
        subjectNip: drawNip(rng),
        description,
      }))
      const body = { subjectNip: me.context.nip, subjectType: 'VatGroup', description, subunits }
      expectOk(await api.call('testdata.createSubject', { body }), 'create a VAT group')
    },
  },
  roles: {
    each: 1,
    fill: ({ api, me, rng }, calls) =>
      together(calls, async () => {
        const subunits = [{ subjectNip: me.context.nip, description }]
        const body = { subjectNip: drawNip(rng), subjectType: 'VatGroup', description, subunits }
        expectOk(await api.call('testdata.createSubject', { body }), 'create a VAT group')
      }),
  },
}

/** Expects a list of this many rows to fill its largest page, and to have the others on the next one. */
const expectFull = async (
  listed: Pick<Listed, 'api' | 'operation' | 'field' | 'body' | 'query' | 'path'>,
  pageSize: number,
  rows: number,
): Promise<void> => {
  const pages = await judgedPages(listed, pageSize, 2)
  expect(
    pages.map(({ length }) => length),
    `rows on each page of ${pageSize}`,
  ).toEqual([pageSize, rows - pageSize])
  const found = pages.flat().map((row) => JSON.stringify(row))
  expect(new Set(found).size, 'rows that differ').toBe(rows)
}

for (const [name, { each, body, fill }] of Object.entries(ofPermissions) as [
  GrantListName,
  FilledByGrants,
][])
  test(
    ...familyRule('permissions.query.paged', 'largest page', name),
    async ({ api, login, rng, target }) => {
      await withoutRates(target)
      const [operation, field] = grantLists[name]
      const pageSize = largestPage(operation)
      const calls = Math.floor(pageSize / each) + 1
      const me = await login()
      await fill({ api, me, rng }, calls)
      await expectFull({ api: me.api, operation, field, body }, pageSize, calls * each)
    },
  )

/** A list of what its reader made, with as many rows as the reader makes. */
interface Own {
  readonly rule: RuleId
  readonly operation: OperationId
  readonly field: string
  /** Makes rows beside the login that reads; returns what the list is asked for. */
  readonly fill: (
    scene: Pick<Fixtures, 'invoice' | 'login' | 'target'> & { readonly me: Me },
    rows: number,
  ) => Promise<Pick<Listed, 'body' | 'query' | 'path'>>
  /** Rows that are there already. */
  readonly before?: number
}

const fillWithInvoices: Own['fill'] = async ({ me, invoice, target }, rows) => {
  const body = issuedAround(target.now())
  await searchable(me.api, body, await acceptMany(me, rows, invoice))
  return { body }
}

/** A package with one valid invoice, and so many documents that are none. */
const fillWithRejected: Own['fill'] = async ({ me, invoice }, rows) => {
  const documents = Array.from({ length: rows }, () => ({ bytes: spoilt }))
  const { referenceNumber } = await sendBatch(me.api, await packed([invoice(), ...documents]))
  return { path: { referenceNumber } }
}

const ofOwn: Readonly<Record<string, Own>> = {
  search: {
    rule: 'queries.metadata.paging',
    operation: 'queries.metadata',
    field: 'invoices',
    fill: fillWithInvoices,
  },
  'general search': {
    rule: 'queries.general.date-range',
    operation: 'queries.general',
    field: 'invoices',
    fill: fillWithInvoices,
  },
  sessions: {
    rule: 'sessions.list.complete',
    operation: 'sessions.list',
    field: 'sessions',
    async fill({ me }, rows) {
      await together(rows, () => openOnline(me.api, { formCode: formCodes.fa3 }))
      return { query: { sessionType: 'Online' } }
    },
  },
  'invoices of a session': {
    rule: 'sessions.invoices.complete',
    operation: 'sessions.invoices',
    field: 'invoices',
    before: 1,
    fill: fillWithRejected,
  },
  'failed invoices': {
    rule: 'sessions.batch.failed-list',
    operation: 'sessions.failed',
    field: 'invoices',
    fill: fillWithRejected,
  },
  'service tokens': {
    rule: 'tokens.list.narrowed',
    operation: 'tokens.list',
    field: 'tokens',
    async fill({ me }, rows) {
      await together(rows, () => mintToken(me))
      return {}
    },
  },
  logins: {
    rule: 'auth.sessions.listed',
    operation: 'auth.sessions',
    field: 'items',
    before: 1,
    async fill({ login }, rows) {
      await together(rows, () => login())
      return {}
    },
  },
  certificates: {
    rule: 'certificates.listed',
    operation: 'certificates.query',
    field: 'certificates',
    async fill({ me }, rows) {
      await together(rows, () => obtainCertificate(me.api))
      return { body: {} }
    },
  },
}

for (const [name, { rule, operation, field, fill, before = 0 }] of Object.entries(ofOwn))
  test(
    ...familyRule(rule, 'largest page of the caller', name),
    async ({ invoice, login, target }) => {
      await withoutRates(target)
      const pageSize = largestPage(operation)
      const me = await login()
      const asked = await fill({ me, invoice, login, target }, pageSize + 1 - before)
      await expectFull({ api: me.api, operation, field, ...asked }, pageSize, pageSize + 1)
    },
  )
