import { endpoint, operationIds } from '../../contract/endpoints.ts'
import { schema } from '../../contract/schemas.ts'
import type { Client } from '../../lib/client.ts'
import type { CallOptions } from '../../lib/request.ts'
import { absence, wireOperation } from '../../lib/wire.ts'
import { loginElsewhere } from '../support/callers/logins-in-form.ts'
import { rule } from '../support/checks/rule.ts'
import type { Target } from '../support/service/target.ts'
import { expect, test } from '../support/harness/test.ts'

const operations = operationIds.filter((id) => endpoint(id).environments !== undefined)

/** What has the form of a token. */
const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.`

/** The test data operations that a service has for callers with one of these bearers; null is none. */
const findThere = async (
  target: Target,
  api: Client,
  bearers: readonly (string | null)[],
): Promise<readonly string[]> => {
  const there: string[] = []
  for (const operation of operations) {
    if (absence(operation, target.dialect) !== undefined) continue
    const { request } = endpoint(operation)
    const { examples } = { ...(request?.schema ? schema(request.schema) : {}) }
    const { method, path } = wireOperation(operation, target.dialect)
    const requests: readonly CallOptions[] = [
      Array.isArray(examples) ? { body: examples[0] as unknown } : {},
      ...(request?.schema ? [{ body: {} }, { body: '{', media: 'text/plain' }] : []),
    ]
    for (const asked of requests.flatMap((one) => bearers.map((bearer) => ({ ...one, bearer })))) {
      const at = { serialNumber: '0321C82DA41B4362' }
      const { status } = await api.call(operation, { pace: false, path: at, ...asked })
      const sent = JSON.stringify(asked.body)?.slice(0, 40) ?? 'nothing'
      if (status !== 404 && status !== 405)
        there.push(`${method} ${path} answered ${status} to ${sent}, bearer ${asked.bearer}`)
    }
  }
  return there
}

for (const environment of ['demo', 'production'] as const) {
  test(...rule('testdata.only-in-test', environment), async ({ inEnvironment, ledger }) => {
    const target = await inEnvironment(environment)
    const there = await findThere(target, target.client(ledger.record), [null, 'rubbish', unsigned])
    expect(there, `test data operations that exist in ${environment}`).toEqual([])
  })

  test(
    ...rule('testdata.only-in-test', `${environment}, for who is logged in`),
    async ({ inEnvironment, ledger, rng }) => {
      const target = await inEnvironment(environment)
      const { api, accessToken } = await loginElsewhere(target, { ledger, rng })
      expect(await api.call('limits.context'), `a call in ${environment}`).toBeOk()
      const there = await findThere(target, api, [accessToken])
      expect(there, `test data operations that exist in ${environment}`).toEqual([])
    },
  )
}

test(...rule('testdata.only-in-test', 'test'), async ({ login, target }) => {
  test.skip(target.environment !== 'test', 'the target is not a test environment')
  const { api, context } = await login()
  const body = { nip: context.nip }
  expect(await api.call('testdata.allowAttachments', { body })).toBeOk()
})
