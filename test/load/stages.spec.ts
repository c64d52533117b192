import { expect, test } from '@playwright/test'
import fc from 'fast-check'
import { profiles, shaped } from '../../load/profiles.ts'
import type { Profile } from '../../load/profiles.ts'
import { arrivalsOf, dueTimes, legalDueTimes, loadMarginMs } from '../../load/stages.ts'
import type { Stage } from '../../load/stages.ts'
import { firstExcess } from '../../lib/windows.ts'

const stages = fc.array(
  fc.record({ seconds: fc.integer({ min: 1, max: 30 }), rate: fc.integer({ min: 1, max: 50 }) }),
  { minLength: 1, maxLength: 5 },
)

/** Arrivals that are due before `t` seconds: the area below the rate. */
const areaBefore = (parts: readonly Stage[], from: number, t: number): number => {
  let area = 0
  let before = from
  let start = 0
  for (const { seconds, rate } of parts) {
    const within = Math.min(Math.max(0, t - start), seconds)
    const reached = before + ((rate - before) * within) / seconds
    area += ((before + reached) / 2) * within
    start += seconds
    before = rate
  }
  return area
}

test('the n-th arrival is due when the area below the rate reaches n', () => {
  fc.assert(
    fc.property(stages, fc.integer({ min: 0, max: 50 }), (parts, from) => {
      const due = dueTimes(parts, from)
      expect(due).toHaveLength(arrivalsOf(parts, from))
      const errors = due.map((t, n) => Math.abs(areaBefore(parts, from, t / 1000) - n))
      expect(Math.max(0, ...errors)).toBeLessThan(1e-4)
      expect(due).toEqual(due.toSorted((a, b) => a - b))
    }),
  )
})

test('legal due times keep the thresholds, also when calls arrive up to the margin closer', () => {
  const thresholds = fc.record({
    perSecond: fc.integer({ min: 1, max: 5 }),
    perMinute: fc.integer({ min: 1, max: 9 }),
    perHour: fc.integer({ min: 1, max: 14 }),
  })
  const delays = fc.array(fc.integer({ min: 0, max: loadMarginMs - 1 }), {
    minLength: 40,
    maxLength: 40,
  })
  fc.assert(
    fc.property(thresholds, delays, (limits, late) => {
      const due = legalDueTimes(limits, 40, loadMarginMs)
      expect(firstExcess(limits, due)).toBeUndefined()
      // Delays spread a burst out; a call that waited for a window still arrives after the window has slid on.
      const arrived = due.map((t, n) => t + (late[n] ?? 0)).toSorted((a, b) => a - b)
      expect(firstExcess(limits, arrived)).toBeUndefined()
      const slow = legalDueTimes(limits, 40, loadMarginMs, 0.5)
      expect(firstExcess(limits, slow)).toBeUndefined()
      const gaps = slow.slice(1).map((t, n) => t - slow[n]!)
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(2_000)
    }),
  )
})

for (const [id, profile] of Object.entries(profiles) as [string, Profile][])
  test(`${id} keeps its shape at another size`, () => {
    const whole = arrivalsOf(profile.stages, profile.from)
    const half = shaped(profile, { count: Math.floor(whole / 2) })
    expect(half.stages.map(({ rate }) => rate)).toEqual(profile.stages.map(({ rate }) => rate))
    expect(
      Math.abs(arrivalsOf(half.stages, half.from) - Math.floor(whole / 2)),
    ).toBeLessThanOrEqual(1)
    const steady = shaped(profile, { rate: 7 })
    expect(arrivalsOf(steady.stages, steady.from)).toBe(whole)
  })
