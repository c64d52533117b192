import type { Dialect } from '../../contract/dialect.ts'
import type { OperationId } from '../../contract/endpoints.ts'
import type { Environment } from '../../contract/environments.ts'
import type { LimitId } from '../../contract/limits.ts'
import type { RuleId } from '../../contract/rules.ts'
import type { AnyCall, Answer } from '../call/call.ts'
import type { Running } from '../call/exchange.ts'
import type { State } from '../model/state.ts'
import type { Table } from '../model/table.ts'
import type { Policy } from '../policy/policy.ts'
import type { WorkKind } from '../model/work.ts'

/** Where a defect shows: in an operation, or in a kind of asynchronous work. */
export type Place = OperationId | WorkKind

export type Handle = (call: AnyCall) => Promise<Answer>
export type Respond = (running: Running) => Promise<Response>

type Entity<Name extends keyof State> = State[Name] extends Table<infer T, string> ? T : never

/** How accesses to one table are altered. */
export interface TableEffects<T> {
  /** Another entity than the one found, or none. */
  readonly read?: (found: T | undefined, key: string, state: State) => T | undefined
  /** Other entities than those found by an index. */
  readonly find?: (found: T[], index: string, value: string, table: Table<T, string>) => T[]
  /** Another entity than the one to be stored; undefined when nothing is stored. */
  readonly write?: (next: T, before: T | undefined, state: State) => T | undefined
  /** Whether an entity is removed. */
  readonly remove?: (key: string, state: State) => boolean
}

/**
 * An intentional defect. Its id begins with the rule that it breaks: `auth.redeem.once/twice`. It varies parts of the
 * service: decisions, the rows in force, the answers (`call`, `exchange`) and the effects (`tables`, `later`).
 */
export interface Mutant {
  /** Rules that it breaks besides the one in its id. */
  readonly also?: readonly RuleId[]
  /** The only places where it shows; everywhere when absent. */
  readonly at?: readonly Place[]
  /** An operation without which it cannot show, where `at` names places of which one is left without it. */
  readonly needs?: OperationId
  /** Why it cannot show in a dialect; undefined where it can. */
  readonly absentIn?: (dialect: Dialect) => string | undefined
  /** Decisions that are taken differently. */
  readonly policy?: Partial<Policy>
  /** Fields of the environment in force that are different. */
  readonly environment?: Partial<Environment>
  /** Limits that are different. */
  readonly limits?: Partial<Record<LimitId, (value: number) => number>>
  /** Around the handler of an operation: another call comes in, or another answer goes out. In canonical form. */
  readonly call?: (call: AnyCall, next: Handle) => Answer | Promise<Answer>
  /** Around a whole exchange, refusals included: another request comes in, or another response goes out. */
  readonly exchange?: (running: Running, next: Respond) => Response | Promise<Response>
  /** What is remembered, and found again. */
  readonly tables?: { readonly [Name in keyof State]?: TableEffects<Entity<Name>> }
  /** After how many milliseconds work is done instead; undefined when it is never done. */
  readonly later?: (kind: WorkKind, ms: number) => number | undefined
}

/** The name of a decision that is taken, or a limit that is read, in one place. */
export const usedIn = (place: Place, part: string): string => `${part} in ${place}`
