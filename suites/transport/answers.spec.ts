import type { RuleId } from '../../contract/rules.ts'
import type { Exchange } from '../../lib/exchange.ts'
import { faultsOf } from '../support/conformity.ts'
import { rule } from '../support/rule.ts'
import type { Target } from '../support/target.ts'
import { tour } from '../support/tour.ts'
import { expect, test } from '../support/test.ts'

/**
 * The faults of every answer of a run are reported as findings of these rules, whichever check met them. Here a tour
 * of the main operations holds the service to them, so that they are checked however few other checks run.
 */
const faultsUnder = (
  owner: RuleId,
  exchanges: readonly Exchange[],
  { dialect }: Target,
): readonly string[] => {
  const faults = exchanges.flatMap((exchange) =>
    faultsOf(exchange, dialect)
      .filter((fault) => fault.rule === owner)
      .map(({ text }) => `${exchange.operation ?? exchange.request.method}: ${text}`),
  )
  return [...new Set(faults)]
}

test(...rule('transport.answers.schema'), async ({ open, invoice, ledger, target }) => {
  await tour(await open(), invoice().bytes)
  expect(ledger.exchanges.length, 'checked responses').toBeGreaterThan(5)
  const faults = faultsUnder('transport.answers.schema', ledger.exchanges, target)
  expect(faults, 'bodies that violate their schema').toEqual([])
})

test(...rule('transport.answers.no-server-error'), async ({ open, invoice, ledger, target }) => {
  await tour(await open(), invoice().bytes)
  expect(ledger.exchanges.length, 'checked responses').toBeGreaterThan(5)
  const faults = faultsUnder('transport.answers.no-server-error', ledger.exchanges, target)
  expect(faults, 'responses with a server error').toEqual([])
})
