import type { RuleId } from '../../../contract/rules.ts'
import { emptyBaseline, hasEnded, readBaseline } from '../../../lib/node/baseline.ts'
import type { KnownFailure } from '../../../lib/node/baseline.ts'
import { answersOf } from '../answers/conformity.ts'
import { runOptions } from '../checks/run-options.ts'

const baseline =
  runOptions.baseline === undefined ? emptyBaseline : readBaseline(runOptions.baseline)

/** Operations whose answers are known to break a rule, and must go on doing so. */
export const knownAnswers = (rule: RuleId): readonly string[] =>
  baseline.entries.flatMap((entry) =>
    entry.rule === rule && entry.until === undefined && entry.variant?.startsWith(answersOf(''))
      ? entry.variant.slice(answersOf('').length)
      : [],
  )

/** The baseline's entry for a check; undefined when it has none, or when its quarantine has ended. */
export const knownFailure = (
  rule: RuleId,
  variant: string | undefined,
): KnownFailure | undefined => {
  const entry = baseline.find(rule, variant)
  return entry === undefined || hasEnded(entry, Date.now()) ? undefined : entry
}
