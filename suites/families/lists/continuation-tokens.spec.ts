import { endpoint, operationIds } from '../../../contract/endpoints.ts'
import type { RuleId } from '../../../contract/rules.ts'
import type { Endpoint } from '../../../contract/types.ts'
import type { Client } from '../../../lib/client.ts'
import { openOnline } from '../../../lib/flows/session.ts'
import { expectOk, expectText } from '../../../lib/outcome.ts'
import { calls, perform } from '../../support/scenes/calls.ts'
import type { LoginOptions, Me } from '../../support/service/contexts.ts'
import { formCodes } from '../../support/checks/forms.ts'
import {
  grantPerson,
  listGranted,
  outcomeOfOperation,
  revoke,
} from '../../support/callers/grants.ts'
import { personAt } from '../../support/callers/people.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { createStage } from '../../support/callers/stage.ts'
import { withoutRates } from '../../support/service/target.ts'
import { expect, test } from '../../support/harness/test.ts'

/**
 * A continuation token belongs to one list of one caller: in every other list it is invalid. It opens no list to those
 * who lack the permission.
 */

const rows = 11
const pageSize = 10
const tokenHeader = 'x-continuation-token'

type Listed = 'tokens.list' | 'auth.sessions' | 'sessions.list'

interface List {
  readonly rule: RuleId
  /** Adds one row. */
  readonly add: (api: Client, login: (options?: LoginOptions) => Promise<Me>) => Promise<unknown>
  readonly query: Readonly<Record<string, string>>
}

const lists: Readonly<Record<Listed, List>> = {
  'tokens.list': {
    rule: 'tokens.list.narrowed',
    add: async (api) =>
      expectOk(
        await api.call('tokens.create', {
          body: { permissions: ['InvoiceRead'], description: 'one of several' },
        }),
        'create a service token',
      ),
    query: {},
  },
  'auth.sessions': {
    rule: 'auth.sessions.listed',
    add: (_, login) => login(),
    query: {},
  },
  'sessions.list': {
    rule: 'sessions.list.complete',
    add: (api) => openOnline(api, { formCode: formCodes.fa3 }),
    query: { sessionType: 'Online' },
  },
}

const names = Object.keys(lists) as Listed[]

/** Lists that go on by a token, and need a permission. */
const permitted = operationIds.filter((id) => {
  const { parameters = [], permissions }: Endpoint = endpoint(id)
  return permissions !== undefined && parameters.some(({ name }) => name === tokenHeader)
})

const pageOf = (api: Client, name: Listed, token?: string) =>
  api.call(name, {
    query: { ...lists[name].query, pageSize },
    ...(token === undefined ? {} : { headers: { [tokenHeader]: token } }),
  })

for (const name of names)
  test(
    ...familyRule(lists[name].rule, 'continuation token of another list', name),
    async ({ login, another, target }) => {
      await withoutRates(target)
      const me = await login()
      const stranger = await login({ context: await another() })
      const tokens = new Map<Listed, string>()
      for (const one of names) {
        for (let row = 0; row < rows; row += 1) await lists[one].add(me.api, login)
        const first = await pageOf(me.api, one)
        tokens.set(one, expectText(first, `list by ${one}`, 'continuationToken'))
      }
      for (const [of, token] of tokens) {
        const answer = await pageOf(me.api, name, token)
        const text = `a token of ${of}`
        if (of === name) expect(answer, text).toBeOk()
        else expect(answer, text).toBeRefused('continuation-token-malformed')
      }
      const own = tokens.get(name)
      expect(await pageOf(stranger.api, name, own), 'a token of another context').toBeRefused(
        'continuation-token-malformed',
      )
    },
  )

for (const operation of permitted)
  test(
    ...familyRule(
      'permissions.matrix',
      'continuation token of another list',
      `${operation}, without the permission`,
    ),
    async ({ api, login, limited, another, invoice, rng, target }) => {
      const me = await login()
      const ready = await calls[operation](
        createStage({ me, api, login, another, invoice, rng, target }),
      )
      const { api: lacking } = await limited(['SubunitManage'])
      const goingOn = { ...ready, headers: { [tokenHeader]: 'none that was given out' } }
      for (const call of [ready, goingOn])
        expect(await perform(lacking, operation, { ...call, by: lacking })).toBeRefused(
          'missing-permission',
        )
    },
  )

test(
  ...familyRule(
    'permissions.matrix',
    'continuation token of another list',
    'sessions.list, with a permission that was lost',
  ),
  async ({ login, own, rng, target }) => {
    await withoutRates(target)
    const me = await login()
    const { subject, context } = personAt(own, rng, target)
    await grantPerson(me.api, subject, ['Introspection'])
    const person = await login({ context })
    for (let row = 0; row < rows; row += 1) await lists['sessions.list'].add(me.api, login)
    const first = await pageOf(person.api, 'sessions.list')
    const token = expectText(first, 'list the sessions', 'continuationToken')
    expect(await pageOf(person.api, 'sessions.list', token), 'the second page').toBeOk()
    for (const { id } of await listGranted(me.api)) {
      const revoked = await outcomeOfOperation(me.api, await revoke(me.api, id))
      expect(revoked, 'the revocation').toHaveSucceeded('operation')
    }
    expect(await pageOf(person.api, 'sessions.list', token), 'afterwards').toBeRefused(
      'missing-permission',
    )
  },
)
