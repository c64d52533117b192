import { expect, test } from '@playwright/test'
import { createCheckClock } from '../../suites/support/check-clock.ts'
import { NotOffered } from '../../suites/support/not-offered.ts'

/** The clock of a check at a target whose clock cannot be moved. */

const clock = createCheckClock({ management: undefined, embedded: false, now: Date.now })

test('a short time passes by itself, and the check goes on', async () => {
  const begun = Date.now()
  await clock.advance(40)
  await clock.set(begun + 90)
  // A timer may fire a millisecond early.
  expect(Date.now()).toBeGreaterThanOrEqual(begun + 88)
})

test('what takes longer, or lies behind, is not offered', async () => {
  for (const move of [
    () => clock.advance(60_000),
    () => clock.set(Date.now() + 60_000),
    () => clock.set(Date.now() - 1_000),
  ])
    await expect(move()).rejects.toThrow(NotOffered)
})
