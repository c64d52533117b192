import { expect, test } from '@playwright/test'
import fc from 'fast-check'
import { createClock } from '../../reference/time/clock.ts'

const start = Date.parse('2026-06-15T08:00:00Z')
const manual = () => createClock({ startAt: start, manual: true })

test('work runs in the order of its instants, equal ones in the order of their scheduling', async () => {
  const instants = fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 60 })
  await fc.assert(
    fc.asyncProperty(instants, async (delays) => {
      const clock = manual()
      const ran: number[] = []
      delays.forEach((delay, index) => clock.at(start + delay, () => void ran.push(index)))
      await clock.advance(100)
      const expected = delays
        .map((delay, index) => ({ delay, index }))
        .toSorted((a, b) => a.delay - b.delay || a.index - b.index)
        .map(({ index }) => index)
      expect(ran).toEqual(expected)
    }),
  )
})

test('work sees the instant that it was planned for, and what it plans within the turn runs too', async () => {
  const clock = manual()
  const seen: number[] = []
  clock.at(start + 10, () => {
    seen.push(clock.now() - start)
    clock.at(clock.now() + 5, () => void seen.push(clock.now() - start))
  })
  await clock.advance(60_000)
  expect(seen).toEqual([10, 15])
  expect(clock.now() - start).toBe(60_000)
  expect(clock.waiting()).toBe(0)
})

test('a standing clock does nothing by itself, and nothing is lost', async () => {
  const clock = manual()
  let done = 0
  clock.at(start + 1, () => void done++)
  await clock.settle()
  expect(done).toBe(0)
  expect(clock.isDue()).toBe(false)
  await clock.advance(1)
  expect(done).toBe(1)
})

test('a standing clock starts at its instant, however slow the machine is', () => {
  let passed = 0
  performance.now = () => (passed += 0.7)
  try {
    const starts = Array.from({ length: 10 }, () => manual().now())
    expect(starts).toEqual(starts.map(() => start))
  } finally {
    // Its own property hides that of its prototype.
    Reflect.deleteProperty(performance, 'now')
  }
  expect(performance.now()).toBeGreaterThan(0)
})

test('work never overlaps, however often the clock is turned at once', async () => {
  const clock = manual()
  let running = 0
  let most = 0
  for (let n = 1; n <= 20; n++) {
    clock.at(start + n, async () => {
      most = Math.max(most, ++running)
      await Promise.resolve()
      running--
    })
  }
  await Promise.all(Array.from({ length: 10 }, () => clock.advance(2)))
  expect(most).toBe(1)
  expect(clock.now() - start).toBe(20)
  expect(clock.waiting()).toBe(0)
})

test('a freeze holds the time, a thaw goes on from it, a reset goes back', async () => {
  const clock = createClock({ startAt: start })
  clock.freeze(true)
  const held = clock.now()
  await clock.advance(3_600_000)
  expect(clock.now()).toBe(held + 3_600_000)
  clock.freeze(false)
  expect(clock.now()).toBeGreaterThanOrEqual(held + 3_600_000)
  clock.reset()
  expect(clock.now()).toBeLessThan(start + 60_000)
  clock.close()
})

test('a piece of work that fails stops none of the others', async () => {
  const failures: unknown[] = []
  const clock = createClock({
    startAt: start,
    manual: true,
    onFailure: (error) => failures.push(error),
  })
  let done = 0
  clock.at(start + 1, () => {
    throw new Error('on purpose')
  })
  clock.at(start + 2, () => void done++)
  await clock.advance(10)
  expect(done).toBe(1)
  expect(failures).toHaveLength(1)
})
