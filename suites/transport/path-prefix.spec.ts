import { originOf } from '../../lib/request.ts'
import { grantInTest } from '../support/callers/grants.ts'
import { personAt } from '../support/callers/people.ts'
import { rule } from '../support/checks/rule.ts'
import { fields } from '../support/steps/steps.ts'
import { expect, test } from '../support/harness/test.ts'

test(...rule('transport.path-prefix', 'below the prefix'), async ({ api }) => {
  expect(await api.call('auth.challenge')).toBeOk()
  const outside = await api.request('POST', `${originOf(api.baseUrl)}/auth/challenge`)
  expect(outside, 'the same path without the prefix').toBeRefusedWith(404)
})

test(...rule('transport.path-prefix', 'below the prefix, without its version'), async ({ api }) => {
  const origin = originOf(api.baseUrl)
  const segments = api.baseUrl.slice(origin.length).split('/').filter(Boolean)
  const without = segments.filter((segment) => !/^v\d+$/.test(segment))
  expect(without.length, 'segments without the version').toBeLessThan(segments.length)
  const unversioned = [origin, ...without].join('/')
  for (const [method, path] of [
    ['POST', 'auth/challenge'],
    ['GET', 'security/public-key-certificates'],
    ['GET', 'health'],
    ['GET', 'sessions'],
  ] as const) {
    const answer = await api.request(method, `${unversioned}/${path}`)
    expect.soft(answer, `${path} without the version`).toBeRefusedWith(404)
  }
})

for (const operation of ['limits.context', 'limits.subject'] as const) {
  test(...rule('transport.path-prefix', `at the origin, ${operation}`), async ({ login }) => {
    const { api } = await login()
    const answer = await api.call(operation, { atOrigin: true })
    expect(answer).toBeOk()
    expect(Object.keys({ ...fields(answer) }), 'the limits in the answer').not.toEqual([])
  })

  test(
    ...rule('transport.path-prefix', `at the origin, ${operation}, to a person`),
    async ({ api, login, own, rng, target }) => {
      const person = personAt(own, rng, target, 'Pesel')
      await grantInTest(api, own, person.subject, ['InvoiceRead'])
      const me = await login({ context: person.context })
      const answer = await me.api.call(operation, { atOrigin: true })
      expect(answer).toBeOk()
      expect(answer.body, 'as below the prefix').toEqual((await me.api.call(operation)).body)
    },
  )
}
