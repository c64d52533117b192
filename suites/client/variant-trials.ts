import type { RuleId } from '../../contract/rules.ts'
import type { ExamineOptions, OrdealResult } from './examiner.ts'
import { runOrdeal } from './examiner.ts'
import type { OrdealId } from './ordeals.ts'
import { ordeal } from './ordeals.ts'

/** The examination put to the test: broken variants of a client have to be convicted, the sound one acquitted. */

export interface BrokenVariant {
  readonly id: string
  readonly breaks: RuleId
  readonly title: string
  readonly ordeals: readonly string[]
}

export interface VariantRow {
  readonly id: string
  readonly breaks: readonly RuleId[]
  readonly title: string
  /** Convicted under its rule, and under no other. */
  readonly killed: boolean
  readonly by: readonly RuleId[]
  /** Rules under which it was convicted by mistake. */
  readonly others: readonly RuleId[]
  readonly inconclusive?: string | undefined
  readonly ms: number
}

export const convictionsOf = ({ opinions }: OrdealResult): RuleId[] => [
  ...new Set(opinions.filter(({ verdict }) => verdict === 'fail').map(({ rule }) => rule)),
]

/** Runs one variant through the ordeals that have to convict it. */
export async function tryVariant(
  variant: BrokenVariant,
  options: ExamineOptions,
): Promise<VariantRow> {
  const results: OrdealResult[] = []
  for (const id of variant.ordeals as readonly OrdealId[])
    results.push(await runOrdeal(id, ordeal(id), options))
  const found = [...new Set(results.flatMap(convictionsOf))]
  const others = found.filter((rule) => rule !== variant.breaks)
  return {
    id: variant.id,
    breaks: [variant.breaks],
    title: variant.title,
    killed: found.includes(variant.breaks) && others.length === 0,
    by: found.filter((rule) => rule === variant.breaks),
    others,
    inconclusive: results.find(({ inconclusive }) => inconclusive !== undefined)?.inconclusive,
    ms: results.reduce((sum, { ms }) => sum + ms, 0),
  }
}

/** Processes a list with a number of concurrent workers. */
export async function sideBySide<T>(
  values: readonly T[],
  workers: number,
  work: (value: T) => Promise<void>,
): Promise<void> {
  const queue = [...values]
  const one = async (): Promise<void> => {
    for (let value = queue.shift(); value !== undefined; value = queue.shift()) await work(value)
  }
  await Promise.all(Array.from({ length: Math.min(workers, values.length) }, one))
}
