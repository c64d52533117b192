import { ratedCalls } from '../../../lib/node/rated-calls.ts'
import { isLimited, prepareRated } from '../../support/service/rated.ts'
import { rule } from '../../support/checks/rule.ts'
import { expect, test } from '../../support/harness/test.ts'

test(...rule('limits.rate.real-hour'), async ({ login, target, ledger, clock, invoice }) => {
  test.setTimeout(2 * 3_600_000)
  const tools = {
    target,
    ledger,
    clock,
    bench: { invoice: () => invoice().bytes, now: target.now },
  }
  const me = await login()
  const { call, thresholds } = await prepareRated(tools, me, ratedCalls.queryMetadata)
  const pause = (seconds: number) => me.api.sleep(seconds * 1_000)
  const { perHour } = thresholds
  // Spread over most of the hour, so that no other threshold is reached.
  const gap = Math.floor(2_700 / perHour)
  for (let made = 1; made <= perHour; made += 1) {
    expect((await call()).status, `call ${made} of ${perHour}`).not.toBe(429)
    await pause(gap)
  }
  const refused = await call()
  expect(refused).toBeRefused('rate-limited')
  await pause(Number(refused.headers['retry-after'] ?? 3_600))
  expect(isLimited(await call()), 'a rejected call after Retry-After').toBe(false)
})
