import { newProvider } from '../support/further-forms.ts'
import { pagesByNumber } from '../support/paged-lists.ts'
import { rule } from '../support/rule.ts'
import { expect, test } from '../support/test.ts'

test(...rule('queries.providers.listed'), async ({ api, login, rng, target }) => {
  const providers = [newProvider(rng, target.now), newProvider(rng, target.now)]
  const ids = async () =>
    (await pagesByNumber(api, 'queries.providers', 'peppolProviders', { pageSize: 100 }))
      .flat()
      .map(({ id }) => id)
  expect(await api.call('queries.providers'), 'without a login').toBeOk()
  const before = await ids()
  for (const { value } of providers) expect(before, 'before the first login').not.toContain(value)
  for (const context of providers) {
    await login({ context })
    await login({ context })
  }
  const after = await ids()
  for (const { value } of providers)
    expect(
      after.filter((id) => id === value),
      'after two logins',
    ).toHaveLength(1)
})
