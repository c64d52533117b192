import { ratedCalls } from '../../../lib/node/rated-calls.ts'
import { offend, wholeSeconds } from '../../support/rated.ts'
import { rule } from '../../support/rule.ts'
import { expect, test } from '../../support/test.ts'

/** Many calls per minute and few per second: repeated violations take only seconds. */
const brief = ratedCalls.exportStatus

test(...rule('limits.rate.escalation', 'repeated'), async ({ rated, clock }) => {
  const calls = await rated(brief)
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
