import type { RuleId } from '../../contract/rules.ts'
import { emptyBaseline, readBaseline } from '../../lib/node/baseline.ts'
import { answersOf } from './conformity.ts'
import { runOptions } from './run-options.ts'

const baseline =
  runOptions.baseline === undefined ? emptyBaseline : readBaseline(runOptions.baseline)

/** Operations whose answers are known to break a rule. */
export const knownAnswers = (rule: RuleId): readonly string[] =>
  baseline.entries.flatMap((entry) =>
    entry.rule === rule && entry.variant?.startsWith(answersOf(''))
      ? entry.variant.slice(answersOf('').length)
      : [],
  )

/** Why a check is known to fail, or undefined when it is not. */
export const knownFailure = (rule: RuleId, variant: string | undefined): string | undefined =>
  baseline.find(rule, variant)?.reason
