import { expect, test } from '@playwright/test'
import fc from 'fast-check'
import { svc } from '../../contract/dialects/svc.ts'
import { createPacer, createPlaces, thresholdsOf } from '../../lib/pacer.ts'
import { createWindows, firstExcess, planCalls } from '../../lib/windows.ts'
import type { Thresholds } from '../../lib/windows.ts'

// The oracle against the definition, written down as directly as possible.

const spans = { perSecond: 1000, perMinute: 60_000, perHour: 3_600_000 } as const

const legal = (thresholds: Thresholds, calls: readonly number[], t: number): boolean =>
  Object.entries(thresholds).every(
    ([name, threshold]) =>
      calls.filter((call) => call > t - spans[name as keyof typeof spans] && call <= t).length <
      (threshold as number),
  )

const thresholds = fc.record(
  {
    perSecond: fc.integer({ min: 1, max: 4 }),
    perMinute: fc.integer({ min: 1, max: 8 }),
    perHour: fc.integer({ min: 1, max: 12 }),
  },
  { requiredKeys: [] },
)
const gaps = fc.array(
  fc.oneof(
    fc.integer({ min: 0, max: 1500 }),
    fc.constantFrom(0, 999, 1000, 1001, 59_999, 60_000, 3_599_999, 3_600_000),
  ),
  { maxLength: 60 },
)
const timesOf = (steps: readonly number[]): number[] => {
  let t = 0
  return steps.map((step) => (t += step))
}

test('permits a call exactly when every window has room', () => {
  fc.assert(
    fc.property(thresholds, gaps, (limits, steps) => {
      const windows = createWindows(limits)
      const admitted: number[] = []
      for (const t of timesOf(steps)) {
        const expected = legal(limits, admitted, t)
        expect(windows.free(t)).toBe(expected)
        expect(windows.admit(t)).toBe(expected)
        if (expected) admitted.push(t)
      }
    }),
  )
})

test('roomFor is the first instant at which an hour has room for all of some calls', () => {
  fc.assert(
    fc.property(thresholds, gaps, fc.nat(15), fc.nat(2000), (limits, steps, calls, later) => {
      const windows = createWindows(limits)
      const admitted = timesOf(steps).filter((t) => windows.admit(t))
      const t = (admitted.at(-1) ?? 0) + later
      const hour = limits.perHour ?? Number.POSITIVE_INFINITY
      const hasRoom = (at: number) =>
        admitted.filter((call) => call > at - spans.perHour).length + Math.min(calls, hour) <= hour
      const room = windows.roomFor(t, calls)
      expect(room).toBeGreaterThanOrEqual(t)
      expect(hasRoom(room)).toBe(true)
      if (room > t) expect(hasRoom(room - 1)).toBe(false)
    }),
  )
})

test('nextFree is the first legal instant, and retryAfter covers it in whole seconds', () => {
  fc.assert(
    fc.property(thresholds, gaps, fc.integer({ min: 0, max: 2000 }), (limits, steps, later) => {
      const windows = createWindows(limits)
      const admitted = timesOf(steps).filter((t) => windows.admit(t))
      const t = (admitted.at(-1) ?? 0) + later
      const free = windows.nextFree(t)
      expect(legal(limits, admitted, free)).toBe(true)
      expect(free === t || !legal(limits, admitted, free - 1)).toBe(true)
      const wait = windows.retryAfter(t)
      expect(wait * 1000).toBeGreaterThanOrEqual(free - t)
      expect(wait * 1000).toBeLessThan(free - t + 1000)
    }),
  )
})

test('a plan is legal and as early as possible', () => {
  fc.assert(
    fc.property(thresholds, fc.integer({ min: 0, max: 40 }), (limits, calls) => {
      const plan = planCalls(limits, calls)
      expect(firstExcess(limits, plan)).toBeUndefined()
      for (const [place, t] of plan.entries()) {
        const before = plan.slice(0, place)
        const earliest = before.at(-1) ?? 0
        expect(t === earliest || !legal(limits, before, t - 1)).toBe(true)
      }
    }),
  )
})

test('permits a call exactly one window later, but not one millisecond earlier', () => {
  for (const [name, span] of Object.entries(spans)) {
    const windows = createWindows({ [name]: 1 })
    expect(windows.admit(0)).toBe(true)
    expect(windows.admit(span - 1)).toBe(false)
    expect(windows.admit(span)).toBe(true)
  }
})

test('reports the exceeded window', () => {
  const found = firstExcess({ perSecond: 2, perMinute: 3 }, [0, 1000, 2000, 3000])
  expect(found).toEqual({ window: 'minute', threshold: 3, until: 60_000, call: 3, at: 3000 })
})

test('the submissions of an hour, by the rate table', () => {
  const submit = thresholdsOf('invoiceSubmit', svc)
  if (submit === undefined) throw new Error('invoiceSubmit has no thresholds')
  const plan = planCalls(submit, 181)
  expect(plan[30]).toBe(60_000)
  expect(plan[180]).toBe(3_600_000)
})

test('a removed call does not count', () => {
  const windows = createWindows({ perSecond: 1 })
  windows.count(0)
  windows.forget(0)
  expect(windows.admit(0)).toBe(true)
})

test('a returned place leaves every earlier call counted', () => {
  const windows = createWindows({ perHour: 2 })
  windows.count(0)
  windows.count(1)
  const next = windows.nextFree(2)
  windows.count(next)
  windows.forget(next)
  expect(windows.nextFree(2)).toBe(next)
})

test('the pacer schedules concurrent calls at legal times', async () => {
  await fc.assert(
    fc.asyncProperty(thresholds, fc.integer({ min: 1, max: 30 }), async (limits, calls) => {
      const starts: number[] = []
      const pacer = createPacer({
        now: () => 1000,
        sleep: () => Promise.resolve(),
        marginMs: 0,
      })
      for (let call = 0; call < calls; call += 1) {
        starts.push((await pacer.wait('context', 'rule', limits)).at)
      }
      expect(firstExcess(limits, starts)).toBeUndefined()
    }),
  )
})

test('after a 429 the pacer waits for Retry-After, and the rejected call does not count', async () => {
  const waits: number[] = []
  const pacer = createPacer({
    now: () => 0,
    sleep: async (ms) => {
      waits.push(ms)
    },
    marginMs: 0,
  })
  const ticket = await pacer.wait('context', 'rule', { perSecond: 1 })
  await pacer.refused(ticket, 7000)
  expect((await pacer.wait('context', 'rule', { perSecond: 1 })).at).toBe(7000)
  expect((await pacer.wait('other', 'rule', { perSecond: 1 })).at).toBe(0)
  expect(waits).toEqual([7000])
})

test('calls that wait for a window keep their order', async () => {
  const places = createPlaces({ now: () => 1_000, marginMs: 100 })
  const limits = { perMinute: 2 }
  const at = Array.from({ length: 6 }, () => places.reserve('context', 'rule', limits).at)
  expect(firstExcess(limits, at)).toBeUndefined()
  expect(at).toEqual([1_000, 1_000, 61_100, 61_100, 121_200, 121_200])
})

test('a part of a limit is whole calls, at least one', () => {
  expect(thresholdsOf('default', svc, 1 / 3)).toEqual({ perSecond: 3, perMinute: 10, perHour: 40 })
  expect(thresholdsOf('default', svc, 0.01)).toEqual({ perSecond: 1, perMinute: 1, perHour: 1 })
  const part = thresholdsOf('default', svc, 0.25)!
  expect(planCalls(part, 4)).toEqual([0, 0, 1_000, 1_000])
})
