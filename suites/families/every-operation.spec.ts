import { operationIds } from '../../contract/endpoints.ts'
import { wireOperation } from '../../lib/wire.ts'
import { calls, perform } from '../support/calls.ts'
import { covering } from '../support/matrices.ts'
import { offered } from '../support/offered.ts'
import { familyRule } from '../support/rule.ts'
import { createStage } from '../support/stage.ts'
import { expect, test } from '../support/test.ts'

/** Every operation of the contract, called correctly: it succeeds for the owner of a context. */

for (const operation of operationIds)
  test(
    ...familyRule(
      'transport.answers.schema',
      'every operation',
      operation,
      covering('success', { rows: [operation] }),
    ),
    async ({ api, login, another, invoice, rng, target }) => {
      wireOperation(operation, target.dialect)
      test.skip(offered(operation).length === 0, `there is no ${operation} in this environment`)
      const stage = createStage({ me: await login(), api, login, another, invoice, rng, target })
      const ready = await calls[operation](stage)
      expect(await perform(stage.me.api, operation, ready), operation).toBeOk(operation)
    },
  )
