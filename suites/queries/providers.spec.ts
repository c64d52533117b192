import type { Client } from '../../lib/client.ts'
import { newProvider, providerName } from '../support/further-forms.ts'
import { pagesByNumber } from '../support/paged-lists.ts'
import { rule } from '../support/rule.ts'
import { expect, test } from '../support/test.ts'

const list = async (api: Client) =>
  (await pagesByNumber(api, 'queries.providers', 'peppolProviders', { pageSize: 100 })).flat()

test(...rule('queries.providers.listed', 'once'), async ({ api, login, rng, target }) => {
  const providers = [newProvider(rng, target.now), newProvider(rng, target.now)]
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

test(...rule('queries.providers.listed', 'dates'), async ({ api, login, rng, target, clock }) => {
  const first = new Map<string, number>()
  for (let made = 0; made < 2; made += 1) {
    const context = newProvider(rng, target.now)
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
