import { endpoint } from '../../contract/endpoints.ts'
import type { OperationId } from '../../contract/endpoints.ts'
import type { RefusalId } from '../../contract/errors.ts'
import type { RuleId } from '../../contract/rules.ts'
import { wireOperation } from '../../lib/wire.ts'
import { calls, perform } from '../support/calls.ts'
import { outcomeOfOperation } from '../support/grants.ts'
import { covering, ofResource } from '../support/matrices.ts'
import { offered } from '../support/offered.ts'
import { leavesNothing } from '../support/remembered.ts'
import { familyRule } from '../support/rule.ts'
import { createStage } from '../support/stage.ts'
import { expect, test } from '../support/test.ts'

/** Every operation on a resource, called by the owner of another context: the resource does not exist there. */

/** By the beginning of an operation's id, the rule that keeps its resources to their context. */
const rules: Readonly<Record<string, RuleId>> = {
  'auth.': 'auth.sessions.ended',
  'tokens.': 'tokens.list.scope',
  'sessions.': 'sessions.online.isolated',
  'invoices.submit': 'sessions.online.isolated',
  'invoices.inSession': 'sessions.online.isolated',
  'invoices.': 'invoices.get.parties-only',
  'receipts.link': 'receipts.link.parties-only',
  'receipts.': 'sessions.online.isolated',
  'exports.': 'exports.isolated',
  'operations.': 'operations.status.isolated',
  'permissions.': 'permissions.revoke.refusals',
  'certificates.': 'certificates.revoke',
  'testdata.': 'certificates.revoke',
}

const ruleOf = (operation: OperationId): RuleId => {
  const found = Object.entries(rules).find(([beginning]) => operation.startsWith(beginning))
  if (found === undefined) throw new Error(`foreign-resources: name the rule of ${operation}`)
  return found[1]
}

const refusalOf = (operation: OperationId): RefusalId => {
  if (operation.startsWith('permissions.')) return 'permission-no-access'
  const refusals = (endpoint(operation).refusals ?? []) as readonly RefusalId[]
  const found = refusals.find((id) => id.endsWith('-unknown'))
  if (found === undefined) throw new Error(`${operation} has no refusal of an unknown resource`)
  return found
}

// Whoever holds the token of an authentication is its owner: `auth.status` has a check of its own.
for (const operation of ofResource.filter((id) => endpoint(id).bearer === 'access'))
  test(
    ...familyRule(
      ruleOf(operation),
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
        const outcome = operation.startsWith('permissions.')
          ? await outcomeOfOperation(stranger.api, answer)
          : answer
        expect(outcome, operation).toBeRejected(refusalOf(operation))
      })
    },
  )
