import { availableParallelism } from 'node:os'
import type { RuleId } from '../../contract/rules.ts'
import type { ExamineOptions, OrdealResult } from './examiner.ts'
import { runOrdeal } from './examiner.ts'
import type { Placed, RuleVerdict } from './judge.ts'
import { clientRules, verdictsOf } from './judge.ts'
import type { OrdealId } from './ordeals.ts'
import { ordeal, ordealIds } from './ordeals.ts'

/** A whole examination: the chosen ordeals side by side, and one verdict for each rule. */

export interface Examination {
  readonly seed: number
  readonly started: string
  readonly finished: string
  readonly results: readonly OrdealResult[]
  readonly verdicts: readonly RuleVerdict[]
  /** Ordeals that were planned and did not report. */
  readonly missing: readonly OrdealId[]
}

export interface Plan extends ExamineOptions {
  readonly ordeals: readonly OrdealId[]
  readonly strict: boolean
  /** Results of an earlier run that was interrupted; their ordeals are not run again. */
  readonly done?: readonly OrdealResult[] | undefined
  /** How many ordeals run at the same time. */
  readonly workers?: number | undefined
  readonly onResult?: (result: OrdealResult, done: number, of: number) => void
}

/** Ordeals wait more than they compute, so that several share a core. */
const perCore = 2.5

/** Ordeals that selectors name: an ordeal's id, a rule, or the beginning of a rule. */
export const ordealsFor = (selectors: readonly string[]): OrdealId[] =>
  selectors.length === 0
    ? ordealIds
    : ordealIds.filter((id) =>
        selectors.some(
          (selector) =>
            id === selector ||
            ordeal(id).rules.some((rule) => rule === selector || rule.startsWith(`${selector}.`)),
        ),
      )

const longOnes = (id: OrdealId): number => (ordeal(id).conditions === undefined ? 1 : 0)

/** Runs the ordeals; those with conditions first, because they take longest. */
export async function examine(plan: Plan): Promise<Examination> {
  const started = new Date().toISOString()
  const results = new Map((plan.done ?? []).map((result) => [result.id, result]))
  const queue = plan.ordeals
    .filter((id) => !results.has(id))
    .toSorted((a, b) => longOnes(a) - longOnes(b))
  const workers = Math.min(
    plan.workers ?? Math.ceil(availableParallelism() * perCore),
    queue.length,
  )
  const worker = async (): Promise<void> => {
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
      if (plan.signal?.aborted === true) return
      const result = await runOrdeal(id, ordeal(id), plan)
      // An interrupted ordeal is no evidence.
      if (plan.signal?.aborted) return
      results.set(id, result)
      plan.onResult?.(result, results.size, plan.ordeals.length)
    }
  }
  await Promise.all(Array.from({ length: workers }, worker))
  const ordered = plan.ordeals.flatMap((id) => results.get(id) ?? [])
  return {
    seed: plan.seed,
    started,
    finished: new Date().toISOString(),
    results: ordered,
    verdicts: verdictsOf(placedIn(ordered), {
      strict: plan.strict,
      rules: rulesOf(plan.ordeals, ordered),
    }),
    missing: plan.ordeals.filter((id) => !results.has(id)),
  }
}

/** Every opinion with the ordeal that it comes from. */
const placedIn = (results: readonly OrdealResult[]): Placed[] =>
  results.flatMap(({ id, opinions }) => opinions.map((opinion) => ({ ...opinion, ordeal: id })))

/** Rules that the chosen ordeals test, and those that the client broke besides; all rules in a full examination. */
export const rulesOf = (
  ids: readonly OrdealId[],
  results: readonly Pick<OrdealResult, 'opinions'>[],
): readonly RuleId[] => {
  if (ids.length === ordealIds.length) return clientRules
  const broken = new Set(
    results.flatMap(({ opinions }) =>
      opinions.filter(({ verdict }) => verdict === 'fail').map(({ rule }) => rule),
    ),
  )
  return clientRules.filter(
    (rule) => broken.has(rule) || ids.some((id) => ordeal(id).rules.includes(rule)),
  )
}

/** Exit code: 1 if a rule failed; 3 if an ordeal has no verdict or is missing, or if no rule was exercised. */
export function exitOf({ verdicts, results, missing }: Examination): 0 | 1 | 3 {
  if (verdicts.some(({ verdict }) => verdict === 'fail')) return 1
  if (missing.length > 0 || results.some(({ inconclusive }) => inconclusive !== undefined)) return 3
  return verdicts.some(({ verdict }) => verdict === 'pass' || verdict === 'warn') ? 0 : 3
}
