import type { Dialect } from '../../../contract/dialect.ts'
import type { RecordCall } from '../../../lib/client.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import type { Outcome } from '../../../lib/outcome.ts'
import { counterOf } from '../../../lib/pacer.ts'

/** What one check did. */
export interface Ledger {
  readonly exchanges: Exchange[]
  /** Set while a check makes thousands of calls: they are not kept. */
  quiet: boolean
  readonly record: RecordCall
  /** Counts a call like `record`, and keeps nothing of it: one that is no evidence, as those that tidy up. */
  readonly count: RecordCall
  /** How many calls the rate limits count, by row of their table. */
  readonly calls: Record<string, number>
  /** How many of them the busiest caller made, if there were several. */
  readonly callsOfOne: () => Readonly<Record<string, number>> | undefined
  /** Whom the limits count the calls of each `Authorization` for. */
  readonly callers: ReadonlyMap<string, string>
  /** How many contexts it asked for. */
  contexts: number
  /** How many of them it can do without. */
  spareContexts: number
  /** The outcomes of the errors that ended it, or that it noted and went on. */
  readonly outcomes: () => readonly Outcome[]
}

export const createLedger = (
  dialect: Dialect,
  outcomes: () => readonly Outcome[] = () => [],
): Ledger => {
  const exchanges: Exchange[] = []
  const calls: Record<string, number> = {}
  const callers = new Map<string, string>()
  const bySubject = new Map<string, Record<string, number>>()
  const ledger: Ledger = {
    exchanges,
    calls,
    callers,
    callsOfOne() {
      const perRow = Object.entries(calls).flatMap(([row, all]) => {
        const ofOne = Math.max(...[...bySubject.values()].map((own) => own[row] ?? 0))
        return ofOne < all ? [[row, ofOne] as const] : []
      })
      return perRow.length === 0 ? undefined : Object.fromEntries(perRow)
    },
    contexts: 0,
    spareContexts: 0,
    quiet: false,
    outcomes,
    count: ({ operation, request }, subject) => {
      const row = operation === undefined ? 'unlimited' : counterOf(operation, dialect)
      const { authorization } = request.headers
      if (subject !== undefined) {
        if (authorization !== undefined && row !== 'public') callers.set(authorization, subject)
        const own = bySubject.get(subject) ?? {}
        bySubject.set(subject, own)
        for (const counted of [calls, own]) counted[row] = (counted[row] ?? 0) + 1
      }
    },
    record(exchange, subject) {
      ledger.count(exchange, subject)
      if (!ledger.quiet || exchange.status >= 500) exchanges.push(exchange)
    },
  }
  return ledger
}
