import type { RuleId } from '../../contract/rules.ts'
import { emptyBaseline, readBaseline } from '../../lib/node/baseline.ts'
import { runOptions } from './run-options.ts'

const baseline =
  runOptions.baseline === undefined ? emptyBaseline : readBaseline(runOptions.baseline)

/** Why a check is known to fail, or undefined when it is not. */
export const knownFailure = (rule: RuleId, variant: string | undefined): string | undefined =>
  baseline.find(rule, variant)?.reason
