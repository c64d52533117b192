import { endpoint, operationIds } from '../../../contract/endpoints.ts'
import { wireOperation } from '../../../lib/wire.ts'
import { calls } from '../../support/scenes/calls.ts'
import { limitedOf } from '../../support/service/rated.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { createStage } from '../../support/callers/stage.ts'
import { expect, test } from '../../support/harness/test.ts'

/** A call for a further page of a list is a call like the one for the first page. */

const paged = operationIds.filter((id) => {
  const { parameters = [], bearer } = endpoint(id)
  return bearer === 'access' && parameters.some(({ name }) => name === 'pageOffset')
})

for (const operation of paged)
  test(
    ...familyRule(
      endpoint(operation).rate === 'default' ? 'limits.rate.default-rule' : 'limits.rate.each-rule',
      'further pages',
      operation,
    ),
    async ({ rated, login, api, another, invoice, rng, target }) => {
      wireOperation(operation, target.dialect)
      const me = await login()
      const stage = createStage({ me, api, login, another, invoice, rng, target })
      const ready = await calls[operation](stage)
      const second = { ...ready, query: { ...ready.query, pageOffset: 1 } }
      const { fill, call } = await rated({ operation, prepare: () => Promise.resolve(second) }, me)
      expect(limitedOf(await fill('second')), 'rejected calls within the limits').toBe(0)
      expect(await call()).toBeRefused('rate-limited')
    },
  )
