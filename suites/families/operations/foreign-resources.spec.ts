import { endpoint } from '../../../contract/endpoints.ts'
import type { RuleId } from '../../../contract/rules.ts'
import { wireOperation } from '../../../lib/wire.ts'
import { expectAsUnknown } from '../../support/scenes/as-unknown.ts'
import { calls, perform } from '../../support/scenes/calls.ts'
import { foreignRefusalOf, foreignRuleOf } from '../../support/scenes/foreign.ts'
import { contextWith } from '../../support/service/contexts.ts'
import { byNip, grantPerson, outcomeOfCall } from '../../support/callers/grants.ts'
import { covering, ofResource, pathNames } from '../../support/coverage/matrices.ts'
import { offered } from '../../support/service/offered.ts'
import { leavesNothing } from '../../support/scenes/remembered.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { createStage } from '../../support/callers/stage.ts'
import type { Stage } from '../../support/callers/stage.ts'
import { expect, test } from '../../support/harness/test.ts'

/** Every operation on a resource, called by the owner of another context: the resource does not exist there. */

// Whoever holds the token of an authentication is its owner: `auth.status` has a check of its own.
for (const operation of ofResource.filter((id) => endpoint(id).bearer === 'access'))
  test(
    ...familyRule(
      foreignRuleOf(operation),
      'foreign resource',
      operation,
      covering('bearer', { column: 'other context', rows: [operation] }),
    ),
    async ({ api, login, another, invoice, rng, target }) => {
      const { bearer } = wireOperation(operation, target.dialect)
      test.skip(offered(operation).length === 0, `there is no ${operation} in this environment`)
      test.skip(bearer !== 'access', 'whoever has the signed address may use it')
      const stage = createStage({ me: await login(), api, login, another, invoice, rng, target })
      const stranger = await login({ context: await another() })
      const ready = await calls[operation](stage)
      await leavesNothing(stage.me.api, async () => {
        const answer = await perform(stranger.api, operation, ready)
        const outcome = await outcomeOfCall(stranger.api, operation, answer)
        expect(outcome, operation).toBeRejected(foreignRefusalOf(operation))
        await expectAsUnknown(stranger.api, operation, ready, { rng, first: answer })
      })
    },
  )

const readsByPath = ofResource.filter((id) => {
  const { bearer, method } = endpoint(id)
  return bearer === 'access' && method === 'GET'
})

/** By the rule that keeps it to its context, every name under which a resource might be asked for. */
const named: Partial<Readonly<Record<RuleId, (stage: Stage) => Promise<readonly string[]>>>> = {
  'exports.isolated': async ({ shared }) => [(await shared.exported()).referenceNumber],
  'invoices.get.parties-only': async ({ shared }) => {
    const { svcNumber, referenceNumber, made } = await shared.accepted()
    return [svcNumber, referenceNumber, made.number]
  },
  'sessions.online.isolated': async (stage) => [
    (await stage.session()).referenceNumber,
    (await stage.batch()).session.referenceNumber,
  ],
  'operations.status.isolated': async (stage) => [
    String((await calls['operations.status'](stage)).path?.['referenceNumber']),
  ],
}

for (const [rule, namesOf] of Object.entries(named) as [RuleId, (typeof named)[RuleId] & {}][])
  test(
    ...familyRule(rule, 'foreign resource', 'by every operation that reads'),
    async ({ api, login, another, invoice, rng, target }) => {
      const stage = createStage({ me: await login(), api, login, another, invoice, rng, target })
      const stranger = await login({ context: await another() })
      for (const name of await namesOf(stage))
        for (const operation of offered(...readsByPath)) {
          if (wireOperation(operation, target.dialect).bearer !== 'access') continue
          const path = Object.fromEntries(pathNames(operation).map((one) => [one, name]))
          const answer = await stranger.api.call(operation, { path })
          expect.soft(answer, `${operation} of ${name}`).toBeClientError()
        }
    },
  )

/** Certificates and logins belong to a subject: other checks test what another context sees of them. */
const ofContext = ofResource.filter(
  (id) =>
    endpoint(id).bearer === 'access' &&
    /^(sessions|invoices|receipts|exports|tokens|operations|permissions)\./.test(id),
)

for (const rule of new Set(ofContext.map(foreignRuleOf)))
  test(
    ...familyRule(rule, 'same caller in another context'),
    async ({ api, login, own, another, invoice, rng, target }) => {
      test.skip(own.by === 'token', 'the target offers no certificate of the context')
      const me = await login()
      const elsewhere = await another()
      const host = await login({ context: elsewhere })
      await grantPerson(host.api, byNip(own.nip), [
        'InvoiceRead',
        'InvoiceWrite',
        'Introspection',
        'CredentialsManage',
      ])
      const { type, value } = elsewhere
      const away = await login({
        context: contextWith({ type, value }, own.credentials, target.now),
      })
      const stage = createStage({ me, api, login, another, invoice, rng, target })
      for (const operation of offered(...ofContext.filter((id) => foreignRuleOf(id) === rule))) {
        if (wireOperation(operation, target.dialect).bearer !== 'access') continue
        const ready = await calls[operation](stage)
        const answer = await perform(away.api, operation, ready)
        const outcome = await outcomeOfCall(away.api, operation, answer)
        expect.soft(outcome, operation).toBeRejected(foreignRefusalOf(operation))
        await expectAsUnknown(away.api, operation, ready, { rng, first: answer })
      }
    },
  )
