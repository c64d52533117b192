import { expect, test } from '@playwright/test'
import fc from 'fast-check'
import { createCheckClock } from '../../suites/support/service/check-clock.ts'
import type { Management } from '../../suites/support/service/management.ts'
import { NotOffered } from '../../suites/support/run/not-offered.ts'
import { sampleNote, sampleSeed } from '../sample.ts'

/** The clock of a check. */

/** At a target whose clock cannot be moved. */
const unmoved = createCheckClock({ management: undefined, embedded: false, now: Date.now })

test('a short time passes by itself, and the check goes on', async () => {
  const begun = Date.now()
  await unmoved.advance(40)
  await unmoved.set(begun + 90)
  // A timer may fire a millisecond early.
  expect(Date.now()).toBeGreaterThanOrEqual(begun + 88)
})

test('what takes longer, or lies behind, is not offered', async () => {
  for (const move of [
    () => unmoved.advance(60_000),
    () => unmoved.set(Date.now() + 60_000),
    () => unmoved.set(Date.now() - 1_000),
  ])
    await expect(move()).rejects.toThrow(NotOffered)
})

/** A management port of a clock that only moves when it is told to. */
const turnable = () => {
  let instant = Date.parse('2026-06-15T08:00:00Z')
  const set = async (to: number): Promise<void> => void (instant = to)
  const now = (): number => instant
  const port = { now, set, advance: (ms: number) => set(instant + ms), freeze: async () => {} }
  return { now, management: port as unknown as Management, embedded: false }
}

test(`the second before exact counts holds no call of an earlier check (${sampleNote})`, async () => {
  const act = fc.oneof(fc.constant('call' as const), fc.integer({ min: -3_000, max: 5_000 }))
  const check = fc.record({ isExact: fc.boolean(), acts: fc.array(act, { maxLength: 6 }) })
  await fc.assert(
    fc.asyncProperty(fc.array(check, { minLength: 2, maxLength: 8 }), async (checks) => {
      const target = turnable()
      const earlier: number[] = []
      for (const { isExact, acts } of checks) {
        const own: number[] = []
        const clock = createCheckClock(target)
        if (isExact) {
          await clock.still()
          const begins = target.now()
          expect(earlier.filter((at) => at > begins - 1_000 && at <= begins)).toEqual([])
        }
        for (const what of acts)
          if (what === 'call') own.push(target.now())
          else await clock.advance(what)
        await clock.restore()
        earlier.push(...own)
      }
    }),
    { seed: sampleSeed, numRuns: 1_000 },
  )
})
