import type { TestResult, TestStep } from '@playwright/test/reporter'
import type { OutcomeKind } from '../lib/outcome.ts'
import type { Finding } from './finding.ts'

const asserts = (steps: readonly TestStep[]): boolean =>
  steps.some((step) => step.category === 'expect' || asserts(step.steps))

/** The finding of a check, with the outcome that its verdict is based on. */
export interface Held {
  readonly finding: Finding
  readonly outcome: OutcomeKind
  /** It asserted something that held; Playwright's steps have only what it was asked. */
  readonly asserted?: boolean
}

/**
 * A check that held although it asserted nothing, and recorded nothing that it saw, has shown nothing about its rule.
 * That is a fault of the check: it must not count as a pass.
 */
export const withAssertion = (
  { finding, outcome, asserted = false }: Held,
  { steps }: Pick<TestResult, 'steps'>,
): Held =>
  outcome !== 'held' || asserted || finding.actual !== undefined || asserts(steps)
    ? { finding, outcome }
    : {
        outcome: 'broken',
        finding: {
          ...finding,
          verdict: 'broken',
          reason: 'the check ended without an assertion, so it shows nothing about its rule',
        },
      }
