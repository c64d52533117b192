import { expectPublic } from '../support/bearers.ts'
import { rule } from '../support/rule.ts'
import { expect, test } from '../support/test.ts'

test(...rule('transport.health'), async ({ api }) => {
  expect(await api.call('transport.health', { bearer: null })).toBeOk()
  await expectPublic(api, 'transport.health')
})
