import { expect, test } from '@playwright/test'
import fc from 'fast-check'
import { createLimiter } from '../../reference/rates/limiter.ts'
import { createReference } from '../../reference/service/reference.ts'
import { policy } from '../../reference/policy/policy.ts'
import type { Policy } from '../../reference/policy/policy.ts'

// The limiter of the reference against the definition of the three windows, written down as directly as possible.

const spans = [1_000, 60_000, 3_600_000] as const
const windows = fc.record({
  perSecond: fc.integer({ min: 0, max: 4 }),
  perMinute: fc.integer({ min: 1, max: 8 }),
  perHour: fc.integer({ min: 1, max: 12 }),
})
const gaps = fc.array(
  fc.oneof(
    fc.integer({ min: 0, max: 1_500 }),
    fc.constantFrom(0, 999, 1_000, 1_001, 59_999, 60_000, 3_599_999, 3_600_000),
  ),
  { maxLength: 80 },
)
const start = Date.parse('2026-06-15T08:00:00Z')
const legal = (bounds: readonly number[], passed: readonly number[], now: number): boolean =>
  spans.every((span, at) => passed.filter((call) => call > now - span).length < bounds[at]!)

const unblocked: Policy = { ...policy, blockHolds: () => false }

test('permits exactly what the three windows permit', () => {
  fc.assert(
    fc.property(windows, gaps, (window, waits) => {
      const limiter = createLimiter()
      const bounds = [window.perSecond, window.perMinute, window.perHour]
      const passed: number[] = []
      let now = start
      for (const wait of waits) {
        now += wait
        const allowed = legal(bounds, passed, now)
        if (
          (limiter.pass(unblocked, 'key', policy.thresholds(window), now) === undefined) !==
          allowed
        ) {
          return false
        }
        if (allowed) passed.push(now)
      }
      return true
    }),
  )
})

test('reports the smallest sufficient number of whole seconds', () => {
  const some = fc.record({
    perSecond: fc.integer({ min: 1, max: 4 }),
    perMinute: fc.integer({ min: 1, max: 8 }),
    perHour: fc.integer({ min: 1, max: 12 }),
  })
  fc.assert(
    fc.property(some, gaps, (window, waits) => {
      const limiter = createLimiter()
      const bounds = [window.perSecond, window.perMinute, window.perHour]
      const passed: number[] = []
      let now = start
      for (const wait of waits) {
        now += wait
        const limited = limiter.pass(unblocked, 'key', policy.thresholds(window), now)
        if (limited === undefined) {
          passed.push(now)
          continue
        }
        // A block soon after another one is longer on purpose; only the first of a series has the minimum length.
        const expected = Array.from({ length: 3_601 }, (_, s) => s + 1).find((seconds) =>
          legal(bounds, passed, now + seconds * 1_000),
        )
        expect(limited.retryAfter, `at ${now - start}`).toBe(expected)
        return
      }
    }),
  )
})

test('holds a block until its end and extends the next one', () => {
  const limiter = createLimiter()
  const thresholds = policy.thresholds({ perSecond: 1, perMinute: 100, perHour: 100 })
  let now = start
  expect(limiter.pass(policy, 'key', thresholds, now)).toBeUndefined()
  const first = limiter.pass(policy, 'key', thresholds, now)
  expect(first?.retryAfter).toBe(1)
  expect(limiter.pass(policy, 'key', thresholds, now + 999)?.retryAfter).toBe(1)
  now += 1_000
  expect(limiter.pass(policy, 'key', thresholds, now)).toBeUndefined()
  const second = limiter.pass(policy, 'key', thresholds, now)
  expect(second?.retryAfter).toBe(3)
  now += 3_000
  expect(limiter.pass(policy, 'key', thresholds, now)).toBeUndefined()
  expect(limiter.pass(policy, 'key', thresholds, now)?.retryAfter).toBe(5)
  now += 5_000 + 600_000
  expect(limiter.pass(policy, 'key', thresholds, now)).toBeUndefined()
  expect(limiter.pass(policy, 'key', thresholds, now)?.retryAfter, 'after ten quiet minutes').toBe(
    1,
  )
})

test('counts keys separately and removes idle ones', () => {
  const limiter = createLimiter()
  const thresholds = policy.thresholds({ perSecond: 1, perMinute: 1, perHour: 1 })
  const refused = Array.from({ length: 10_000 }, (_, key) => key).filter(
    (key) => limiter.pass(policy, `key ${key}`, thresholds, start) !== undefined,
  )
  expect(refused).toEqual([])
  expect(limiter.pass(policy, 'key 0', thresholds, start)).toBeDefined()
  limiter.pass(policy, 'a later one', thresholds, start + 3 * 3_600_000)
  expect(limiter.size()).toBeLessThan(10)
})

test('calls after a clock that was set back no longer count', () => {
  const limiter = createLimiter()
  const thresholds = policy.thresholds({ perSecond: 1, perMinute: 1, perHour: 1 })
  expect(limiter.pass(policy, 'key', thresholds, start + 86_400_000)).toBeUndefined()
  expect(limiter.pass(policy, 'key', thresholds, start)).toBeUndefined()
  expect(limiter.pass(policy, 'key', thresholds, start)).toBeDefined()
})

for (const dialect of ['svc', 'ksef']) {
  test(`limits of the test option are ten times those of production in ${dialect}`, async () => {
    const tables = await Promise.all(
      (['production', 'test'] as const).map(async (limits) => {
        const service = await createReference({ dialect, limits })
        const found = service.service.limits.rate('default', { type: 'Nip', value: '5265877635' })
        await service.close()
        return found
      }),
    )
    expect(tables).toEqual([
      { perSecond: 10, perMinute: 30, perHour: 120 },
      { perSecond: 100, perMinute: 300, perHour: 1200 },
    ])
  })
}
