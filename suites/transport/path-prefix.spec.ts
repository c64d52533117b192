import { originOf } from '../../lib/request.ts'
import { rule } from '../support/rule.ts'
import { fields } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'

test(...rule('transport.path-prefix', 'below the prefix'), async ({ api }) => {
  expect(await api.call('auth.challenge')).toBeOk()
  const outside = await api.request('POST', `${originOf(api.baseUrl)}/auth/challenge`)
  expect(outside.status, 'the same path without the prefix').toBe(404)
})

for (const operation of ['limits.context', 'limits.subject'] as const) {
  test(...rule('transport.path-prefix', `at the origin, ${operation}`), async ({ login }) => {
    const { api } = await login()
    const answer = await api.call(operation, { atOrigin: true })
    expect(answer).toBeOk()
    expect(Object.keys({ ...fields(answer) }), 'the limits in the answer').not.toEqual([])
  })
}
