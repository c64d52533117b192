import { endpoint, operationIds } from '../../../contract/endpoints.ts'
import type { OperationId } from '../../../contract/endpoints.ts'
import { ratedCalls } from '../../../lib/node/rated-calls.ts'
import { parseRetryAfter } from '../../../lib/retry-after.ts'
import { wireOperation } from '../../../lib/wire.ts'
import { calls, perform } from '../../support/scenes/calls.ts'
import type { ReadyCall } from '../../support/scenes/calls/ready-call.ts'
import { createStage } from '../../support/callers/stage.ts'
import { ofAnother } from '../../support/steps/another-resource.ts'
import { limitedOf, setRates } from '../../support/service/rated.ts'
import type { Rated } from '../../support/service/rated.ts'
import { countedWith } from '../../support/service/rated-room.ts'
import type { WindowName } from '../../support/service/rated.ts'
import { rule } from '../../support/checks/rule.ts'
import { expect, test } from '../../support/harness/test.ts'

for (const window of ['second', 'minute', 'hour'] as const satisfies WindowName[]) {
  test(...rule('limits.rate.default-rule', `per ${window}`), async ({ rated }) => {
    const { fill, call } = await rated(ratedCalls.default)
    expect(limitedOf(await fill(window)), 'rejected calls within the limits').toBe(0)
    expect(await call()).toBeRefused('rate-limited')
  })
}

for (const operation of ['tokens.list', 'auth.sessions', 'limits.subject'] as const) {
  test(...rule('limits.rate.default-rule', `operation, ${operation}`), async ({ rated }) => {
    const { fill, call } = await rated({ operation, prepare: () => Promise.resolve({}) })
    expect(limitedOf(await fill('second')), 'rejected calls within the limits').toBe(0)
    expect(await call()).toBeRefused('rate-limited')
  })
}

/** Operations without a row of their own whose calls succeed any number of times; each counts for itself. */
const repeatable = operationIds.filter(
  (id) =>
    endpoint(id).rate === 'default' &&
    endpoint(id).bearer === 'access' &&
    /^(permissions\.(query|attachment)|certificates\.(query|limits|data|retrieve|enrollment$)|operations|limits|invoices\.(send|byNumber|status)|queries|auth\.sessions|tokens\.(list|status))/.test(
      id,
    ),
)

for (const operation of repeatable)
  test(
    ...rule('limits.rate.default-rule', `each operation, ${operation}`),
    async ({ rated, login, api, another, invoice, rng, target }) => {
      wireOperation(operation, target.dialect)
      const me = await login()
      const stage = createStage({ me, api, login, another, invoice, rng, target })
      const ready = await calls[operation](stage)
      const { fill, call } = await rated({ operation, prepare: () => Promise.resolve(ready) }, me)
      const ofNone = () => call(() => me.api.call(operation, { ...ofAnother(ready), pace: false }))
      // It counts, whatever it is answered.
      await ofNone()
      expect(limitedOf(await fill('second')), 'rejected calls within the limits').toBe(0)
      const refused = await call()
      expect(refused).toBeRefused('rate-limited')
      const { kind } = parseRetryAfter(refused.headers['retry-after'])
      expect(kind, 'what Retry-After states').toBe('seconds')
      expect(await ofNone(), 'a call for another resource').toBeRefused('rate-limited')
    },
  )

/** Operations that change what their limits count. */
const changesRates: ReadonlySet<OperationId> = new Set([
  'testdata.setRateLimits',
  'testdata.restoreRateLimits',
  'testdata.productionRateLimits',
])

/** Operations that change something: each call of them needs values of its own. */
const changing = operationIds.filter(
  (id) =>
    endpoint(id).rate === 'default' &&
    ['access', 'refresh-or-access'].includes(endpoint(id).bearer) &&
    !repeatable.includes(id) &&
    !changesRates.has(id),
)

const wide = { perSecond: 100_000, perMinute: 100_000 }

/** Calls that the hourly limit, which the check sets, leaves for each of these operations. */
const within = 2

for (const operation of changing)
  test(
    ...rule('limits.rate.default-rule', `valid calls, ${operation}`),
    async ({ login, api, another, invoice, rng, target, ledger }) => {
      const { dialect } = target
      wireOperation(operation, dialect)
      const me = await login()
      const stage = createStage({ me, api, login, another, invoice, rng, target })
      const last = await calls[operation](stage)
      const first: ReadyCall[] = []
      while (first.length < within) first.push(await calls[operation](stage))
      // If the operation needs a caller in another context, that caller makes all the calls.
      const { by = me.api } = last
      const ask = (ready: ReadyCall) => perform(by, operation, { ...ready, by }, { pace: false })
      const spent = countedWith(operation, dialect, ledger.exchanges).length
      await setRates(by, { default: { ...wide, perHour: spent + within } })
      for (const ready of first) expect(await ask(ready), 'within the limit').toBeOk()
      expect(await ask(last), 'beyond the limit').toBeRefused('rate-limited')
    },
  )

test(...rule('limits.rate.default-rule', 'counted separately'), async ({ rated, login }) => {
  const me = await login()
  const others: Rated[] = []
  for (const operation of ['limits.subject', 'tokens.list', 'auth.sessions'] as const)
    others.push(await rated({ operation, prepare: () => Promise.resolve({}) }, me))
  const { fill, call } = await rated(ratedCalls.default, me)
  await fill('second')
  expect(await call()).toBeRefused('rate-limited')
  for (const other of others) expect(await other.call()).toBeOk()
})
