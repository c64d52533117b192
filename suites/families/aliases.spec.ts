import { endpoint } from '../../contract/endpoints.ts'
import type { OperationId } from '../../contract/endpoints.ts'
import { rateRules } from '../../contract/limits.ts'
import type { RateRuleId } from '../../contract/limits.ts'
import type { RuleId } from '../../contract/rules.ts'
import type { Client } from '../../lib/client.ts'
import type { CallOptions } from '../../lib/request.ts'
import { readError } from '../../lib/errors.ts'
import type { Exchange } from '../../lib/exchange.ts'
import { ratedCalls } from '../../lib/node/rated-calls.ts'
import { calls } from '../support/calls.ts'
import type { ReadyCall } from '../support/calls/ready-call.ts'
import type { Me } from '../support/contexts.ts'
import { exceedSecond, limitedOf } from '../support/rated.ts'
import { familyRule } from '../support/rule.ts'
import { createStage } from '../support/stage.ts'
import { expect, test } from '../support/test.ts'

/** Whatever a path refuses, another spelling of it refuses in the same way. */

const rules: Readonly<Partial<Record<OperationId, RuleId>>> = {
  'invoices.submit': 'transport.trailing-slash',
  'exports.create': 'transport.export-alias',
  'exports.status': 'transport.export-alias',
}

interface Scene {
  readonly me: Me
  readonly ready: ReadyCall
  readonly limited: (permissions: readonly string[]) => Promise<Me>
  readonly stranger: () => Promise<Me>
}

/** Calls that are refused: by whom they are made, and what they change. */
const faults: Readonly<
  Record<string, (scene: Scene) => Promise<{ readonly api: Client; readonly more: CallOptions }>>
> = {
  'no token': ({ me }) => Promise.resolve({ api: me.api, more: { bearer: null } }),
  'refresh token': ({ me }) => Promise.resolve({ api: me.api, more: { bearer: me.refreshToken } }),
  'missing permission': async ({ limited }) => ({
    api: (await limited(['SubunitManage'])).api,
    more: {},
  }),
  'another context': async ({ stranger }) => ({ api: (await stranger()).api, more: {} }),
  'empty object': ({ me }) => Promise.resolve({ api: me.api, more: { body: {} } }),
  'JSON null': ({ me }) => Promise.resolve({ api: me.api, more: { body: 'null' } }),
  'numbers for texts': ({ me, ready }) =>
    Promise.resolve({
      api: me.api,
      more: {
        body: Object.fromEntries(
          Object.entries(ready.body ?? {}).map(([name, value]) => [
            name,
            typeof value === 'string' ? 1 : value,
          ]),
        ),
      },
    }),
  'another media type': ({ me }) => Promise.resolve({ api: me.api, more: { media: 'text/plain' } }),
}

const codes = (answer: Exchange, { dialect }: Client): readonly number[] =>
  readError(answer, dialect)?.all.map(({ code }) => code) ?? []

for (const [operation, rule] of Object.entries(rules) as [OperationId, RuleId][])
  for (const [what, prepare] of Object.entries(faults)) {
    const bodiless = endpoint(operation).request === undefined
    if (bodiless && !/token|permission|context/.test(what)) continue
    test(
      ...familyRule(rule, 'other spelling', `${operation}, ${what}`),
      async ({ api: open, login, limited, another, invoice, rng, target }) => {
        const me = await login()
        const scene = { me, api: open, login, another, invoice, rng, target }
        const ready = await calls[operation](createStage(scene))
        const stranger = async () => login({ context: await another() })
        const { api, more } = await prepare({ me, ready, limited, stranger })
        const main = await api.call(operation, { ...ready, ...more })
        // A new export is of the caller's own context, whoever that is.
        if (what !== 'another context' || ready.path !== undefined)
          expect(main, 'the refusal of the main path').toBeClientError()
        const other = await api.call(operation, { ...ready, ...more, alias: 0 })
        expect(
          { status: other.status, codes: codes(other, api) },
          'status and codes by the other spelling',
        ).toEqual({ status: main.status, codes: codes(main, api) })
      },
    )
  }

for (const [operation, rule] of Object.entries(rules) as [OperationId, RuleId][])
  test(
    ...familyRule(rule, 'other spelling beyond a limit', operation),
    async ({ rated, login, target }) => {
      const row = endpoint(operation).rate as RateRuleId
      const me = await login()
      const { options, thresholds } = await rated(ratedCalls[row], me)
      // Whether it is counted by the row of the main path or by the default row, which the contract does not specify.
      const [own, usual] = [rateRules[row].window.perSecond, rateRules.default.window.perSecond]
      const count = (thresholds.perSecond / own) * Math.max(own, usual) + 1
      const answers = await exceedSecond(target.now, () =>
        Promise.all(
          Array.from({ length: count }, () =>
            me.api.call(operation, { ...options, alias: 0, pace: false }),
          ),
        ),
      )
      expect(limitedOf(answers), `rejected calls of ${count} within a second`).toBeGreaterThan(0)
    },
  )
