import { endpoint } from '../../../contract/endpoints.ts'
import type { Client } from '../../../lib/client.ts'
import { euAdministrator, headOfUnit } from '../../support/callers/administrators.ts'
import { give, takeBack } from '../../support/callers/held.ts'
import { ways } from '../../support/callers/holdings.ts'
import type { Way, WayName } from '../../support/callers/holdings.ts'
import {
  authorizationGrant,
  byNip,
  grantBy,
  granted,
  outcomeOfOperation,
} from '../../support/callers/grants.ts'
import { grantLists, listOf } from '../../support/callers/permission-lists.ts'
import type { GrantListName } from '../../support/callers/permission-lists.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { expect, test } from '../../support/harness/test.ts'

/** Which list shows what was granted in each way, to the grantor, to the holder and to others. */

const views = {
  personal: ['personal', {}],
  'persons here': ['persons', { queryType: 'PermissionsInCurrentContext' }],
  'persons granted': ['persons', granted],
  subunits: ['subunits', {}],
  entities: ['entities', {}],
  'authorizations granted': ['authorizations', { queryType: 'Granted' }],
  'authorizations received': ['authorizations', { queryType: 'Received' }],
  eu: ['eu', {}],
} as const satisfies Readonly<
  Record<string, readonly [GrantListName, Readonly<Record<string, unknown>>]>
>
type View = keyof typeof views

/** The lists that show the permissions of both holders, or only those of the one who asks; the others show nothing. */
type Shown = Partial<Record<View, 'both' | 'own'>>

interface Visible {
  readonly grantor: Shown
  readonly holder: Shown
  /** To the holder in its own context. */
  readonly atHome?: Shown
  /** Lists for which the contract does not say whether they show the permissions. */
  readonly unspecified?: readonly View[]
}

const here: Visible = {
  grantor: { 'persons here': 'both', 'persons granted': 'both' },
  holder: { personal: 'own' },
}
const atClient: Visible = {
  grantor: { 'persons granted': 'both' },
  holder: { personal: 'own' },
  unspecified: ['persons here'],
}
const inUnit: Visible = {
  grantor: { 'persons granted': 'both', subunits: 'both' },
  holder: { personal: 'own', 'persons here': 'both' },
}

const visible: Readonly<Record<WayName, Visible>> = {
  'person with a NIP': here,
  'person with a PESEL': here,
  'person with a certificate': here,
  'person, by test data': here,
  entity: { ...here, atHome: { entities: 'own', personal: 'own' } },
  'person, for one client': atClient,
  'person, for every client': { ...atClient, unspecified: ['persons here', 'personal'] },
  'administrator of a unit': inUnit,
  'administrator of a VAT group member': inUnit,
  'administrator of a local government unit': inUnit,
  'administrator of an EU entity': {
    grantor: { eu: 'both' },
    holder: { personal: 'own', eu: 'both' },
  },
  'representative of an EU entity': { grantor: { eu: 'both' }, holder: { personal: 'own' } },
}

/** The lists that a caller with these permissions may query; the owner of a context has all permissions. */
const viewsFor = (held: readonly string[] | 'owner'): View[] =>
  (Object.keys(views) as View[]).filter((view) => {
    const { permissions = [] } = endpoint(grantLists[views[view][0]][0])
    return (
      held === 'owner' || permissions.length === 0 || permissions.some((one) => held.includes(one))
    )
  })

const [mine, theirs] = ['of the first holder', 'of the second holder']

const rowsIn = async (api: Client, view: View): Promise<string[]> => {
  const [list, query] = views[view]
  return (await listOf(api, list, query))
    .map(({ description, permissionScope }) => `${String(permissionScope)} ${String(description)}`)
    .filter((row) => row.endsWith(mine) || row.endsWith(theirs))
    .toSorted()
}

const family = 'list of what is held'

const minute = 60_000

for (const name of Object.keys(ways) as WayName[])
  test(
    ...familyRule('permissions.query.scope', family, name),
    async ({ api, login, another, rng, target }) => {
      const me = await login()
      const way = await ways[name]({ api, me, login, another, rng, target })
      const { permissions, grantor } = way
      const [holder, colleague] = [await way.someone(), await way.someone()]
      await give(holder, permissions, mine)
      await give(colleague, permissions, theirs)
      const { unspecified = [], ...seen } = visible[name]
      const expectSeen = async (
        who: string,
        by: Client,
        shown: Shown,
        held: readonly string[] | 'owner',
        left: readonly string[],
      ) => {
        for (const view of viewsFor(held)) {
          if (unspecified.includes(view)) continue
          const rows = [
            ...(shown[view] === undefined ? [] : left.map((one) => `${one} ${mine}`)),
            ...(shown[view] === 'both' ? permissions.map((one) => `${one} ${theirs}`) : []),
          ]
          expect(await rowsIn(by, view), `what ${who} finds: ${view}`).toEqual(rows.toSorted())
        }
      }
      const within = await login({ context: holder.context })
      const stranger = await login({ context: await another() })
      const grantorHolds = grantor === me ? 'owner' : ['VatUeManage']
      const home = holder.home && (await login({ context: holder.home }))
      const look = async (left: readonly string[]) => {
        await expectSeen('the grantor', grantor.api, seen.grantor, grantorHolds, left)
        if (home !== undefined)
          await expectSeen('the holder at home', home.api, seen.atHome ?? {}, 'owner', left)
        if (left.length > 0) await expectSeen('the holder', within.api, seen.holder, left, left)
      }
      await look(permissions)
      await expectSeen('another taxpayer', stranger.api, {}, 'owner', permissions)
      for (const administrator of [headOfUnit, euAdministrator]) {
        const beside = await administrator({ me, login, rng, target })
        const holds = administrator === headOfUnit ? ['CredentialsManage'] : ['VatUeManage']
        const isGrantor = grantor !== me && administrator === euAdministrator
        if (!isGrantor)
          await expectSeen(`in ${beside.context.value}`, beside.api, {}, holds, permissions)
      }
      const [last = '', ...rest] = permissions.toReversed()
      await takeBack(way, holder, last)
      await look(rest)
    },
  )

/** The rows of a holder in a list, of what was granted for a reason. */
const rowsOf = async (api: Client, [list, query]: Way['list'], reason: string) =>
  (await listOf(api, list, query)).filter(({ description }) => String(description).endsWith(reason))

for (const name of Object.keys(ways) as WayName[])
  test(
    ...familyRule('permissions.query.described', family, `${name}, granted again`),
    async ({ api, login, another, rng, target, clock }) => {
      const me = await login()
      const way = await ways[name]({ api, me, login, another, rng, target })
      const holder = await way.someone()
      await give(holder, way.permissions, mine)
      const first = await rowsOf(way.grantor.api, way.list, mine)
      for (const permission of way.permissions) await takeBack(way, holder, permission)
      await clock.pass(minute)
      await give(holder, way.permissions, theirs)
      const within = await login({ context: holder.context })
      for (const [who, by, list] of [
        ['the grantor', way.grantor, way.list],
        ['the holder', within, ['personal', {}]],
      ] as const) {
        if (who === 'the holder' && visible[name].unspecified?.includes('personal')) continue
        expect(await rowsOf(by.api, list, mine), `what ${who} finds of the first`).toEqual([])
        const second = await rowsOf(by.api, list, theirs)
        expect(
          second.map(({ permissionScope }) => String(permissionScope)).toSorted(),
          `what ${who} finds of the second`,
        ).toEqual(way.permissions.toSorted())
        for (const { id, startDate } of second) {
          expect(
            first.map((row) => row['id']),
            'the ids of the first',
          ).not.toContain(id)
          expect(
            Date.parse(String(startDate)) - Date.parse(String(first[0]?.['startDate'])),
            'milliseconds from the first start to the second',
          ).toBeGreaterThan(0)
        }
      }
    },
  )

test(
  ...familyRule('permissions.query.described', family, 'authorization, granted again'),
  async ({ login, another, clock }) => {
    const { api } = await login()
    const subject = byNip((await another()).nip)
    const list: Way['list'] = ['authorizations', { queryType: 'Granted' }]
    const begun = async (description: string) => {
      const body = { ...authorizationGrant(subject, 'SelfInvoicing'), description }
      await grantBy(api, 'permissions.grantAuthorization', body)
      const rows = await rowsOf(api, list, description)
      expect(rows, `what was granted ${description}`).toHaveLength(1)
      return rows[0]!
    }
    const first = await begun(mine)
    const path = { permissionId: String(first['id']) }
    const started = await api.call('permissions.revokeAuthorization', { path })
    expect(await outcomeOfOperation(api, started)).toHaveSucceeded('operation')
    await clock.pass(minute)
    const second = await begun(theirs)
    expect(await rowsOf(api, list, mine), 'what is left of the first').toEqual([])
    expect(
      Date.parse(String(second['startDate'])) - Date.parse(String(first['startDate'])),
      'milliseconds from the first start to the second',
    ).toBeGreaterThan(0)
  },
)

test(
  ...familyRule('permissions.query.scope', family, 'authorization'),
  async ({ login, another }) => {
    const me = await login()
    const agent = await login({ context: await another() })
    const stranger = await login({ context: await another() })
    const subject = byNip(agent.context.nip)
    const kinds = ['SelfInvoicing', 'TaxRepresentative'] as const
    for (const kind of kinds)
      await grantBy(me.api, 'permissions.grantAuthorization', authorizationGrant(subject, kind))
    const find = async ({ api }: Pick<typeof me, 'api'>, view: View) => {
      const [list, query] = views[view]
      return (await listOf(api, list, query))
        .map(({ authorizationScope, permissionScope }) =>
          String(authorizationScope ?? permissionScope),
        )
        .toSorted()
    }
    const look = async (left: readonly string[]) => {
      for (const [who, one, shown] of [
        ['the grantor', me, 'authorizations granted'],
        ['the agent', agent, 'authorizations received'],
        ['another taxpayer', stranger, undefined],
      ] as const)
        for (const view of viewsFor('owner'))
          expect(await find(one, view), `what ${who} finds: ${view}`).toEqual(
            view === shown ? left : [],
          )
    }
    await look(kinds)
    const rows = await listOf(me.api, 'authorizations', { queryType: 'Granted' })
    const last = rows.find((row) => row['authorizationScope'] === kinds[1])
    const path = { permissionId: String(last?.['id']) }
    const started = await me.api.call('permissions.revokeAuthorization', { path })
    const outcome = await outcomeOfOperation(me.api, started)
    expect(outcome, 'the revocation of an authorization').toHaveSucceeded('operation')
    await look(kinds.slice(0, 1))
  },
)
