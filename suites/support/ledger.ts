import type { Exchange } from '../../lib/exchange.ts'
import type { Outcome } from '../../lib/outcome.ts'

/** What one check did. */
export interface Ledger {
  readonly exchanges: Exchange[]
  /** Calls by the thousand are not kept. */
  quiet: boolean
  readonly record: (exchange: Exchange) => void
  /** The outcomes of the errors that ended it, or that it noted and went on. */
  readonly outcomes: () => readonly Outcome[]
}

export const createLedger = (outcomes: () => readonly Outcome[]): Ledger => {
  const exchanges: Exchange[] = []
  const ledger: Ledger = {
    exchanges,
    quiet: false,
    outcomes,
    record: (exchange) => {
      if (!ledger.quiet || exchange.status >= 500) exchanges.push(exchange)
    },
  }
  return ledger
}
