import { expect, test } from '@playwright/test'
import fc from 'fast-check'
import { svc } from '../../contract/dialects/svc.ts'
import { cyclesOf } from '../../lib/plan/cycles.ts'
import type { Repeat } from '../../lib/plan/cycles.ts'
import { planLimits } from '../../lib/plan/design.ts'
import type { Design } from '../../lib/plan/design.ts'
import { durationOf, planSending } from '../../lib/plan/plan.ts'
import { scheduleBatch, scheduleOnline } from '../../lib/plan/sessions.ts'
import { timetable } from '../../lib/plan/timetable.ts'
import { firstExcess } from '../../lib/windows.ts'
import type { Thresholds } from '../../lib/windows.ts'

const spans = { perSecond: 1000, perMinute: 60_000, perHour: 3_600_000 } as const
type Key = keyof typeof spans

const isLegal = (thresholds: Thresholds, calls: readonly number[], t: number): boolean =>
  (Object.keys(spans) as Key[]).every(
    (key) =>
      calls.filter((call) => call > t - spans[key] && call <= t).length <
      (thresholds[key] ?? Infinity),
  )

/** The earliest end of any legal schedule, by trying every instant at which a window can free up. */
const earliestEnd = (thresholds: Thresholds, count: number): number => {
  let best = Infinity
  const extend = (calls: readonly number[]): void => {
    const last = calls.at(-1) ?? 0
    if (last >= best) return
    if (calls.length === count) {
      best = last
      return
    }
    const instants = new Set([
      last,
      ...calls.flatMap((call) => Object.values(spans).map((span) => call + span)),
    ])
    for (const t of instants) if (t >= last && isLegal(thresholds, calls, t)) extend([...calls, t])
  }
  extend([])
  return best
}

const small = fc.record({
  perSecond: fc.integer({ min: 1, max: 3 }),
  perMinute: fc.integer({ min: 1, max: 4 }),
  perHour: fc.integer({ min: 1, max: 5 }),
})

test('no legal schedule ends before a timetable', () => {
  fc.assert(
    fc.property(small, fc.integer({ min: 1, max: 7 }), (thresholds, calls) => {
      const bursts = timetable('invoiceSubmit', thresholds, calls)
      expect(bursts.at(-1)?.at).toBe(earliestEnd(thresholds, calls))
    }),
    { numRuns: 200 },
  )
})

const window = fc.record({
  perSecond: fc.integer({ min: 1, max: 6 }),
  perMinute: fc.integer({ min: 1, max: 12 }),
  perHour: fc.integer({ min: 1, max: 20 }),
})
const designs = fc.record({
  invoices: fc.integer({ min: 1, max: 120 }),
  contexts: fc.integer({ min: 1, max: 3 }),
  addresses: fc.integer({ min: 1, max: 2 }),
  rates: fc.record({
    invoiceSubmit: window,
    onlineOpen: window,
    onlineClose: window,
    batch: window,
  }),
  perSession: fc.integer({ min: 1, max: 30 }),
})
type Drawn = typeof designs extends fc.Arbitrary<infer T> ? T : never
const designOf = (
  { invoices, contexts, addresses, rates, perSession }: Drawn,
  mode: Design['mode'],
): Design => ({
  invoices,
  contexts,
  addresses,
  mode,
  invoiceBytes: 5000,
  limits: planLimits({
    name: 'drawn',
    dialect: svc,
    rates,
    values: { 'session.invoices': perSession },
  }),
})

test('an interactive plan is legal in every rule and holds every invoice in a session', () => {
  fc.assert(
    fc.property(designs, (drawn) => {
      const design = designOf(drawn, 'online')
      const { bursts, sessions, ends } = scheduleOnline(design)
      const times = bursts.flatMap(({ at, calls }) => Array.from({ length: calls }, () => at))
      const ascending = (values: readonly number[]) => values.toSorted((a, b) => a - b)
      expect(firstExcess(drawn.rates.invoiceSubmit, times)).toBeUndefined()
      const opened = ascending(sessions.map((session) => session.opened))
      const closed = ascending(sessions.map((session) => session.closed))
      expect(firstExcess(drawn.rates.onlineOpen, opened)).toBeUndefined()
      expect(firstExcess(drawn.rates.onlineClose, closed)).toBeUndefined()
      const share = Math.ceil(drawn.invoices / (drawn.contexts * drawn.addresses))
      expect(times).toHaveLength(share)
      let from = 0
      for (const session of sessions) {
        const own = times.slice(from, (from += session.invoices))
        expect(session.invoices).toBeLessThanOrEqual(drawn.perSession)
        expect(own.every((t) => t >= session.opened && t <= session.closed)).toBe(true)
        expect((own.at(-1) ?? 0) - session.opened).toBeLessThan(12 * 3_600_000)
      }
      expect(from).toBe(share)
      expect(ends).toBe(Math.max(times.at(-1) ?? 0, closed.at(-1) ?? 0))
    }),
  )
})

test('a batch plan is legal, and its calls come as early as the rule allows', () => {
  fc.assert(
    fc.property(designs, (drawn) => {
      const { sessions, ends } = scheduleBatch(designOf(drawn, 'batch'))
      const calls = sessions.flatMap(({ opened, closed }) => [opened, closed])
      expect(firstExcess(drawn.rates.batch, calls)).toBeUndefined()
      expect(timetable('batch', drawn.rates.batch, calls.length).at(-1)?.at).toBe(ends)
    }),
  )
})

const unfolded = (parts: readonly Repeat[], start: number): [number, number][] =>
  parts.flatMap((part) =>
    Array.from(
      { length: part.repeats },
      (_, round) => start + part.from + round * part.every,
    ).flatMap((at): [number, number][] =>
      part.parts.length === 0 ? [[at, part.calls]] : unfolded(part.parts, at),
    ),
  )

test('the short form of a schedule unfolds to the same calls', () => {
  fc.assert(
    fc.property(window, fc.integer({ min: 1, max: 150 }), (thresholds, calls) => {
      const bursts = timetable('invoiceSubmit', thresholds, calls)
      expect(unfolded(cyclesOf(bursts), 0)).toEqual(bursts.map((burst) => [burst.at, burst.calls]))
    }),
  )
})

const production = planLimits({ name: 'production', dialect: svc })
const base = { contexts: 1, addresses: 1, invoiceBytes: 5000, limits: production }

test('40,000 interactive invoices take 222 hours and a minute, bound by the hour', () => {
  const plan = planSending({ ...base, invoices: 40_000, mode: 'online' }, 86_400_000)
  expect(plan.schedule?.ends).toBe(222 * 3_600_000 + 60_000)
  expect(plan.waits[0]?.bound).toEqual({ rule: 'invoiceSubmit', window: 'hour', threshold: 180 })
  expect(plan.cycles[0]).toMatchObject({ repeats: 222, every: 3_600_000, calls: 180 })
  expect(plan.problems).toEqual(['it ends after the deadline'])
  expect(plan.alternatives.map(({ change }) => change)).toEqual([
    'send in batch sessions',
    '10 contexts meet the deadline',
    'twice as many contexts',
  ])
  const tenth = planSending({ ...base, contexts: 10, invoices: 40_000, mode: 'online' }, 86_400_000)
  expect(tenth.problems).toEqual([])
})

test('auto takes the mode that ends first', () => {
  expect(planSending({ ...base, invoices: 40_000, mode: 'auto' }).design.mode).toBe('batch')
  expect(planSending({ ...base, invoices: 1, mode: 'auto' }).design.mode).toBe('online')
})

test('polling each invoice of a batch is named as longer than the sending', () => {
  const plan = planSending({ ...base, invoices: 40_000, mode: 'batch' })
  const status = plan.companions.find(({ rule }) => rule === 'invoiceStatus')
  expect(status).toMatchObject({ calls: 40_000, fits: false })
  expect(status?.advice).toContain('list the invoices')
})

test('a threshold of 0 has no plan, and the error names it', () => {
  const none = { perSecond: 1, perMinute: 1, perHour: 0 }
  const limits = planLimits({ name: 'none', dialect: svc, rates: { invoiceSubmit: none } })
  const plan = planSending({ ...base, limits, invoices: 5, mode: 'online' })
  expect(plan.schedule).toBeUndefined()
  expect(plan.problems.join()).toContain('invoiceSubmit allows 0 calls a hour')
  expect(durationOf(plan.design)).toBe(Infinity)
})
