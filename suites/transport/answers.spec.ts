import { rule } from '../support/checks/rule.ts'
import { tour } from '../support/steps/tour.ts'
import { expect, test } from '../support/harness/test.ts'

/**
 * The faults of all answers in a run are findings of these rules, one per operation, whichever check met them. A tour
 * of the main operations makes sure that there are answers to check, however few other checks run; it does not report
 * a fault a second time.
 */
for (const owner of ['transport.answers.schema', 'transport.answers.no-server-error'] as const)
  test(...rule(owner), async ({ open, invoice, ledger }) => {
    await tour(await open(), invoice().bytes)
    expect(ledger.exchanges.length, 'checked responses').toBeGreaterThan(5)
  })
