import { operationIds } from '../../../contract/endpoints.ts'
import { wireOperation } from '../../../lib/wire.ts'
import { calls, perform } from '../../support/scenes/calls.ts'
import { covering } from '../../support/coverage/matrices.ts'
import { isOnTestData } from '../../support/service/offered.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { createStage } from '../../support/callers/stage.ts'
import { expect, test } from '../../support/harness/test.ts'

/** Every operation of the contract, called correctly: it succeeds for the owner of a context. */

for (const operation of operationIds)
  test(
    ...familyRule(
      'transport.answers.schema',
      isOnTestData(operation) ? 'every operation on test data' : 'every operation',
      operation,
      covering('success', { rows: [operation] }),
    ),
    async ({ api, login, another, invoice, rng, target }) => {
      wireOperation(operation, target.dialect)
      const stage = createStage({ me: await login(), api, login, another, invoice, rng, target })
      const ready = await calls[operation](stage)
      expect(await perform(stage.me.api, operation, ready), operation).toBeOk(operation)
    },
  )
