import { ratedCalls } from '../../../lib/node/rated-calls.ts'
import { offend, wholeSeconds } from '../../support/rated.ts'
import { rule } from '../../support/rule.ts'
import { expect, test } from '../../support/test.ts'

for (const [what, called] of [
  // Many calls per minute and few per second: repeated violations take only seconds.
  ['repeated', ratedCalls.exportStatus],
  ['repeated, without a row of its own', ratedCalls.default],
] as const)
  test(...rule('limits.rate.escalation', what), async ({ rated, clock }) => {
    const calls = await rated(called)
    const waits: number[] = []
    for (let round = 0; round < 4; round += 1) {
      const refused = await offend(calls)
      expect(refused).toBeRefused('rate-limited')
      waits.push(wholeSeconds(refused))
      await clock.advance(wholeSeconds(refused) * 1_000 + 1)
    }
    const [first = 0] = waits
    const last = waits.at(-1) ?? 0
    expect(last, `the block after the fourth violation, of ${waits.join(', ')} s`).toBeGreaterThan(
      first,
    )
    expect(waits, 'blocks in ascending order').toEqual(waits.toSorted((a, b) => a - b))
  })
