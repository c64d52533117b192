import { notRunOf } from '../../reports/plan.ts'
import { titleOf } from '../../suites/support/checks/rule.ts'
import type { SuiteResult } from '../playwright.ts'
import type { RegisteredCheck } from '../registered.ts'

/**
 * The result of a run with the chosen checks that the suite never registered: what Playwright does not find does not
 * fail either, so that a run without them would look complete.
 */
export const withUnregistered = (
  suite: SuiteResult,
  chosen: readonly RegisteredCheck[],
): SuiteResult => {
  const wanted = chosen.map(({ rule, variant }) => ({
    rule,
    check: titleOf(rule, variant),
    ...(variant === undefined ? {} : { variant }),
  }))
  const missing = notRunOf(wanted, [...suite.findings, ...suite.notRun])
  return {
    ...suite,
    planned: suite.planned + missing.length,
    notRun: [...suite.notRun, ...missing],
  }
}
