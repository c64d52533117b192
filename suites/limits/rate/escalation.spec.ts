import { ratedCalls } from '../../../lib/node/rated-calls.ts'
import { limitedOf, wholeSeconds } from '../../support/rated.ts'
import { rule } from '../../support/rule.ts'
import { expect, test } from '../../support/test.ts'

const violations = 4

for (const [what, called, window, isNewLogin] of [
  // Many calls per minute and few per second: repeated violations take only seconds.
  ['repeated', ratedCalls.exportStatus, 'second', false],
  ['repeated, without a row of its own', ratedCalls.default, 'second', false],
  ['repeated, of the minute', ratedCalls.exportStatus, 'minute', false],
  ['repeated, each by another login', ratedCalls.exportStatus, 'second', true],
] as const)
  test(...rule('limits.rate.escalation', what), async ({ rated, login, clock }) => {
    const logins = []
    const ahead = isNewLogin ? violations : 0
    while (logins.length < ahead) logins.push(await login())
    const { fill, call, me, operation, options, windows } = await rated(called)
    /** How much longer each block takes than the exceeded window takes to have room, s. */
    const longer: number[] = []
    for (let round = 0; round < violations; round += 1) {
      expect(limitedOf(await fill(window)), 'rejected calls within the limits').toBe(0)
      const room = windows.retryAfter(clock.now())
      const { api } = logins[round] ?? me
      const send = () => api.call(operation, { ...options, pace: false })
      const refused = await call(send)
      expect(refused).toBeRefused('rate-limited')
      longer.push(wholeSeconds(refused) - room)
      await clock.advance(wholeSeconds(refused) * 1_000 - 1)
      expect(await send(), 'a call before the block ends').toBeRefused('rate-limited')
      // The next violation begins with empty windows, so that only the block makes a difference.
      await clock.advance(window === 'minute' ? 60_001 : 2)
    }
    const [first = 0] = longer
    const last = longer.at(-1) ?? 0
    expect(last, `the block after the fourth violation, of ${longer.join(', ')} s`).toBeGreaterThan(
      first,
    )
    expect(longer, 'blocks in ascending order').toEqual(longer.toSorted((a, b) => a - b))
  })
