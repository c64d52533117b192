import type { OperationId } from '../../../contract/endpoints.ts'
import type { RuleId } from '../../../contract/rules.ts'
import { readToken } from '../../../lib/flows/login.ts'
import type { Me } from '../../support/service/contexts.ts'
import { harmlessCalls } from '../../support/steps/harmless.ts'
import { taking } from '../../support/service/offered.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { fields } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** A token of another kind stays one, also when the token that belongs there has ended or was issued anew. */

interface Row {
  readonly rule: RuleId
  readonly operations: readonly OperationId[]
  readonly kind: 'authenticationToken' | 'refreshToken'
}

const rows: readonly Row[] = [
  {
    rule: 'auth.redeem.wrong-bearer-refused',
    operations: ['auth.redeem'],
    kind: 'refreshToken',
  },
  {
    rule: 'auth.status.wrong-bearer-refused',
    operations: ['auth.status'],
    kind: 'refreshToken',
  },
  {
    rule: 'auth.refresh.wrong-bearer-refused',
    operations: ['auth.refresh'],
    kind: 'authenticationToken',
  },
  { rule: 'auth.access-token.required', operations: taking('access'), kind: 'refreshToken' },
]

const callsOf = (operation: OperationId, { referenceNumber }: Me) =>
  operation === 'auth.status' ? [{ path: { referenceNumber } }] : harmlessCalls(operation)

for (const { rule, operations, kind } of rows)
  test(
    ...familyRule(rule, 'token of another kind', 'after the access token ended'),
    async ({ api, login, clock }) => {
      const me = await login()
      const expectRefused = async (bearer: string, when: string) => {
        for (const operation of operations)
          for (const call of callsOf(operation, me)) {
            const answer = await me.api.call(operation, { ...call, bearer })
            expect.soft(answer, `${operation} ${when}`).toBeRefused('wrong-token')
          }
      }
      await clock.set((me.accessValidUntil ?? 0) + 1_000)
      await expectRefused(me[kind], 'once the access token has ended')
      const answer = await api.call('auth.refresh', { bearer: me.refreshToken })
      expect(answer, 'a refresh').toBeOk()
      const bearer = readToken(fields(answer)['accessToken'])?.token ?? ''
      await expectRefused(me[kind], 'after a refresh')
      if (rule !== 'auth.access-token.required')
        await expectRefused(bearer, 'by the new access token')
      expect(await me.api.call('limits.context', { bearer }), 'the new access token').toBeOk()
    },
  )
