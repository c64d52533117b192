import { rule } from '../support/rule.ts'
import { expect, test } from '../support/test.ts'

/** Segments that name no major version of the service, some of them nearly. */
const unknown = ['v3', 'v20', 'v02', 'v2.0', 'v2-1', '2', 'v', 'v2%20', 'v2/v2']

test(...rule('transport.unknown-version'), async ({ api }) => {
  for (const version of unknown) {
    const other = api.baseUrl.replace(/\/v2$/, `/${version}`)
    expect(other, 'a path that ends in the version').not.toBe(api.baseUrl)
    const answer = await api.request('POST', `${other}/auth/challenge`)
    expect.soft(answer, `a path of the version "${version}"`).toBeRefusedWith(404)
  }
  expect(await api.call('auth.challenge'), 'the known version still works').toBeOk()
})
