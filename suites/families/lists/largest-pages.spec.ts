import { pageSizesOf } from '../../../contract/endpoints.ts'
import type { Client } from '../../../lib/client.ts'
import { drawNip } from '../../../lib/identifiers/nip.ts'
import { drawPesel } from '../../../lib/identifiers/pesel.ts'
import { expectOk } from '../../../lib/outcome.ts'
import type { Rng } from '../../../lib/random.ts'
import type { Me } from '../../support/target/contexts.ts'
import {
  authorizationGrant,
  byNip,
  euAdministrationGrant,
  grantBy,
  unitGrant,
} from '../../support/callers/grants.ts'
import { pagesByNumber } from '../../support/answers/paged-lists.ts'
import { grantLists } from '../../support/callers/permission-lists.ts'
import type { GrantListName } from '../../support/callers/permission-lists.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { withoutRates } from '../../support/target/target.ts'
import { expect, test } from '../../support/fixtures/test.ts'
import { drawUnit } from '../../support/run/units.ts'

/** A list of permissions with more rows than its largest page holds. Rows of entities would take a login each. */

interface Scene {
  readonly api: Client
  readonly me: Me
  readonly rng: Rng
}

interface Filled {
  /** How many rows one call makes. */
  readonly each: number
  readonly body?: Readonly<Record<string, unknown>>
  readonly fill: (scene: Scene, calls: number) => Promise<unknown>
}

const description = 'a group of a check'

/** Calls at the same moment: each starts its own operation and waits for it. */
const together = (calls: number, make: () => Promise<unknown>): Promise<unknown> =>
  Promise.all(Array.from({ length: calls }, make))

const lists: Partial<Readonly<Record<GrantListName, Filled>>> = {
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

for (const [name, { each, body, fill }] of Object.entries(lists) as [GrantListName, Filled][])
  test(
    ...familyRule('permissions.query.paged', 'largest page', name),
    async ({ api, login, rng, target }) => {
      await withoutRates(target)
      const [operation, field] = grantLists[name]
      const pageSize = pageSizesOf(operation)?.maximum ?? 0
      const calls = Math.floor(pageSize / each) + 1
      const me = await login()
      await fill({ api, me, rng }, calls)
      const pages = await pagesByNumber(me.api, operation, field, { body, pageSize })
      expect(
        pages.map(({ length }) => length),
        `rows on each page of ${pageSize}`,
      ).toEqual([pageSize, calls * each - pageSize])
      const rows = pages.flat().map((row) => JSON.stringify(row))
      expect(new Set(rows).size, 'rows that differ').toBe(calls * each)
    },
  )
