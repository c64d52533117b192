import { endpoint, operationIds } from '../../../contract/endpoints.ts'
import { rateRules } from '../../../contract/limits.ts'
import type { RateRuleId } from '../../../contract/limits.ts'
import { ratedCalls } from '../../../lib/node/rated-calls.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import type { CallOptions } from '../../../lib/request.ts'
import { wireOperation } from '../../../lib/wire.ts'
import { calls, perform } from '../../support/scenes/calls.ts'
import { ofAnother } from '../../support/steps/another-resource.ts'
import { limitedOf, ownRows, setRates, wide } from '../../support/service/rated.ts'
import type { Rated } from '../../support/service/rated.ts'
import { countedWith } from '../../support/service/rated-room.ts'
import { rule } from '../../support/checks/rule.ts'
import { createStage } from '../../support/callers/stage.ts'
import { expect, test } from '../../support/harness/test.ts'

const rows = (Object.keys(rateRules) as RateRuleId[]).filter((id) => id !== 'default')

for (const id of rows) {
  test(...rule('limits.rate.each-rule', `per second, ${id}`), async ({ rated }) => {
    const { me, operation, options, fill, call } = await rated(ratedCalls[id])
    expect(limitedOf(await fill('second')), 'rejected calls within the limits').toBe(0)
    expect(await call()).toBeRefused('rate-limited')
    const other = await call(() => me.api.call(operation, { ...ofAnother(options), pace: false }))
    expect(other, 'a call for another resource').toBeRefused('rate-limited')
  })

  test(...rule('limits.rate.each-rule', `per minute, ${id}`), async ({ rated }) => {
    const { fill, call } = await rated(ratedCalls[id])
    expect(limitedOf(await fill('minute')), 'rejected calls within the limits').toBe(0)
    expect(await call()).toBeRefused('rate-limited')
  })

  test(...rule('limits.rate.each-rule', `per hour, ${id}`), async ({ rated }) => {
    const { fill, call } = await rated(ratedCalls[id])
    expect(limitedOf(await fill('hour')), 'rejected calls within the limits').toBe(0)
    expect(await call()).toBeRefused('rate-limited')
  })
}

/** Operations that count against a row besides the one that is tried above. */
const sharing = rows.flatMap((id) =>
  operationIds
    .filter(
      (operation) => endpoint(operation).rate === id && operation !== ratedCalls[id].operation,
    )
    .map((operation) => ({ id, operation })),
)

for (const { id, operation } of sharing)
  test(
    ...rule('limits.rate.each-rule', `shared, ${operation}`),
    async ({ rated, login, api, another, invoice, rng, target }) => {
      wireOperation(operation, target.dialect)
      const me = await login()
      const stage = createStage({ me, api, login, another, invoice, rng, target })
      const ready = await calls[operation](stage)
      const { fill, call } = await rated(ratedCalls[id], me)
      expect(limitedOf(await fill('second')), 'rejected calls within the limits').toBe(0)
      const answer = await call(() => perform(me.api, operation, ready, { pace: false }))
      expect(answer, operation).toBeRefused('rate-limited')
    },
  )

for (const { id, operation } of sharing)
  test(
    ...rule('limits.rate.each-rule', `shared, ${operation}, first`),
    async ({ rated, login, api, another, invoice, rng, target, clock }) => {
      wireOperation(operation, target.dialect)
      const me = await login()
      const stage = createStage({ me, api, login, another, invoice, rng, target })
      const ready = await calls[operation](stage)
      const own = await rated(ratedCalls[id], me)
      // No call of the preparation is still within the second.
      await clock.advance(1_001)
      const { fill, call } = await rated({ operation, prepare: () => Promise.resolve(ready) }, me)
      expect(limitedOf(await fill('second')), 'rejected calls within the limits').toBe(0)
      const options = { ...own.options, pace: false }
      const answer = await call(() => me.api.call(own.operation, options))
      expect(answer, `${own.operation}, after calls of ${operation}`).toBeRefused('rate-limited')
    },
  )

// The longer windows count each of the operations as well. Low limits, so that a few calls fill them.
for (const { id, operation } of sharing)
  for (const window of ['perMinute', 'perHour'] as const)
    test(
      ...rule('limits.rate.each-rule', `shared over time, ${operation} ${window}`),
      async ({ login, api, another, invoice, rng, target, ledger }) => {
        const { dialect } = target
        wireOperation(operation, dialect)
        const me = await login()
        const stage = createStage({ me, api, login, another, invoice, rng, target })
        const both = [ratedCalls[id].operation, operation] as const
        const ready = [await calls[both[0]](stage), await calls[operation](stage)] as const
        const spent = countedWith(operation, dialect, ledger.exchanges).length
        const turns = [0, 1, 0, 1] as const
        await setRates(me.api, { [id]: { ...wide, [window]: spent + turns.length } })
        const ask = (at: 0 | 1) => perform(me.api, both[at], ready[at], { pace: false })
        const within: Exchange[] = []
        for (const at of turns) within.push(await ask(at))
        expect(limitedOf(within), 'rejected calls within the limits').toBe(0)
        expect(await ask(1), operation).toBeRefused('rate-limited')
      },
    )

/** Calls of an operation that are refused for what they ask: for an unknown resource, or without what is required. */
const refusedOnes = ({ options }: Rated): readonly CallOptions[] => [
  ...(options.path ? [ofAnother(options)] : []),
  ...(options.body === undefined ? [] : [{ ...options, body: {} }]),
  ...(options.path || options.body ? [] : [{ ...options, query: { pageSize: 0 } }]),
]

test(
  ...rule('limits.rate.each-rule', 'invalid calls'),
  async ({ rated, login, target, ledger }) => {
    const { dialect } = target
    const me = await login()
    const prepared: [RateRuleId, Rated][] = []
    for (const id of ownRows(dialect))
      if (id !== 'default') prepared.push([id, await rated(ratedCalls[id], me)])
    // Room for the refused calls, and for no other.
    const low = prepared.map(([id, one]) => {
      const spent = countedWith(one.operation, dialect, ledger.exchanges).length
      return [id, { ...wide, perHour: spent + refusedOnes(one).length }] as const
    })
    await setRates(me.api, Object.fromEntries(low))
    for (const [id, one] of prepared) {
      const ask = (options: CallOptions) => me.api.call(one.operation, { ...options, pace: false })
      for (const options of refusedOnes(one)) {
        const answer = await ask(options)
        expect.soft(answer.status, `a refused call of ${id}`).not.toBe(429)
      }
      expect.soft(await ask(one.options), `${id}, next`).toBeRefused('rate-limited')
    }
  },
)
