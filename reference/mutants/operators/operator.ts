import type { RuleId } from '../../../contract/rules.ts'
import type { Mutant } from '../mutant.ts'

/**
 * An operator applies one way in which services fail to every row of the contract that it fits. Each mutant that it
 * yields is called after a rule that it breaks, the operator, and the row.
 */
export type Generated = readonly [id: string, mutant: Mutant]

/** The rules that a mutant breaks, the one that names it first. */
export type Rules = readonly [RuleId, ...RuleId[]]

/**
 * A generated mutant.
 * @param row what of the contract it applies to, and how
 */
export const generated = (
  operator: string,
  row: string,
  [first, ...also]: Rules,
  mutant: Mutant,
): Generated => [`${first}/${operator}:${row}`, { ...mutant, also }]
