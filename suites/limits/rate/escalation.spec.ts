import { ratedCalls } from '../../support/rated-calls.ts'
import { offend, wholeSeconds } from '../../support/rated.ts'
import { rule } from '../../support/rule.ts'
import { expect, test } from '../../support/test.ts'

/** Many calls a minute and few a second: offending again and again takes only seconds. */
const brief = ratedCalls.exportStatus

test(...rule('limits.rate.escalation', 'repeated'), async ({ rated, clock }) => {
  const calls = await rated(brief)
  const told: number[] = []
  for (let round = 0; round < 4; round += 1) {
    const refused = await offend(calls)
    expect(refused).toBeRefused('rate-limited')
    told.push(wholeSeconds(refused))
    await clock.advance(wholeSeconds(refused) * 1_000 + 1)
  }
  const [first = 0] = told
  const last = told.at(-1) ?? 0
  expect(last, `the block after the fourth violation, of ${told.join(', ')} s`).toBeGreaterThan(
    first,
  )
  expect(told, 'blocks that do not get shorter').toEqual(told.toSorted((a, b) => a - b))
})
