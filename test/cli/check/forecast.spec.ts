import { expect, test } from '@playwright/test'
import { costOf } from '../../../cli/check/costs.ts'
import { forecast } from '../../../cli/check/forecast.ts'
import type { Forecast } from '../../../cli/check/forecast.ts'
import { forecastLines } from '../../../cli/check/forecast-text.ts'
import { listedChecks } from '../../../cli/registered.ts'
import type { RegisteredCheck } from '../../../cli/registered.ts'
import type { TargetProfile } from '../../../lib/node/target.ts'
import { firstExcess } from '../../../lib/windows.ts'
import { NotOffered } from '../../../suites/support/run/not-offered.ts'
import { createPacing } from '../../../suites/support/run/pacing.ts'
import { createPatience, ofCheck } from '../../../suites/support/run/patience.ts'
import { startClaiming } from '../../../suites/support/run/room.ts'
import { titleOf } from '../../../suites/support/checks/rule.ts'
import { serveSharedPacer, sharedPacing } from '../../../suites/support/run/shared-pacer.ts'
import { startWaiting } from '../../../suites/support/run/waiting.ts'
import { defaultWorkers, onlyOneBecause } from '../../../suites/support/run/workers.ts'
import { hours, limitsOf, oneContext, planned } from './one-context.ts'

/** The plan of a run, and the pacing that keeps it. */

const isOfTestData = (row: string): boolean => row.startsWith('testdata.')

test('calls for test data are planned only for a target that accepts them', async () => {
  const rowsAt = async (capabilities: TargetProfile['capabilities']) => {
    const profile = { ...oneContext, ...(capabilities && { capabilities }) }
    const checks = await listedChecks()
    const { rows } = forecast(checks, { profile, patienceMs: 24 * hours, workers: 1 })
    return rows.map(({ row }) => row).filter(isOfTestData)
  }
  expect(await rowsAt([])).toEqual([])
  expect(await rowsAt(['testdata'])).toContain('testdata.setRateLimits')
})

test('a check that works in several contexts is planned where there are as many', async () => {
  const [first] = oneContext.contexts ?? []
  const checks = await listedChecks()
  const runsWith = (contexts: TargetProfile['contexts'] = []) => {
    const profile = { ...oneContext, contexts }
    return forecast(checks, { profile, patienceMs: 24 * hours, workers: 1 }).runs
  }
  const alone = runsWith(oneContext.contexts)
  const two = runsWith([first!, { ...first!, value: '2884988242' }])
  const fewest = (check: RegisteredCheck) => costOf(check).contexts - costOf(check).spareContexts
  expect(alone.filter((check) => fewest(check) > 1)).toEqual([])
  expect(
    alone.filter((check) => costOf(check).contexts > 1).length,
    'that do without the others',
  ).toBeGreaterThan(100)
  expect(two.filter((check) => costOf(check).contexts === 2).length).toBeGreaterThan(100)
  expect(two.length, 'more than with one').toBeGreaterThan(alone.length)
  expect(two.filter((check) => fewest(check) > 2)).toEqual([])
})

/** A clock that advances when the code sleeps. */
const virtual = () => {
  let now = 0
  return {
    now: () => now,
    sleep: async (ms: number) => {
      now += ms
    },
  }
}

/**
 * Makes the calls of a plan in virtual time; returns when each was made, and which checks found no room.
 * @param speed how many times as fast as planned
 */
const runOf = async (plan: Forecast, patienceMs: number, speed = 1) => {
  const { now, sleep } = virtual()
  const pacing = createPacing({
    now,
    sleep,
    unlimited: () => false,
    patience: ofCheck(createPatience(patienceMs, now)),
    marginMs: 100,
  })
  const times = new Map<string, number[]>()
  const gaveUp: RegisteredCheck[] = []
  const { runs, schedule } = plan
  for (const [index, check] of runs.entries()) {
    const { ms, calls } = costOf(check)
    const scheduled = schedule[index]
    const begun = now()
    startClaiming(scheduled?.claims ?? [])
    startWaiting({ timeout: 0, setTimeout: () => {} }, scheduled)
    try {
      for (const [row, count] of Object.entries(calls).filter(([name]) => !isOfTestData(name)))
        for (let call = 0; call < Math.round(count); call += 1) {
          await pacing.from().wait(row === 'public' ? 'address' : 'context', row, limitsOf(row))
          times.set(row, [...(times.get(row) ?? []), now()])
        }
    } catch (error) {
      if (!(error instanceof NotOffered)) throw error
      gaveUp.push(check)
    }
    await sleep(Math.max(0, ms / speed - (now() - begun)))
  }
  return { ms: now(), times, gaveUp }
}

for (const patienceMs of [24 * hours, 3 * hours, hours])
  test(`a run with ${patienceMs / hours} h of patience keeps to its plan, and to the limits of the one context`, async () => {
    const plan = await planned(patienceMs)
    const { ms, times, gaveUp } = await runOf(plan, patienceMs)
    for (const [row, at] of times) expect(firstExcess(limitsOf(row), at), row).toBeUndefined()
    const { planned: course } = plan
    expect(course.ms).toBeGreaterThan(0.8 * hours)
    expect(course.patienceMs).toBeLessThan(course.ms)
    expect(ms / course.ms).toBeGreaterThan(0.8)
    expect(ms / course.ms).toBeLessThan(1.2)
    expect(gaveUp.length / plan.runs.length).toBeCloseTo(
      course.withoutRoom.length / plan.runs.length,
      1,
    )
  })

test('a run that is faster than its plan finds the room that was planned', async () => {
  const plan = await planned(hours)
  const { ms, gaveUp } = await runOf(plan, hours, 4)
  expect(ms).toBeLessThan(plan.planned.ms + hours - plan.planned.patienceMs)
  expect(gaveUp.length).toBeLessThan(1.05 * plan.planned.withoutRoom.length)
})

test('a plan knows the calls of earlier runs in its contexts', async () => {
  const checks = (await listedChecks()).filter(({ rule }) => rule === 'sessions.online.close')
  const given = { profile: oneContext, patienceMs: 0, workers: 1 }
  const beginAt = Date.parse('2026-06-15T08:00:00Z')
  const opened = Array.from({ length: 118 }, (_, at) => beginAt - 120_000 - at).toReversed()
  const earlierIn = (context: string) => ({
    calls: { [`${context} onlineOpen`]: opened },
    beginAt,
  })
  const fresh = forecast(checks, given)
  const [{ kind, value } = { kind: 'Nip', value: '' }] = oneContext.contexts ?? []
  const after = forecast(checks, { ...given, earlier: earlierIn(`${kind} ${value}`) })
  expect(after.planned.withoutRoom.length).toBeGreaterThan(fresh.planned.withoutRoom.length)
  expect(after.whole.ms - fresh.whole.ms).toBeGreaterThan(50 * 60_000)
  expect(forecast(checks, { ...given, earlier: earlierIn('Nip 1111111111') }).planned).toEqual(
    fresh.planned,
  )
  expect(forecastLines(after, { given: 0, documents: 25 }).join('\n')).toContain(
    '118 calls of earlier runs in the same contexts still count',
  )
})

test('more workers do not shorten the wait for a shared limit', async () => {
  const given = { profile: oneContext, patienceMs: 24 * hours }
  const { planned: course, rows } = forecast(await listedChecks(), { ...given, workers: 100 })
  expect(course.ms).toBe(Math.max(...rows.map((row) => row.ms)))
})

test('checks that share contexts or a clock run one after the other', () => {
  const own: TargetProfile = { ...oneContext, environment: 'test' }
  expect(onlyOneBecause(oneContext)).toContain('share the contexts')
  expect(onlyOneBecause({ ...own, management: 'http://127.0.0.1:1' })).toContain('clock')
  expect(onlyOneBecause(own)).toBeUndefined()
  expect([oneContext, own, undefined].map(defaultWorkers)).toEqual([1, 2, 2])
  expect(defaultWorkers({ ...own, capabilities: ['provoke'] })).toBe(1)
})

test('a plan states what will not run and why, which window binds, and how much patience is missing', async () => {
  const plan = await planned(0)
  const lines = forecastLines(plan, { given: 0, documents: 40 }).join('\n')
  const left = plan.notRun.reduce((sum, { checks }) => sum + checks.length, 0)
  expect(plan.runs.length + left).toBe((await listedChecks()).length)
  expect(lines).toContain(`plan: ${plan.runs.length} checks will run, ${left} will not`)
  expect(lines).toMatch(/\d+ checks: needs testdata \(the test data operations\): declare/)
  expect(lines).toMatch(/the limit that binds: \w+, \d+ an hour/)
  expect(plan.planned.withoutRoom.length).toBeGreaterThan(0)
  expect(lines).toContain(`${plan.planned.withoutRoom.length} checks will find no room`)
  expect((await planned(24 * hours)).planned.withoutRoom).toEqual([])
})

test('a plan states how many documents it has room to generate', async () => {
  const checks = (await listedChecks()).filter(({ variant = '' }) =>
    variant.startsWith('generated document'),
  )
  const profile = { ...oneContext, capabilities: ['testdata'] as const }
  const said = (patienceMs: number, rateFactor: number) => {
    const plan = forecast(checks, { profile: { ...profile, rateFactor }, patienceMs, workers: 1 })
    const lines = forecastLines(plan, { given: patienceMs, documents: 40 })
    return lines.find((line) => line.startsWith('generated documents'))
  }
  expect(said(24 * hours, 1)).toMatch(
    new RegExp(`: ${checks.length} packages, those that are to reach .* with up to 40 each`),
  )
  expect(said(0, 0.02)).toMatch(/none, because there is no room/)
})

test('a plan names each check on request, those that will not run below the reason', async () => {
  const plan = await planned(0)
  const named = forecastLines(plan, { given: 0, documents: 40, listed: true })
  const [{ reason, checks } = { reason: '', checks: [] }] = plan.notRun
  const place = named.indexOf(`  ${checks.length} checks: ${reason}`)
  const titles = checks.map(({ rule, variant }) => `    ${titleOf(rule, variant)}`)
  expect(named.slice(place + 1, place + 1 + checks.length)).toEqual(titles)
  const running = plan.runs.map(({ rule, variant }) => `  ${titleOf(rule, variant)}`)
  expect(named.slice(1, 1 + running.length)).toEqual(running)
  expect(forecastLines(plan, { given: 0, documents: 40 }).join('\n')).not.toContain(titles[0])
})

test('patience covers the waits of the whole run; short waits need none', () => {
  const { now, sleep } = virtual()
  const patience = createPatience(100_000, now)
  const granted = [15_000, 60_000, 50_000, 40_000, 16_000].map((ms) => {
    const isGranted = patience.grants(ms)
    if (isGranted) void sleep(ms)
    return isGranted
  })
  expect(granted).toEqual([true, true, false, true, false])
})

test('workers share one pacer, and return the places that they do not use', async () => {
  const { url, close } = await serveSharedPacer(createPatience(0))
  try {
    const workers = [sharedPacing(url), sharedPacing(url)]
    const [one, other] = workers.map((worker) => worker?.placesOf(''))
    const limits = { perMinute: 2 }
    const place = async (places = one) => (await places?.reserve('Nip 1', 'row', limits))?.at ?? 0
    const first = await place(one)
    const second = await place(other)
    const third = await place(one)
    expect(second - first).toBeLessThan(60_000)
    expect(third - first).toBeGreaterThanOrEqual(60_000)
    expect(await place(other)).toBeGreaterThanOrEqual(third)
    await one?.forget({ key: 'Nip 1 row', at: third })
    expect(await workers[1]?.patience.grants(20_000)).toBe(false)
    expect(await workers[1]?.patience.grants(2_000)).toBe(true)
  } finally {
    close()
  }
})

test('a check starts once there is room for all of its calls, not only for the first', async () => {
  const { now, sleep } = virtual()
  const patience = createPatience(2 * hours)
  const pace = createPacing({ now, sleep, unlimited: () => false, patience, marginMs: 0 }).from()
  const thresholds = { perSecond: 10, perMinute: 10, perHour: 3 }
  const times: number[] = []
  const runCheck = async (...claimed: readonly number[]) => {
    startClaiming(claimed.map((calls) => ({ rule: 'batch', thresholds, calls })))
    for (let call = 0; call < 2; call += 1)
      times.push((await pace.wait('a', 'batch', thresholds)).at)
  }
  await runCheck(2)
  await sleep(60_000)
  await runCheck(2)
  await runCheck()
  // The last check does not state what it needs, so it waits between its two calls.
  expect(times).toEqual([0, 0, hours, hours, hours, 2 * hours])
  startClaiming([])
})

test('a check that was not measured is planned with the median of its rule', async () => {
  const rule = 'queries.metadata.filters'
  const { calls } = costOf({ rule, variant: 'nobody has measured it' })
  const checks = await listedChecks()
  const measured = checks.find(({ variant }) => variant === 'stocked search, two filters')
  expect(measured && costOf(measured).calls['queryMetadata']).toBeGreaterThan(200)
  expect(calls['queryMetadata'] ?? 0, 'within the hour of production limits').toBeLessThan(21)
})

test('a check that continues in another context waits for room in one of them', async () => {
  const checks = await listedChecks()
  const many = checks.filter(({ variant }) => variant === 'malformed request, exports.create')
  expect(many).toHaveLength(1)
  const { calls, contexts } = costOf(many[0]!)
  expect(calls['exportCreate'], 'beyond the hour of one context').toBeGreaterThan(20)
  const own: TargetProfile = { ...oneContext, environment: 'test' }
  const given = { patienceMs: 24 * hours, workers: 1 }
  expect(forecast(many, { ...given, profile: own }).planned.ms).toBeLessThan(0.1 * hours)
  const [one] = oneContext.contexts ?? []
  const pool = { ...oneContext, contexts: Array.from({ length: contexts }, () => one!) }
  expect(forecast(many, { ...given, profile: pool }).planned.ms).toBeGreaterThan(hours)
})
