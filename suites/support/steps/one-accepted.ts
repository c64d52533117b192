import { expect, wentWell } from '../judging/matchers.ts'
import type { WorkOutcome } from '../judging/matchers.ts'

/** Expects one of equal invoices to be accepted, and every other to be its duplicate. */
export const expectOneAccepted = (outcomes: readonly WorkOutcome[], which: string): void => {
  expect(outcomes.filter(wentWell).length, `accepted of equal ones ${which}`).toBe(1)
  for (const loser of outcomes.filter((outcome) => !wentWell(outcome)))
    expect(loser, `the others, ${which}`).toBeRejected('duplicate-invoice')
}
