import { endpoint, operationIds } from '../../contract/endpoints.ts'
import { wireOperation } from '../../lib/wire.ts'
import { perform, readyCalls } from '../support/calls.ts'
import { absentPath } from '../support/harmless.ts'
import { covering, methods, ofResource, patternOf, withoutMethod } from '../support/matrices.ts'
import { offered } from '../support/offered.ts'
import { leavesNothing } from '../support/remembered.ts'
import { rule } from '../support/rule.ts'
import { createStage } from '../support/stage.ts'
import { reported } from '../support/steps.ts'
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

/** Operations on a resource, each with a path of its own. */
const onResources = ofResource.filter((id) => endpoint(id).bearer === 'access')

test(
  ...rule('transport.wrong-method', 'on what exists'),
  async ({ api, login, another, invoice, rng, target }) => {
    const me = await login()
    const stage = createStage({ me, api, login, another, invoice, rng, target })
    const there = offered(...operationIds).map((id) => wireOperation(id, target.dialect))
    const isSupported = (method: string, path: string) =>
      there.some(
        (other) =>
          other.method === method &&
          [other.path, ...other.aliases].some((each) => patternOf(each).test(path)),
      )
    const ready = await readyCalls(stage, offered(...onResources))
    await leavesNothing(me.api, async () => {
      for (const [operation, { body, ...call }] of ready) {
        const { path, aliases, bearer } = wireOperation(operation, target.dialect)
        if (bearer !== 'access' || call.address !== undefined) continue
        for (const method of methods.filter((one) => !isSupported(one, path)))
          for (const spelling of [{}, ...aliases.map((_alias, alias) => ({ alias }))]) {
            const isSent = body !== undefined && ['POST', 'PUT', 'PATCH'].includes(method)
            const more = { method, pace: false, ...spelling, ...(isSent && { body }) }
            const answer = await perform(me.api, operation, { ...call, by: me.api }, more)
            expect.soft(answer, `${method} of ${operation}`).toBeRefused('method-not-allowed')
          }
      }
    })
    const { referenceNumber } = (await stage.shared.open()) as { referenceNumber: string }
    const status = await me.api.call('sessions.status', { path: { referenceNumber } })
    expect(reported(status), 'an open session afterwards').toBeInState('onlineSession', 100)
  },
)

test(...rule('transport.wrong-method', 'by another path'), async ({ login, target }) => {
  const { api } = await login()
  const aliased = offered(...operationIds).filter(
    (id) => wireOperation(id, target.dialect).aliases.length > 0,
  )
  test.skip(aliased.length === 0, 'each operation has one path')
  const there = aliased.map((id) => wireOperation(id, target.dialect))
  for (const operation of aliased) {
    const { aliases } = wireOperation(operation, target.dialect)
    for (const alias of aliases.keys())
      for (const method of methods) {
        const at = patternOf(aliases[alias] ?? '').source
        const same = there.filter((one) =>
          one.aliases.some((each) => patternOf(each).source === at),
        )
        if (same.some((one) => one.method === method)) continue
        const call = { alias, method, path: absentPath(operation), pace: false }
        expect
          .soft(await api.call(operation, call), `${method} of ${aliases[alias]}`)
          .toBeRefused('method-not-allowed')
      }
  }
})
