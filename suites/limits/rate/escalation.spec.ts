import { publicRate } from '../../../contract/limits.ts'
import { ratedCalls } from '../../../lib/node/rated-calls.ts'
import { Inconclusive } from '../../../lib/outcome.ts'
import type { CheckClock } from '../../support/service/check-clock.ts'
import { isLimited, keepAccess, limitedOf, wholeSeconds } from '../../support/service/rated.ts'
import type { Rated } from '../../support/service/rated.ts'
import { rule } from '../../support/checks/rule.ts'
import { expect, test } from '../../support/harness/test.ts'

const violations = 4

/** @param blocks of one caller, in the order of its violations; each may be counted from what it was without repetition */
const expectLonger = (blocks: readonly number[]): void => {
  const [first = 0] = blocks
  const last = blocks.at(-1) ?? 0
  expect(last, `the block after the fourth violation, of ${blocks.join(', ')} s`).toBeGreaterThan(
    first,
  )
  expect(blocks, 'blocks in ascending order').toEqual(blocks.toSorted((a, b) => a - b))
}

/** How long the calls of a violation still count after its block, and a bit more, ms. */
const pauses = { second: 2, minute: 60_001, hour: 120_001 } as const

/**
 * Exceeds one limit; how much longer the block takes than the exceeded window takes to have room, s.
 * @param access replaces the login that calls
 */
const violate = async (
  { fill, call, me, operation, options, windows }: Rated,
  window: keyof typeof pauses,
  clock: CheckClock,
  access = keepAccess(me, clock.now),
): Promise<number> => {
  expect(limitedOf(await fill(window)), 'rejected calls within the limits').toBe(0)
  const room = windows.retryAfter(clock.now())
  const send = async () => (await access()).call(operation, { ...options, pace: false })
  const refused = await call(send)
  expect(refused).toBeRefused('rate-limited')
  await clock.advance(wholeSeconds(refused) * 1_000 - 1)
  expect(await send(), 'a call before the block ends').toBeRefused('rate-limited')
  // The next violation begins with empty windows, so that only the block makes a difference.
  await clock.advance(pauses[window])
  return wholeSeconds(refused) - room
}

for (const [what, called, window, isNewLogin] of [
  // Many calls per minute and few per second: repeated violations take only seconds.
  ['repeated', ratedCalls.exportStatus, 'second', false],
  ['repeated, without a row of its own', ratedCalls.default, 'second', false],
  ['repeated, of the minute', ratedCalls.exportStatus, 'minute', false],
  // Few calls per hour: a violation takes two minutes, and is blocked for almost an hour.
  ['repeated, of the hour', ratedCalls.queryMetadata, 'hour', false],
  ['repeated, each by another login', ratedCalls.exportStatus, 'second', true],
] as const)
  test(...rule('limits.rate.escalation', what), async ({ rated, login, clock }) => {
    const logins = []
    const ahead = isNewLogin ? violations : 0
    while (logins.length < ahead) logins.push(await login())
    const caller = await rated(called)
    const longer: number[] = []
    while (longer.length < violations) {
      const another = logins[longer.length] ?? caller.me
      longer.push(await violate(caller, window, clock, keepAccess(another, clock.now)))
    }
    expectLonger(longer)
  })

test(
  ...rule('limits.rate.escalation', 'repeated, of the minute after those of a second'),
  async ({ rated, clock }) => {
    const caller = await rated(ratedCalls.exportStatus)
    const first = await violate(caller, 'minute', clock)
    for (const window of ['second', 'second'] as const) await violate(caller, window, clock)
    const last = await violate(caller, 'minute', clock)
    expect(last, `the block after the fourth violation, s; the first: ${first}`).toBeGreaterThan(
      first,
    )
  },
)

test(...rule('limits.rate.escalation', 'repeated, of public calls'), async ({ api, clock }) => {
  await clock.still()
  const challenge = () => api.call('auth.challenge', { pace: false })
  const blocks: number[] = []
  for (let round = 0; round < violations; round += 1) {
    const calls = Array.from({ length: publicRate.perSecond + 1 }, challenge)
    const [refused, ...more] = (await Promise.all(calls)).filter(isLimited)
    expect(more, 'further calls that were refused').toEqual([])
    if (refused === undefined) throw new Inconclusive('exceed the limit of an address', 'a refusal')
    blocks.push(wholeSeconds(refused))
    await clock.advance(wholeSeconds(refused) * 1_000 - 1)
    expect(await challenge(), 'a call before the block ends').toBeRefused('rate-limited')
    await clock.advance(1_002)
  }
  expectLonger(blocks)
})
