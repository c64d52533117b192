import { expect, test } from '@playwright/test'
import { assessLoad, refusedForOthers } from '../../cli/load/verdict.ts'
import { accountOf } from '../../load/trace/account.ts'
import { latenciesOf } from '../../load/trace/latency.ts'
import type { CallLine, SessionLine } from '../../load/trace/line.ts'

/** A run that kept the limits of its target but met 429: whose calls used the limit up? */

const hour = 3_600_000

/** Submissions at these milliseconds from the beginning; the last one is refused with 429. */
const callsAt = (...moments: readonly number[]): readonly CallLine[] =>
  moments.map((begun, i) => {
    const times = { due: begun, begun, ended: begun + 10, session: 0 }
    const answer = i === moments.length - 1 ? { status: 429 } : { status: 202, ref: `R${i}` }
    return { t: 'call', op: 'invoices.submit', i, ...times, ...answer }
  })

const session: SessionLine = {
  t: 'session',
  session: 0,
  ref: 'S-1',
  opened: 0,
  closed: 1,
  settled: 2,
  status: 200,
  invoices: 1,
  succeeded: 1,
  failed: 0,
}

const assessed = (
  calls: readonly CallLine[],
  {
    shared = true,
    limited = true,
    ...ended
  }: Partial<SessionLine & Record<'shared' | 'limited', boolean>>,
) => {
  const planned = calls.map((_, i) => ({ number: `N/${i}`, hash: `hash ${i}`, session: 0 }))
  const listed = calls.flatMap(({ ref, i }) =>
    ref === undefined ? [] : [{ ...planned[i]!, referenceNumber: ref, status: 200 }],
  )
  const { fromIntendedStart, lagMs } = latenciesOf(calls)
  return assessLoad({
    account: accountOf({
      planned,
      trace: calls,
      listed,
      receipted: undefined,
      sessionsRead: new Set([0]),
    }),
    sessions: [{ ...session, ...ended }],
    plannedSessions: 1,
    receiptProblems: [],
    fromIntendedStart,
    lagMs,
    lateStarts: [],
    maximumP95: undefined,
    limited,
    refusedForOthers: refusedForOthers(calls, () => shared),
    seeksBreakpoint: false,
    endedBy: undefined,
  })
}

test('429 in a shared context within an hour of the beginning says nothing of the service', () => {
  const { verdict, reasons } = assessed(callsAt(0, hour - 1), {})
  expect(verdict).toBe('inconclusive')
  expect(reasons).toEqual([
    expect.stringContaining('1 submission was refused with 429 within an hour of the beginning'),
  ])
})

test('a session in which every submission was refused for the calls of others is no failure either', () => {
  const { verdict, reasons } = assessed(callsAt(0), { status: 440, invoices: 0, succeeded: 0 })
  expect(verdict).toBe('inconclusive')
  expect(reasons).toContain('session S-1 ended with 440, expected 200')
})

const failures: readonly (readonly [string, readonly number[], Parameters<typeof assessed>[1]])[] =
  [
    ['an hour after the beginning', [0, hour], {}],
    ['in a context that the run drew itself', [0, 10], { shared: false }],
    ['in a run that did not keep the limits', [0, 10], { limited: false }],
  ]

for (const [what, moments, more] of failures)
  test(`429 ${what} is a failure`, () => {
    const { verdict, reasons } = assessed(callsAt(...moments), more)
    expect(verdict).toBe('fail')
    expect(reasons).toEqual([expect.stringContaining('1 submission was refused with 429')])
    expect(reasons[0]).not.toContain('of others')
  })
