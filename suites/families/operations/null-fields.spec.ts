import { endpoint, operationIds } from '../../../contract/endpoints.ts'
import type { OperationId } from '../../../contract/endpoints.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import { expectOk } from '../../../lib/outcome.ts'
import { fromWire, wireOperation } from '../../../lib/wire.ts'
import { calls, perform } from '../../support/scenes/calls.ts'
import { outcomeOfOperation } from '../../support/callers/grants.ts'
import { takesNull, withNulls } from '../../support/scenes/null-fields.ts'
import { isOnTestData } from '../../support/service/offered.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { createStage } from '../../support/callers/stage.ts'
import type { Stage } from '../../support/callers/stage.ts'
import { fields } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** Null in a field of a request means the same as leaving the field out, and an optional body may be left out. */

const given = (operation: OperationId) => async (stage: Stage) =>
  outcomeOfOperation(
    stage.me.api,
    expectOk(await perform(stage.me.api, operation, await calls[operation](stage)), operation),
  )

/** What each search needs in order to find something. */
const stocks: Partial<Record<OperationId, (stage: Stage) => Promise<unknown>>> = {
  'queries.metadata': ({ shared }) => shared.stored(),
  'queries.general': ({ shared }) => shared.stored(),
  'invoices.queryCollectives': (stage) => calls['invoices.ofCollective'](stage),
  'permissions.queryPersons': given('permissions.grantPerson'),
  'permissions.querySubunits': given('permissions.grantSubunit'),
  'permissions.queryAuthorizations': given('permissions.grantAuthorization'),
  'permissions.queryEu': given('permissions.grantEuAdministration'),
  'certificates.query': ({ certificate }) => certificate(),
}

const hasRows = (answer: Exchange): boolean =>
  Object.values(fields(answer)).some((value) => Array.isArray(value) && value.length > 0)

/** Fields that a ready call of these operations contains although they are optional. */
const dispensable: Partial<Record<OperationId, string>> = {
  'certificates.revoke': 'revocationReason',
}

/** Operations whose ready calls contain every field that may be null. */
const complete: ReadonlySet<OperationId> = new Set([
  'testdata.blockContext',
  'testdata.unblockContext',
])

for (const operation of operationIds.filter((id) => takesNull(id) && !complete.has(id)))
  test(
    ...familyRule(
      'transport.openapi-agrees',
      isOnTestData(operation)
        ? 'null for a field of test data left out'
        : 'null for a field left out',
      operation,
    ),
    async ({ api, login, another, invoice, rng, target }) => {
      const { dialect } = target
      wireOperation(operation, dialect)
      const stage = createStage({ me: await login(), api, login, another, invoice, rng, target })
      const ready = async () => {
        const call = await calls[operation](stage)
        const { schema } = endpoint(operation).request ?? {}
        const body =
          typeof call.body === 'string'
            ? fromWire(JSON.parse(call.body), schema, dialect)
            : call.body
        const kept = Object.entries(body as object).filter(
          ([name]) => name !== dispensable[operation],
        )
        return { call, body: Object.fromEntries(kept) }
      }
      await stocks[operation]?.(stage)
      let finds = false
      if (stocks[operation] !== undefined) {
        const { call, body } = await ready()
        finds = hasRows(await perform(stage.me.api, operation, call, { body }))
      }
      for (const at of withNulls(operation, (await ready()).body).keys()) {
        const { call, body } = await ready()
        const spelled = withNulls(operation, body)[at]
        expect(spelled, 'a body with null in it').not.toEqual(body)
        const answer = await perform(stage.me.api, operation, call, { body: spelled })
        const what = JSON.stringify(spelled).slice(0, 300)
        expect(answer, `${operation}: ${what}`).toBeOk(operation)
        if (finds) expect(hasRows(answer), `something is found by ${what}`).toBe(true)
      }
    },
  )

for (const operation of operationIds.filter((id) => endpoint(id).request?.optional))
  test(
    ...familyRule('transport.openapi-agrees', 'optional body left out', operation),
    async ({ api, login, another, invoice, rng, target }) => {
      wireOperation(operation, target.dialect)
      const stage = createStage({ me: await login(), api, login, another, invoice, rng, target })
      await stocks[operation]?.(stage)
      const { body, ...without } = await calls[operation](stage)
      const finds =
        stocks[operation] !== undefined &&
        hasRows(await perform(stage.me.api, operation, { ...without, body }))
      const answer = await perform(stage.me.api, operation, without)
      expect(answer.request.body, 'the body that was sent').toBeUndefined()
      expect(answer, `${operation} without a body`).toBeOk(operation)
      if (finds) expect(hasRows(answer), 'something is found without filters').toBe(true)
    },
  )
