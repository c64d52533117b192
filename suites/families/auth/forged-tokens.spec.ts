import type { OperationId } from '../../../contract/endpoints.ts'
import type { RuleId } from '../../../contract/rules.ts'
import { finishLogin, settleAuthentication, startWithDocument } from '../../../lib/flows/login.ts'
import type { Client } from '../../../lib/client.ts'
import type { Started } from '../../../lib/flows/login.ts'
import type { CallOptions } from '../../../lib/request.ts'
import { forgeriesOfToken } from '../../support/scenes/forged-tokens.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { expect, test } from '../../support/harness/test.ts'

/** Forged tokens where a login is asked for, redeemed and refreshed: only the token that the service issued works. */

interface Stage {
  readonly rule: RuleId
  readonly operation: OperationId
  /** The token that the operation takes, of an authentication that has succeeded. */
  readonly tokenOf: (api: Client, started: Started) => Promise<string>
  readonly call?: (started: Started) => CallOptions
}

const authenticationToken: Stage['tokenOf'] = (_, started) =>
  Promise.resolve(started.authenticationToken)

const stages: readonly Stage[] = [
  {
    rule: 'auth.redeem.wrong-bearer-refused',
    operation: 'auth.redeem',
    tokenOf: authenticationToken,
  },
  {
    rule: 'auth.status.wrong-bearer-refused',
    operation: 'auth.status',
    tokenOf: authenticationToken,
    call: ({ referenceNumber }) => ({ path: { referenceNumber } }),
  },
  {
    rule: 'auth.refresh.wrong-bearer-refused',
    operation: 'auth.refresh',
    tokenOf: async (api, started) => (await finishLogin(api, started)).refreshToken,
  },
]

for (const { rule, operation, tokenOf, call } of stages)
  test(...familyRule(rule, 'forged token', operation), async ({ api, own }) => {
    const [one, another] = await Promise.all(
      ['one', 'another'].map(async () => {
        const started = await startWithDocument(api, { sign: (text) => own.document(text) })
        await settleAuthentication(api, started)
        return { started, token: await tokenOf(api, started) }
      }),
    )
    const { started, token } = one!
    const given = call?.(started) ?? {}
    for (const [what, bearer] of await forgeriesOfToken(api, token, another!.token))
      expect.soft(await api.call(operation, { ...given, bearer }), what).toBeRefused('wrong-token')
    expect(await api.call(operation, { ...given, bearer: token }), 'as it was issued').toBeOk()
  })
