import { grouped } from '../../reports/finding.ts'
import { rowOf, titleOf } from '../../suites/support/checks/rule.ts'
import type { RegisteredCheck } from '../registered.ts'
import { togetherIn } from './costs.ts'
import { callsInHour, longestWindow } from './simulate.ts'
import type { Setting } from './simulate.ts'

/**
 * The order of a run within limits that all checks share. A check that finds no room waits for up to an hour, and all
 * others with it; so those that find room in one hour together run together, what must hold in the first hours.
 */

/** Checks in the order in which they run, those of one hour together. */
export type Rounds = readonly (readonly RegisteredCheck[])[]

/** How full a plan makes an hour: where checks share a context, lists are longer than where they were measured. */
const filled = 0.95

/** The calls of a check against one limit, and how many a round has room for. */
interface Need {
  readonly rule: string
  readonly calls: number
  readonly room: number
}

interface Weighed {
  /** One check, or those that do their work together. */
  readonly checks: readonly RegisteredCheck[]
  readonly needs: readonly Need[]
  /** What must hold is 0, or 1 where a cheaper check of its rule is; what else there is 2 and 3: few rules are left out. */
  readonly rank: number
  /** Of the limit that it needs most of. */
  readonly share: number
}

const needsOf = (checks: readonly RegisteredCheck[], setting: Setting): readonly Need[] =>
  checks
    .flatMap((check) => callsInHour(check, setting))
    .map(({ rule, calls, thresholds }) => {
      const room = filled * (thresholds.perHour ?? 0) * (setting.contexts ?? 1)
      return { rule, calls, room }
    })

const weigh = (all: readonly RegisteredCheck[], setting: Setting): readonly Weighed[] => {
  const seen = new Set<string>()
  const together = grouped(all, (check) => togetherIn(check) ?? titleOf(check.rule, check.variant))
  return [...together.values()]
    .map((checks) => {
      const needs = needsOf(checks, setting)
      return { checks, needs, share: Math.max(0, ...needs.map(({ calls, room }) => calls / room)) }
    })
    .toSorted((a, b) => a.share - b.share)
    .map((one) => {
      const ranks = one.checks.map(({ rule, variant }) => {
        const known = seen.has(rule)
        seen.add(rule)
        return (rowOf(rule, variant).level === 'MUST' ? 0 : 2) + (known ? 1 : 0)
      })
      return { ...one, rank: Math.min(...ranks) }
    })
}

/** What a round has taken already, by rate rule. */
type Taken = Map<string, number>

const takenEarlier = (weighed: readonly Weighed[], { contexts = 0, earlier }: Setting): Taken => {
  const rules = new Set(weighed.flatMap(({ needs }) => needs.map(({ rule }) => rule)))
  const times = (rule: string) =>
    Array.from({ length: contexts }, (_, context) => earlier(context, rule)).flat()
  return new Map(
    [...rules].map((rule) => [rule, times(rule).filter((at) => at > -longestWindow).length]),
  )
}

/** The order of the files is Playwright's. */
const inFiles = (checks: readonly RegisteredCheck[]): readonly RegisteredCheck[] =>
  checks.toSorted((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0))

/** Puts each check into the first round that has room for it. */
const fill = (weighed: readonly Weighed[], earlier: Taken): Rounds => {
  const rounds: { readonly taken: Taken; readonly checks: RegisteredCheck[] }[] = [
    { taken: new Map(earlier), checks: [] },
  ]
  for (const { checks, needs } of weighed) {
    let round = rounds.find(({ taken }) =>
      needs.every(({ rule, calls, room }) => {
        const others = taken.get(rule) ?? 0
        // One that needs more than an hour allows comes when it has the whole hour.
        return others + calls <= room || (others === 0 && calls > room)
      }),
    )
    if (round === undefined) rounds.push((round = { taken: new Map(), checks: [] }))
    for (const { rule, calls } of needs) round.taken.set(rule, (round.taken.get(rule) ?? 0) + calls)
    round.checks.push(...checks)
  }
  return rounds.map((round) => inFiles(round.checks)).filter((round) => round.length > 0)
}

/**
 * Orders of a run. With the cheapest checks first, most find room while the patience lasts; with the dearest first, which
 * are the hardest to place, the run of all of them is shortest. Where each check takes contexts as it needs them, there is
 * room for all of them at once.
 */
export const ordersOf = (
  checks: readonly RegisteredCheck[],
  setting: Setting,
): readonly Rounds[] => {
  if (setting.contexts === undefined) return [[inFiles(checks)]]
  const weighed = weigh(checks, setting)
  const earlier = takenEarlier(weighed, setting)
  return [1, -1].map((sign) =>
    fill(
      weighed.toSorted((a, b) => a.rank - b.rank || sign * (a.share - b.share)),
      earlier,
    ),
  )
}
