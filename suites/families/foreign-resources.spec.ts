import { endpoint } from '../../contract/endpoints.ts'
import { wireOperation } from '../../lib/wire.ts'
import { calls, perform } from '../support/calls.ts'
import { foreignRefusalOf, foreignRuleOf } from '../support/foreign.ts'
import { outcomeOfOperation } from '../support/grants.ts'
import { covering, ofResource } from '../support/matrices.ts'
import { offered } from '../support/offered.ts'
import { leavesNothing } from '../support/remembered.ts'
import { familyRule } from '../support/rule.ts'
import { createStage } from '../support/stage.ts'
import { expect, test } from '../support/test.ts'

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
        const outcome = operation.startsWith('permissions.')
          ? await outcomeOfOperation(stranger.api, answer)
          : answer
        expect(outcome, operation).toBeRejected(foreignRefusalOf(operation))
      })
    },
  )
