import type { EnvironmentId, InvoiceSchemaId } from '../../contract/environments.ts'
import type { LimitId, RateRuleId } from '../../contract/limits.ts'
import type { RuleId } from '../../contract/rules.ts'
import type { Window } from '../../contract/types.ts'
import type { Rng } from '../../lib/random.ts'
import type { Condition } from './conditions/condition.ts'

/** One ordeal: what the client is asked to do, under which conditions, and which rules that puts to the test. */
export interface Ordeal {
  readonly title: string
  /** Rules that it exercises; the first is the one under which a document that comes to harm is recorded. */
  readonly rules: readonly [RuleId, ...RuleId[]]
  readonly variant?: string
  readonly documents?: Documents
  /** How documents are issued; `online` when absent. */
  readonly mode?: 'online' | 'batch'
  readonly receive?: Receive
  /** The client is to create a service token. */
  readonly createToken?: true
  readonly service?: ServiceOptions
  /** How often the client is started, one run after the other; 1 when absent. Restarts after a kill are not counted. */
  readonly runs?: number
  readonly conditions?: (draw: Rng) => readonly Condition[]
}

export interface Documents {
  /** Documents that the service accepts. */
  readonly accepted?: number
  /** Documents that violate their schema. */
  readonly invalid?: number
  /** Documents of a seller that the context may not issue for. */
  readonly foreign?: number
  /** Documents that were issued before the client starts. */
  readonly duplicates?: number
  /** Documents that may have either outcome, as long as the client knows it. */
  readonly either?: number
  readonly schema?: InvoiceSchemaId
  /** ISO date; today when absent. */
  readonly issueDate?: string
}

export interface Receive {
  /** Invoices that wait for the client. */
  readonly waiting: number
  /** All of them at the same instant. */
  readonly sameInstant?: true
  readonly by?: 'query' | 'export'
}

export interface ServiceOptions {
  readonly lifetimes?: Partial<Record<LimitId, number>>
  /** Limits of the context that the service states, where they differ from production's. */
  readonly rates?: Partial<Record<RateRuleId, Window>>
  /** Maximum number of invoices per session, as the simulated limits state it. */
  readonly sessionInvoices?: number
  readonly latency?: true
  readonly environment?: EnvironmentId
  /** How far the service's clock is ahead of the client's, ms. */
  readonly aheadMs?: number
  /** How long after the start it is midnight in Warsaw and FA(3) replaces FA(2), ms. */
  readonly formChangesAfterMs?: number
  /** How late the service begins to listen, ms. */
  readonly listensAfterMs?: number
}
