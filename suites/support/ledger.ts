import type { RecordCall } from '../../lib/client.ts'
import type { Dialect } from '../../contract/dialect.ts'
import type { Exchange } from '../../lib/exchange.ts'
import type { Outcome } from '../../lib/outcome.ts'
import { counterOf } from '../../lib/pacer.ts'

/** What one check did. */
export interface Ledger {
  readonly exchanges: Exchange[]
  /** Calls by the thousand are not kept. */
  quiet: boolean
  readonly record: RecordCall
  /** How many calls it made within the rate limits, by row of their table. */
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
    record: (exchange, isPaced) => {
      const { operation } = exchange
      const row = operation === undefined ? 'unlimited' : counterOf(operation, dialect)
      if (isPaced) calls[row] = (calls[row] ?? 0) + 1
      if (!ledger.quiet || exchange.status >= 500) exchanges.push(exchange)
    },
  }
  return ledger
}
