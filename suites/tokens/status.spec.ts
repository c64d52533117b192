import { fetchChallenge, loginWithToken, tokenLoginBody } from '../../lib/flows/login.ts'
import type { Client } from '../../lib/client.ts'
import { expectObject, expectText } from '../../lib/outcome.ts'
import type { Me } from '../support/service/contexts.ts'
import { byNip, grantInTest } from '../support/callers/grants.ts'
import { kin } from '../support/callers/kin.ts'
import type { Row } from '../support/answers/paged-lists.ts'
import { personAt } from '../support/callers/people.ts'
import { rule } from '../support/checks/rule.ts'
import {
  listTokens,
  mintToken,
  revokeToken,
  statesUntil,
  tokenState,
} from '../support/callers/service-token.ts'
import type { ServiceToken } from '../support/callers/service-token.ts'
import { fields, outcomeOfAuthentication } from '../support/steps/steps.ts'
import { expect, test } from '../support/harness/test.ts'

/** The expected part of a record, whatever its spelling and further fields. */
const shownIn = (record: Row) => {
  const named = (field: string) => {
    const { type, value } = (record[field] ?? {}) as Row
    return `${String(type)} ${String(value)}`
  }
  const instant = (field: string) =>
    typeof record[field] === 'string' ? Date.parse(record[field]) : null
  return {
    reference: record['referenceNumber'],
    author: named('authorIdentifier'),
    context: named('contextIdentifier'),
    description: record['description'],
    permissions: [...((record['requestedPermissions'] ?? []) as readonly string[])].toSorted(),
    made: instant('dateCreated'),
    used: instant('lastUseDate'),
    status: record['status'],
    details: record['statusDetails'] ?? null,
  }
}

/** What the status of a token says; expects its row in the list to say the same. */
const shownOf = async (api: Client, referenceNumber: string) => {
  const answer = await api.call('tokens.status', { path: { referenceNumber } })
  const shown = shownIn(expectObject(answer, 'read the status of a token'))
  const row = (await listTokens(api)).find((one) => one['referenceNumber'] === referenceNumber)
  expect(shownIn(row ?? {}), 'the same token in the list').toEqual(shown)
  return shown
}

test(...rule('tokens.status.described'), async ({ api, login, target }) => {
  const me = await login()
  const { type, value, nip, by } = me.context
  const description = 'described by a check'
  const { token, referenceNumber = '' } = await mintToken(
    me,
    ['InvoiceWrite', 'Introspection', 'InvoiceRead', 'CredentialsRead'],
    description,
  )
  const look = async () => {
    const answer = await me.api.call('tokens.status', { path: { referenceNumber } })
    expect(answer.text, 'the token').not.toContain(token)
    const listed = (await listTokens(me.api, { description })).find(
      (row) => row['referenceNumber'] === referenceNumber,
    )
    expect(shownIn(listed ?? {}), 'the same token in the list').toEqual(shownIn(fields(answer)))
    return fields(answer)
  }
  const record = await look()
  expect(record, 'the reported token').toMatchObject({
    ...(by === 'token' ? {} : { authorIdentifier: byNip(nip) }),
    contextIdentifier: { type, value },
    description,
    status: 'Active',
  })
  expect(
    [...(record['requestedPermissions'] as readonly string[])].toSorted(),
    'its permissions',
  ).toEqual(['CredentialsRead', 'Introspection', 'InvoiceRead', 'InvoiceWrite'])
  expect(record['lastUseDate'] ?? null, 'its last use before the first one').toBeNull()
  const recent = (name: string, row: Readonly<Record<string, unknown>>) =>
    expect(
      Math.abs(Date.parse(String(row[name])) - target.now()),
      `milliseconds since ${name}`,
    ).toBeLessThan(600_000)
  recent('dateCreated', record)
  await loginWithToken(api, { context: { type, value }, token })
  recent('lastUseDate', await look())
  expect(await revokeToken(me.api, referenceNumber), 'its final state').toBe('Revoked')
  expect((await look())['status'], 'the state in the list').toBe('Revoked')
})

/** Service tokens from their beginning to their end, and what ends with them. */

const order = ['Pending', 'Active', 'Revoking', 'Revoked']

const inOrder = (states: readonly string[]): readonly string[] =>
  states.toSorted((a, b) => order.indexOf(a) - order.indexOf(b))

test(...rule('tokens.status.moves-forward'), async ({ login, clock }) => {
  const me = await login()
  const { api } = me
  // On a busy machine, a short-lived state would be over before a poll sees it.
  await clock.still()
  const body = { permissions: ['InvoiceRead'], description: 'from beginning to end' }
  const made = await api.call('tokens.create', { body })
  expect(made).toBeOk()
  const referenceNumber = String(fields(made)['referenceNumber'])
  const path = { referenceNumber }
  const begun = await statesUntil(api, referenceNumber, 'Active')
  expect(begun.at(-1), 'its state after its creation').toBe('Active')
  const { referenceNumber: unseen = '' } = await mintToken(me)
  expect(await api.call('tokens.revoke', { path: { referenceNumber: unseen } })).toBeOk()
  expect(await api.call('tokens.revoke', { path })).toBeOk()
  const ending = String(await tokenState(api, referenceNumber))
  // The contract does not specify whether a further revocation is rejected.
  await api.call('tokens.revoke', { path })
  const ended = await statesUntil(api, referenceNumber, 'Revoked')
  expect(ended.at(-1), 'its state after its revocation').toBe('Revoked')
  await api.call('tokens.revoke', { path })
  const all = [...begun, ending, ...ended, ...(await statesUntil(api, referenceNumber, 'Revoked'))]
  expect(all, 'states in the order in which they were reported').toEqual(inOrder(all))
  await clock.pass(60_000)
  expect(await tokenState(api, unseen), 'revoked without a look meanwhile').toBe('Revoked')
})

test(...rule('tokens.status.moves-forward', 'while pending'), async ({ login, clock }) => {
  const { api } = await login()
  await clock.still()
  const body = { permissions: ['InvoiceRead'], description: 'revoked at once' }
  const made = await api.call('tokens.create', { body })
  expect(made).toBeOk()
  const referenceNumber = String(fields(made)['referenceNumber'])
  expect(await api.call('tokens.revoke', { path: { referenceNumber } })).toBeOk()
  await clock.pass(60_000)
  const states = await statesUntil(api, referenceNumber, 'Revoked')
  expect(states.at(-1), 'its state after its revocation').toBe('Revoked')
  expect(states, 'its states after its revocation').not.toContain('Active')
})

test(...rule('tokens.status.described', 'used again'), async ({ api, login, clock }) => {
  const me = await login()
  const { type, value } = me.context
  const { token, referenceNumber = '' } = await mintToken(me)
  const lastUse = async () => {
    await loginWithToken(api, { context: { type, value }, token })
    const answer = await me.api.call('tokens.status', { path: { referenceNumber } })
    return Date.parse(String(fields(answer)['lastUseDate']))
  }
  const first = await lastUse()
  await clock.advance(5 * 60_000)
  const between = (await lastUse()) - first
  expect(between, 'milliseconds between two uses').toBeGreaterThan(4 * 60_000)
})

test(
  ...rule('tokens.status.described', 'used again, after refused uses'),
  async ({ api, login, another, clock }) => {
    const me = await login()
    const { type, value } = me.context
    const { token, referenceNumber = '' } = await mintToken(me)
    const other = await another()
    const lastUse = async () => {
      const answer = await me.api.call('tokens.status', { path: { referenceNumber } })
      return fields(answer)['lastUseDate'] ?? null
    }
    const attempts = [
      ['for another context', { type: other.type, value: other.value }, 0],
      ['with a stale time', { type, value }, -24 * 60 * 60_000],
    ] as const
    const refused = async () => {
      for (const [what, context, shift] of attempts) {
        const { challenge, timestamp } = await fetchChallenge(api)
        const at = { challenge, timestamp: timestamp + shift }
        const body = await tokenLoginBody(api, { context, token }, at)
        const outcome = await outcomeOfAuthentication(api, await api.call('auth.token', { body }))
        expect(outcome, what).toBeRejected('token-refused')
      }
    }
    await refused()
    expect(await lastUse(), 'the last use of a token that nobody could use').toBeNull()
    await loginWithToken(api, { context: { type, value }, token })
    const used = await lastUse()
    await clock.advance(5 * 60_000)
    await refused()
    expect(await lastUse(), 'the last use, after refused ones').toBe(used)
  },
)

const minute = 60_000

/** Whether a reported instant is close to the one at which something was done. */
const near = (shown: number | null, done: number | undefined): boolean =>
  done === undefined ? shown === null : shown !== null && Math.abs(shown - done) < minute / 2

test(
  ...rule('tokens.status.described', 'several tokens'),
  async ({ api, login, own, rng, target, clock }) => {
    test.skip(own.by === 'token', 'the target offers no certificate of the context')
    const visitors = [
      [personAt(own, rng, target, 'Pesel'), 'InvoiceWrite'],
      [personAt(own, rng, target), 'InvoiceRead'],
    ] as const
    const owner = await login()
    const all: { minted: ServiceToken; made: number; expected: Row; used?: number }[] = []
    const mint = async (
      me: Me,
      author: string,
      permissions: readonly string[],
      description: string,
    ) => {
      await clock.advance(minute)
      const made = clock.now()
      const minted = await mintToken(me, permissions, description)
      const expected = {
        reference: minted.referenceNumber,
        author,
        context: `Nip ${own.nip}`,
        description,
        permissions: permissions.toSorted(),
        status: 'Active',
      }
      all.push({ minted, made, expected })
    }
    const here = byNip(own.nip)
    await mint(owner, `Nip ${own.nip}`, ['Introspection', 'InvoiceRead'], 'of the owner')
    for (const [{ subject, context }, permission] of visitors) {
      await grantInTest(api, own, subject, ['InvoiceRead', 'InvoiceWrite'])
      const { type, value } = subject
      await mint(await login({ context }), `${type} ${value}`, [permission], `of the ${type}`)
    }
    await mint(owner, `Nip ${own.nip}`, ['CredentialsRead'], 'of the owner once more')
    for (const one of [all[2]!, all[0]!]) {
      await clock.advance(minute)
      one.used = clock.now()
      await loginWithToken(api, { context: here, token: one.minted.token })
    }
    const revoked = all[1]!
    await revokeToken(owner.api, revoked.minted.referenceNumber ?? '')
    revoked.expected = { ...revoked.expected, status: 'Revoked' }
    const reader = await login()
    for (const { minted, made, used, expected } of all) {
      const shown = await shownOf(reader.api, minted.referenceNumber ?? '')
      expect.soft(shown, `the token ${String(expected['description'])}`).toMatchObject(expected)
      const dates = `created ${shown.made}, last used ${shown.used}`
      expect
        .soft(near(shown.made, made) && near(shown.used, used), `${dates}: ${made} and ${used}`)
        .toBe(true)
    }
  },
)

test(
  ...rule('tokens.status.described', 'in the context of a unit'),
  async ({ login, rng, target }) => {
    const unit = await kin.InternalId({ me: await login(), login, rng, target })
    const { type, value } = unit.context
    const { referenceNumber = '' } = await mintToken(unit, ['InvoiceRead'])
    expect((await shownOf(unit.api, referenceNumber)).context).toBe(`${type} ${value}`)
  },
)

test(
  ...rule('tokens.status.described', 'several tokens, one made with another'),
  async ({ limited, login, own }) => {
    const me = await limited(['InvoiceRead', 'InvoiceWrite'])
    const first = await mintToken(me)
    const byToken = await login({ token: first.token })
    const body = { permissions: ['InvoiceRead'], description: 'made with another token' }
    const made = await byToken.api.call('tokens.create', { body })
    // The contract does not specify whether a login by service token creates further tokens.
    test.skip(made.status > 299, 'the target creates no token with another')
    const owner = await login()
    const { author } = await shownOf(owner.api, first.referenceNumber ?? '')
    const reference = expectText(made, 'create a token', 'referenceNumber')
    await statesUntil(owner.api, reference, 'Active')
    expect(await shownOf(owner.api, reference)).toMatchObject({
      author,
      context: `Nip ${own.nip}`,
      permissions: ['InvoiceRead'],
    })
  },
)

test(...rule('tokens.status.described', 'failed'), async ({ login, target }) => {
  const me = await login()
  const { api } = me
  const { referenceNumber = '' } = await mintToken(me)
  await target.management?.endNext('token', 400)
  const body = { permissions: ['InvoiceRead'], description: 'one that fails' }
  const made = await api.call('tokens.create', { body })
  const reference = expectText(made, 'create a token', 'referenceNumber')
  await statesUntil(api, reference, 'Failed')
  const { status, details } = await shownOf(api, reference)
  expect(status, 'its state').toBe('Failed')
  const shown = details as readonly string[] | null
  expect(shown?.[0], 'what the status says of the failure').toMatch(/\S/)
  expect((await shownOf(api, referenceNumber)).status, 'the state of an earlier one').toBe('Active')
})
