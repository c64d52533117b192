import { limits } from '../../contract/limits.ts'
import type { Client } from '../../lib/client.ts'
import type { Exchange } from '../../lib/exchange.ts'
import type { Me } from '../support/service/contexts.ts'
import { newProvider, providerName, providerWith } from '../support/scenes/further-forms.ts'
import { pagesByNumber } from '../support/answers/paged-lists.ts'
import { expectPages } from '../support/steps/page-sizes.ts'
import { rule } from '../support/checks/rule.ts'
import { authenticateAs } from '../support/steps/steps.ts'
import { withoutRates } from '../support/service/target.ts'
import { expect, test } from '../support/harness/test.ts'

const list = async (api: Client) =>
  (await pagesByNumber(api, 'queries.providers', 'peppolProviders', { pageSize: 50 })).flat()

/** Expects a provider in the list, once and by its name. */
const expectListed = async (api: Client, value: string, when: string): Promise<void> => {
  const listed = (await list(api)).filter(({ id }) => id === value)
  expect(listed, when).toMatchObject([{ name: providerName(value) }])
}

test(...rule('queries.providers.listed', 'once'), async ({ api, login, rng, target }) => {
  const providers = [newProvider(rng, target), newProvider(rng, target)]
  expect(await api.call('queries.providers'), 'without a login').toBeOk()
  const before = (await list(api)).map(({ id }) => id)
  for (const { value } of providers) expect(before, 'before the first login').not.toContain(value)
  for (const context of providers) {
    await login({ context })
    await login({ context })
  }
  const after = await list(api)
  for (const { value } of providers)
    expect(
      after.filter(({ id }) => id === value),
      'after two logins',
    ).toMatchObject([{ name: providerName(value) }])
})

test(
  ...rule('queries.providers.listed', 'once, as soon as the list is read again'),
  async ({ api, login, rng, target }) => {
    await withoutRates(target)
    for (const context of [newProvider(rng, target), newProvider(rng, target)]) {
      const before = (await list(api)).map(({ id }) => id)
      expect(before, 'before the first login').not.toContain(context.value)
      await login({ context })
      const after = (await list(api)).map(({ id }) => id)
      expect(after, 'right after the first login').toContain(context.value)
    }
  },
)

/** Ways to end the login sessions of a provider, all of which leave it without one. */
const ends: Readonly<Record<string, (me: Me, login: () => Promise<Me>) => Promise<Exchange[]>>> = {
  'its current login has ended': async ({ api }) => [await api.call('auth.revokeCurrent')],
  'its logins have been ended by their reference numbers': async (me, login) => {
    const { api, ...other } = await login()
    const answers: Exchange[] = []
    for (const { referenceNumber } of [me, other])
      answers.push(await api.call('auth.revoke', { path: { referenceNumber } }))
    return answers
  },
}

for (const [when, end] of Object.entries(ends))
  test(
    ...rule('queries.providers.listed', `once, when ${when}`),
    async ({ api, login, rng, target }) => {
      const context = newProvider(rng, target)
      const me = await login({ context })
      for (const answer of await end(me, () => login({ context }))) expect(answer).toBeOk()
      await expectListed(api, context.value, `when ${when}`)
    },
  )

test(
  ...rule('queries.providers.listed', 'once, when its logins are past their life'),
  async ({ api, login, rng, target, clock }) => {
    const context = newProvider(rng, target)
    await login({ context })
    await clock.pass(limits['refreshToken.lifetime'].value * 1000 + 60_000)
    await expectListed(api, context.value, 'a week later')
  },
)

test(
  ...rule('queries.providers.listed', 'once, two of one name'),
  async ({ api, login, rng, target }) => {
    const name = `Provider ${rng.digits(8)}`
    const ids = [rng.digits(6), rng.digits(6)].map((digits) => `PPL${digits}`).toSorted()
    for (const id of ids) await login({ context: providerWith(id, target, {}, name) })
    const named = (await list(api)).filter((row) => row['name'] === name)
    expect(named.map(({ id }) => String(id)).toSorted(), `providers with the name ${name}`).toEqual(
      ids,
    )
  },
)

test(
  ...rule('queries.providers.listed', 'after a refusal'),
  async ({ api, login, rng, target }) => {
    const provider = newProvider(rng, target)
    const { value } = provider
    const expired = { notBefore: -2 * 86_400_000, notAfter: -86_400_000 }
    const refused = await authenticateAs(api, providerWith(value, target, expired))
    expect(refused, 'a login with a certificate that has expired').toBeRejected(
      'certificate-refused',
    )
    await login({ context: provider })
    await expectListed(api, value, 'once it has logged in itself')
  },
)

test(...rule('queries.providers.listed', 'dates'), async ({ api, login, rng, target, clock }) => {
  const first = new Map<string, number>()
  for (let made = 0; made < 2; made += 1) {
    const context = newProvider(rng, target)
    first.set(context.value, target.now())
    await login({ context })
    await clock.advance(60_000)
    await login({ context })
    await clock.advance(60_000)
  }
  const rows = await list(api)
  for (const [value, began] of first) {
    const since = rows.find(({ id }) => id === value)?.['dateCreated']
    expect(Date.parse(String(since)) - began, 'ms after its first login').toBeCloseTo(0, -4)
  }
})

test(...rule('queries.providers.listed', 'pages'), async ({ api, login, rng, target, clock }) => {
  await withoutRates(target)
  const made: string[] = []
  // Pages of the smallest size that are full, two at least.
  for (
    let known = (await list(api)).length;
    made.length < 3 || known < 20 || known % 10 !== 0;
    known += 1
  ) {
    const context = newProvider(rng, target)
    await login({ context })
    made.push(context.value)
    if (target.management !== undefined) await clock.advance(1_000)
  }
  const ids = (await list(api)).map(({ id }) => String(id))
  expect(
    ids.filter((id) => made.includes(id)),
    'those of this check, the newest first',
  ).toEqual(made.toReversed())
  test.skip(ids.length > 100, 'the list is longer than the largest page')
  await expectPages({
    api,
    operation: 'queries.providers',
    field: 'peppolProviders',
    identity: ({ id }) => String(id),
    rows: ids.length,
    expected: ids,
    lasting: true,
  })
})
