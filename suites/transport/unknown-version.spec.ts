import { rule } from '../support/rule.ts'
import { expect, test } from '../support/test.ts'

test(...rule('transport.unknown-version'), async ({ api }) => {
  const unknown = api.baseUrl.replace(/\/v2$/, '/v3')
  expect(unknown, 'a path that ends in the version').not.toBe(api.baseUrl)
  const answer = await api.request('POST', `${unknown}/auth/challenge`)
  expect(answer.status, 'a path of an unknown version').toBe(404)
  expect(await api.call('auth.challenge'), 'the known version still works').toBeOk()
})
