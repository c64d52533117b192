import { operationIds } from '../../contract/endpoints.ts'
import { wireOperation } from '../../lib/wire.ts'
import { absentPath } from '../support/steps/harmless.ts'
import { offered } from '../support/service/offered.ts'
import { rule } from '../support/checks/rule.ts'
import { expect, test } from '../support/harness/test.ts'

/** Segments that name no major version of the service, some of them nearly. */
const unknown = [
  'v3',
  'v4',
  'v10',
  'v21',
  'v2beta',
  'v2.1',
  'v20',
  'v02',
  'v2.0',
  'v2-1',
  '2',
  'v',
  'v2%20',
  'v2/v2',
]

test(...rule('transport.unknown-version'), async ({ api }) => {
  for (const version of unknown) {
    const other = api.baseUrl.replace(/\/v2$/, `/${version}`)
    expect(other, 'a path that ends in the version').not.toBe(api.baseUrl)
    const answer = await api.request('POST', `${other}/auth/challenge`)
    expect.soft(answer, `a path of the version "${version}"`).toBeRefusedWith(404)
  }
  expect(await api.call('auth.challenge'), 'the known version still works').toBeOk()
})

test(...rule('transport.unknown-version', 'each operation'), async ({ login, target }) => {
  const { api } = await login()
  for (const operation of offered(...operationIds)) {
    const { method, path, bearer } = wireOperation(operation, target.dialect)
    const filled = path.replace(
      /\{(\w+)\}/g,
      (_, name: string) => absentPath(operation)[name] ?? '',
    )
    const url = `${api.baseUrl.replace(/\/v2$/, '/v3')}${filled}`
    const tokens = bearer === 'none' ? [null] : [api.identity.bearer ?? null, null]
    const sent = method === 'GET' || method === 'DELETE' ? {} : { body: {} }
    for (const token of tokens) {
      const answer = await api.request(method, url, { bearer: token, ...sent })
      const what = `${operation} of version 3, with${token === null ? 'out' : ''} a token`
      expect.soft(answer, what).toBeRefusedWith(404)
    }
  }
})
