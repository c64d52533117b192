import { endpoints } from '../contract/endpoints.ts'
import { variantName } from '../contract/rules.ts'
import type { RuleId } from '../contract/rules.ts'
import type { KnownFailure } from '../lib/node/baseline.ts'
import { BaselineError, readBaseline } from '../lib/node/baseline.ts'
import { answersOf } from '../suites/support/answers/conformity.ts'
import { answerRules } from '../suites/support/judging/contradictions.ts'
import { familyOf } from '../suites/support/checks/families.ts'
import { usageError } from './io.ts'
import { didYouMean } from './nearest.ts'
import { listedChecks } from './registered.ts'
import type { RegisteredCheck } from './registered.ts'

const entriesIn = (file: string): readonly KnownFailure[] => {
  try {
    return readBaseline(file).entries
  } catch (error) {
    if (error instanceof BaselineError) throw usageError(`--baseline: ${error.message}`)
    throw error
  }
}

/** Findings about answers have no check of their own: any check may meet them. */
const answersOfRule = (rule: RuleId): readonly string[] =>
  answerRules.includes(rule) ? Object.keys(endpoints).map((operation) => answersOf(operation)) : []

/** Checks of documents that are only there in some runs. */
const isOptional = (variant: string): boolean =>
  familyOf(variantName(variant))?.optional === true || variant.endsWith(' outside the contract')

const expectCheck = ({ rule, variant }: KnownFailure, checks: readonly RegisteredCheck[]): void => {
  const own = checks.filter((check) => check.rule === rule)
  if (own.some((check) => check.variant === variant)) return
  if (variant !== undefined && isOptional(variant)) return
  const names = [...own.flatMap((check) => check.variant ?? []), ...answersOfRule(rule)]
  if (variant !== undefined && names.includes(variant)) return
  const received = variant === undefined ? 'an entry without a variant' : JSON.stringify(variant)
  throw usageError(
    `--baseline: ${rule} has no such check: expected the variant of a finding, received ${received}.${didYouMean(variant ?? '', names)} Copy \`rule\` and \`variant\` from the findings of a run.`,
  )
}

/**
 * Reads a baseline before a run: an entry for a check that does not exist would be stale for ever and hide nothing.
 * @throws {Explained} with exit code 2
 */
export const expectBaseline = async (file: string): Promise<void> => {
  const checks = await listedChecks()
  for (const entry of entriesIn(file)) expectCheck(entry, checks)
}
