import type { Dialect } from '../../contract/dialect.ts'
import type { Exchange } from '../../lib/exchange.ts'
import type { Outcome } from '../../lib/outcome.ts'
import { counterOf } from '../../lib/pacer.ts'

/** What one check did. */
export interface Ledger {
  readonly exchanges: Exchange[]
  /** Calls by the thousand are not kept. */
  quiet: boolean
  readonly record: (exchange: Exchange) => void
  /** How many calls it made, by row of the rate table. */
  readonly calls: Record<string, number>
  /** The outcomes of the errors that ended it, or that it noted and went on. */
  readonly outcomes: () => readonly Outcome[]
}

export const createLedger = (
  dialect: Dialect,
  outcomes: () => readonly Outcome[] = () => [],
): Ledger => {
  const exchanges: Exchange[] = []
  const calls: Record<string, number> = {}
  const ledger: Ledger = {
    exchanges,
    calls,
    quiet: false,
    outcomes,
    record: (exchange) => {
      const { operation } = exchange
      const row = operation === undefined ? 'unlimited' : counterOf(operation, dialect)
      calls[row] = (calls[row] ?? 0) + 1
      if (!ledger.quiet || exchange.status >= 500) exchanges.push(exchange)
    },
  }
  return ledger
}
