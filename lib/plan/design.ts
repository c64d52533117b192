import type { Dialect } from '../../contract/dialect.ts'
import { limits } from '../../contract/limits.ts'
import type { LimitId, RateRuleId } from '../../contract/limits.ts'
import type { Window } from '../../contract/types.ts'
import { countedAs, thresholdsOf } from '../pacer.ts'
import type { Thresholds } from '../windows.ts'

/** What is to be sent, by whom, and within which limits. */

export type Mode = 'online' | 'batch'

export interface Design {
  readonly invoices: number
  readonly mode: Mode
  /** Contexts that send; each invoice belongs to one. */
  readonly contexts: number
  /** Source addresses; every context sends from each of them. */
  readonly addresses: number
  readonly limits: PlanLimits
  /** Bytes of an average invoice, before encryption. */
  readonly invoiceBytes: number
  /** Upload bandwidth of all contexts together, bytes a second; uploads take no time when absent. */
  readonly uploadRate?: number | undefined
}

/** The limits that a plan keeps. */
export interface PlanLimits {
  /** What they are called: `production`, `test`, a file or a target. */
  readonly name: string
  /** Undefined where a rule limits nothing. */
  readonly rate: (rule: string) => Thresholds | undefined
  /** The rule that the calls of a rule are counted with. */
  readonly countedAs: (rule: string) => string
  readonly value: (id: LimitId) => number
}

/** Thresholds of single rate rules, in place of those of the contract. */
export type RateTable = Readonly<Partial<Record<RateRuleId, Window>>>

export interface LimitsSource {
  readonly name: string
  readonly dialect: Dialect
  /** The limits as a multiple of production's; 1 when absent. */
  readonly factor?: number
  readonly rates?: RateTable
  readonly values?: Readonly<Partial<Record<LimitId, number>>>
  /** No rate limits at all. */
  readonly off?: boolean
}

export function planLimits(source: LimitsSource): PlanLimits {
  const { name, dialect, factor = 1, rates = {}, values = {}, off = false } = source
  return {
    name,
    rate(rule) {
      if (off) return undefined
      const own = rates[countedAs(rule, dialect) as RateRuleId]
      return own ?? thresholdsOf(rule, dialect, factor)
    },
    countedAs: (rule) => countedAs(rule, dialect),
    value: (id) => values[id] ?? dialect.limits[id] ?? limits[id].value,
  }
}

/** Invoices of each (context, address), as evenly as they divide: the largest share first. */
export function shareOf({ invoices, contexts, addresses }: Design): {
  readonly pairs: number
  readonly largest: number
} {
  const pairs = contexts * addresses
  return { pairs, largest: Math.ceil(invoices / pairs) }
}
