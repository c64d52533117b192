import { readMeasured } from '../measured.ts'
import type { RegisteredCheck } from '../registered.ts'

/** What a check costs on a target whose time cannot be turned, as it was measured (`npm run costs`). */
export interface Cost {
  readonly ms: number
  /** Calls that keep to the rate limits, by what they are counted under. */
  readonly calls: Readonly<Record<string, number>>
}

interface Known {
  readonly checks: Readonly<Record<string, Cost>>
  /** By rule, for checks that were not measured: one of those that were. */
  readonly rules: ReadonlyMap<string, Cost>
}

let known: Known | undefined

/** A check of which nothing is known: a login and a call. */
const unmeasured: Cost = { ms: 500, calls: { public: 4 } }

/** The one in the middle: a search with hundreds of calls says little about the other checks of its rule. */
const middleOf = (costs: readonly Cost[]): Cost =>
  costs.toSorted((a, b) => a.ms - b.ms)[Math.floor((costs.length - 1) / 2)] ?? unmeasured

const read = (): Known => {
  const checks = readMeasured<Cost>('costs.json')
  const measured = new Map<string, Cost[]>()
  for (const [check, cost] of Object.entries(checks)) {
    const [rule = check] = check.split(' ')
    measured.set(rule, [...(measured.get(rule) ?? []), cost])
  }
  const rules = [...measured].map(([rule, costs]) => [rule, middleOf(costs)] as const)
  return { checks, rules: new Map(rules) }
}

export const costOf = ({ rule, variant }: Pick<RegisteredCheck, 'rule' | 'variant'>): Cost => {
  known ??= read()
  const check = variant === undefined ? rule : `${rule} / ${variant}`
  return known.checks[check] ?? known.rules.get(rule) ?? unmeasured
}
