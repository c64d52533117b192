import { rateRules } from '../../../contract/limits.ts'
import type { RateRuleId } from '../../../contract/limits.ts'
import { ratedCalls } from '../../../lib/node/rated-calls.ts'
import { limitedOf, ownRows, setRates, wide } from '../../support/service/rated.ts'
import { countedWith } from '../../support/service/rated-room.ts'
import type { Rated } from '../../support/service/rated.ts'
import { rule } from '../../support/checks/rule.ts'
import { expect, test } from '../../support/harness/test.ts'

/** Calls of each row. */
const turns = 3

const rows = Object.keys(rateRules) as RateRuleId[]

for (const order of ['all rows', 'all rows, in reverse'] as const)
  test(...rule('limits.rate.rules-apart', order), async ({ rated, login, target }) => {
    const me = await login()
    const prepared: [RateRuleId, Rated][] = []
    const own = ownRows(target.dialect)
    for (const id of order === 'all rows' ? own : own.toReversed())
      prepared.push([id, await rated(ratedCalls[id], me)])
    for (const [id, { fill }] of prepared)
      expect(limitedOf(await fill('second')), `rejected calls of ${id} within its limits`).toBe(0)
  })

// The longer windows count apart as well. Low limits, so that a few calls of each row fill them.
for (const window of ['perMinute', 'perHour'] as const)
  test(
    ...rule('limits.rate.rules-apart', `over time, ${window}`),
    async ({ rated, login, target, ledger }) => {
      const { dialect } = target
      const me = await login()
      const prepared: [RateRuleId, Rated][] = []
      for (const id of ownRows(dialect)) prepared.push([id, await rated(ratedCalls[id], me)])
      const low = prepared.map(([id, { operation }]) => {
        const spent = countedWith(operation, dialect, ledger.exchanges).length
        return [id, { ...wide, [window]: spent + turns }]
      })
      await setRates(me.api, Object.fromEntries(low))
      for (let turn = 1; turn <= turns; turn += 1)
        for (const [id, { call }] of prepared)
          expect((await call()).status, `call ${turn} of ${turns} of ${id}`).not.toBe(429)
    },
  )

for (const id of rows) {
  test(...rule('limits.rate.rules-apart', `exhausted, ${id}`), async ({ rated, login, target }) => {
    const shared = target.dialect.shares ?? {}
    const me = await login()
    const others: [RateRuleId, Rated][] = []
    for (const other of ownRows(target.dialect))
      if (other !== id && other !== shared[id])
        others.push([other, await rated(ratedCalls[other], me)])
    const { fill, call } = await rated(ratedCalls[id], me)
    test.skip(shared[id] !== undefined, `${id} is counted with ${shared[id]} in this dialect`)
    expect(limitedOf(await fill('second')), 'rejected calls within the limits').toBe(0)
    expect(await call()).toBeRefused('rate-limited')
    for (const [other, calls] of others)
      expect((await calls.call()).status, `${other} while ${id} is blocked`).not.toBe(429)
  })
}
