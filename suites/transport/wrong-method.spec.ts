import { endpoint, operationIds } from '../../contract/endpoints.ts'
import { wireOperation } from '../../lib/wire.ts'
import type { WireOperation } from '../../lib/wire.ts'
import { perform, readyCalls } from '../support/scenes/calls.ts'
import { absentPath } from '../support/steps/harmless.ts'
import {
  covering,
  methods,
  ofResource,
  patternOf,
  withoutMethod,
} from '../support/coverage/matrices.ts'
import { offered } from '../support/service/offered.ts'
import { leavesNothing } from '../support/scenes/remembered.ts'
import { rule } from '../support/checks/rule.ts'
import { createStage } from '../support/callers/stage.ts'
import { reported } from '../support/steps/steps.ts'
import { expect, test } from '../support/harness/test.ts'

const pathsOf = ({ path, aliases }: WireOperation): readonly string[] => [path, ...aliases]

const isPathOf = (operation: WireOperation, path: string): boolean =>
  pathsOf(operation).some((each) => patternOf(each).test(path))

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
          for (const [place, spelled] of pathsOf(wire).entries()) {
            if (supported.some((other) => isPathOf(other, spelled))) continue
            const alias = place === 0 ? {} : { alias: place - 1 }
            const call = { method, path: absentPath(operation), pace: false, ...alias }
            const answer = await api.call(operation, call)
            expect.soft(answer, spelled).toBeRefused('method-not-allowed')
            if (answer.status !== 405) continue
            const allowed = (answer.headers['allow'] ?? '').split(',').map((name) => name.trim())
            const here = there.filter((other) =>
              pathsOf(other).some((each) => patternOf(each).source === patternOf(spelled).source),
            )
            expect
              .soft(allowed, `${spelled}: the Allow header`)
              .toEqual(expect.arrayContaining(here.map((other) => other.method)))
          }
        }
      })
    },
  )

// A HEAD answers what a GET answers, without its body: where there is no GET, there is nothing to answer.
test(
  ...rule('transport.wrong-method', 'unsupported, HEAD without a GET'),
  async ({ login, target }) => {
    const { api } = await login()
    const there = offered(...operationIds).map((id) => wireOperation(id, target.dialect))
    const read = there.filter(({ method }) => method === 'GET')
    await leavesNothing(api, async () => {
      for (const operation of offered(...withoutMethod('GET'))) {
        const { path, method } = wireOperation(operation, target.dialect)
        if (read.some((other) => isPathOf(other, path))) continue
        const call = { method: 'HEAD', path: absentPath(operation), pace: false }
        const { status, headers } = await api.call(operation, call)
        expect.soft(status, `HEAD of ${path}`).toBeGreaterThanOrEqual(400)
        expect.soft(status, `HEAD of ${path}`).toBeLessThan(500)
        if (status === 405) expect.soft(headers['allow'], `HEAD of ${path}`).toContain(method)
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
    const ready = await readyCalls(stage, offered(...onResources))
    await leavesNothing(me.api, async () => {
      for (const [operation, { body, ...call }] of ready) {
        const { path, bearer } = wireOperation(operation, target.dialect)
        if (bearer !== 'access' || call.address !== undefined) continue
        for (const method of methods) {
          if (there.some((other) => other.method === method && isPathOf(other, path))) continue
          const isSent = body !== undefined && ['POST', 'PUT', 'PATCH'].includes(method)
          const more = { method, pace: false, ...(isSent && { body }) }
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
