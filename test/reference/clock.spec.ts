import { expect, test } from '@playwright/test'
import fc from 'fast-check'
import { createClock } from '../../reference/time/clock.ts'

const start = Date.parse('2026-06-15T08:00:00Z')
const manual = () => createClock({ startAt: start, manual: true })

test('work runs in the order of its due times, and for equal ones in the order of scheduling', async () => {
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

test('work sees its due time, and work that it schedules within the same move of the clock runs too', async () => {
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

test('a manual clock runs nothing until it is moved, and loses nothing', async () => {
  const clock = manual()
  let done = 0
  clock.at(start + 1, () => void done++)
  await clock.settle()
  expect(done).toBe(0)
  expect(clock.isDue()).toBe(false)
  await clock.advance(1)
  expect(done).toBe(1)
})

test('a manual clock starts at its instant, however slow the machine is', () => {
  let passed = 0
  performance.now = () => (passed += 0.7)
  try {
    const starts = Array.from({ length: 10 }, () => manual().now())
    expect(starts).toEqual(starts.map(() => start))
  } finally {
    // Deleting the own property restores the one of the prototype.
    Reflect.deleteProperty(performance, 'now')
  }
  expect(performance.now()).toBeGreaterThan(0)
})

test('work never overlaps, however many concurrent calls move the clock', async () => {
  const clock = manual()
  let running = 0
  let peak = 0
  for (let n = 1; n <= 20; n++) {
    clock.at(start + n, async () => {
      peak = Math.max(peak, ++running)
      await Promise.resolve()
      running--
    })
  }
  await Promise.all(Array.from({ length: 10 }, () => clock.advance(2)))
  expect(peak).toBe(1)
  expect(clock.now() - start).toBe(20)
  expect(clock.waiting()).toBe(0)
})

test('freeze stops the time, thaw continues from it, reset restores it', async () => {
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

test('failed work does not stop other work', async () => {
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
