import { operationIds } from '../../contract/endpoints.ts'
import { wireOperation } from '../../lib/wire.ts'
import { absentPath } from '../support/harmless.ts'
import { covering, methods, patternOf, withoutMethod } from '../support/matrices.ts'
import { offered } from '../support/offered.ts'
import { leavesNothing } from '../support/remembered.ts'
import { rule } from '../support/rule.ts'
import { expect, test } from '../support/test.ts'

for (const method of methods)
  test(
    ...rule(
      'transport.wrong-method',
      `unsupported, ${method}`,
      covering('method', { column: method }),
    ),
    async ({ login, target }) => {
      const { api } = await login()
      const there = offered(...operationIds).map((id) => wireOperation(id, target.dialect))
      const supported = there.filter((wire) => wire.method === method)
      await leavesNothing(api, async () => {
        for (const operation of offered(...withoutMethod(method))) {
          const wire = wireOperation(operation, target.dialect)
          if (supported.some((other) => patternOf(other.path).test(wire.path))) continue
          const path = absentPath(operation)
          const answer = await api.call(operation, { method, path, pace: false })
          expect.soft(answer, operation).toBeRefused('method-not-allowed')
          if (answer.status !== 405) continue
          const allowed = (answer.headers['allow'] ?? '').split(',').map((name) => name.trim())
          const here = there.filter(
            (other) => patternOf(other.path).source === patternOf(wire.path).source,
          )
          expect
            .soft(allowed, `${operation}: the Allow header`)
            .toEqual(expect.arrayContaining(here.map((other) => other.method)))
        }
      })
    },
  )
