import { expect, test } from '@playwright/test'
import { svc } from '../../../contract/dialects/svc.ts'
import { endpoints } from '../../../contract/endpoints.ts'
import { costOf, togetherIn } from '../../../cli/check/costs.ts'
import { forecast } from '../../../cli/check/forecast.ts'
import type { Forecast } from '../../../cli/check/forecast.ts'
import { listedChecks } from '../../../cli/registered.ts'
import type { RegisteredCheck } from '../../../cli/registered.ts'
import { countedAs } from '../../../lib/pacer.ts'
import { grouped } from '../../../reports/finding.ts'
import { rowOf } from '../../../suites/support/checks/rule.ts'
import { hours, limitsOf, oneContext, planned } from './one-context.ts'

/** The order of a run whose checks share the limits of one context. */

const isMust = ({ rule, variant }: RegisteredCheck): boolean =>
  rowOf(rule, variant).level === 'MUST'

/** The checks of a plan, each with its round. */
const inRounds = ({ runs, schedule }: Forecast) =>
  runs.map((check, index) => ({ check, round: schedule[index]?.round ?? -1 }))

test('checks of MUST rules take room before all others', async () => {
  const checks = await listedChecks()
  const given = { profile: oneContext, patienceMs: 0, workers: 1 }
  const all = inRounds(forecast(checks, given))
  const alone = inRounds(forecast(checks.filter(isMust), given))
  expect(alone.length).toBeLessThan(all.length)
  expect(all.filter(({ check }) => isMust(check))).toEqual(alone)
})

test('checks that find room in one hour run together, so that no limit is waited for in turn', async () => {
  const plan = await planned(24 * hours)
  const rounds = [...grouped(inRounds(plan), ({ round }) => String(round)).entries()]
  expect(rounds.map(([round]) => Number(round))).toEqual(rounds.map((_, index) => index))
  expect(rounds.length).toBeGreaterThan(5)
  for (const [round, members] of rounds) {
    const calls = members.flatMap(({ check }) => Object.entries(costOf(check).calls))
    const used = grouped(calls, ([row]) => (row in endpoints ? row : countedAs(row, svc)))
    for (const [rule, made] of used) {
      const sum = made.reduce((all, [, count]) => all + count, 0)
      const { perHour = Number.POSITIVE_INFINITY } = limitsOf(rule)
      expect(made.length === 1 || sum <= perHour, `${rule} in round ${round}`).toBe(true)
    }
  }
  const longest = Math.max(...plan.rows.map((row) => row.ms))
  expect(plan.whole.ms / longest, 'a quarter more than one limit needs').toBeLessThan(1.25)
})

test('checks that do their work together run in one hour, and the first pays for all', async () => {
  const all = inRounds(await planned(24 * hours))
  const members = all.filter(({ check }) => togetherIn(check) !== undefined)
  expect(members.length).toBeGreaterThan(30)
  expect(new Set(members.map(({ round }) => round)).size).toBe(1)
  const [first, ...others] = members.map(({ check }) => Object.keys(costOf(check).calls).length)
  expect(first, 'what sequences call').toBeGreaterThan(5)
  expect(new Set(others)).toEqual(new Set([0]))
})

test('where sequences find no room, no check that judges them is promised', async () => {
  const given = { patienceMs: 0, workers: 1 }
  // At ten times the limits of production there is room for them, and at a twentieth none.
  for (const [rateFactor, isRefused] of [
    [10, false],
    [0.05, true],
  ] as const) {
    const profile = { ...oneContext, rateFactor }
    const { runs, planned: course } = forecast(await listedChecks(), { ...given, profile })
    const members = runs.filter((check) => togetherIn(check) !== undefined)
    const refused = members.filter((check) => course.withoutRoom.includes(check))
    expect(refused.length).toBe(isRefused ? members.length : 0)
  }
})

test('the first hours hold a check of nearly every rule', async () => {
  const { runs, planned: course } = await planned(hours)
  const withRoom = runs.filter((check) => !course.withoutRoom.includes(check))
  const rulesOf = (checks: readonly RegisteredCheck[]) => new Set(checks.map(({ rule }) => rule))
  expect(rulesOf(withRoom).size / rulesOf(runs).size).toBeGreaterThan(0.95)
})
