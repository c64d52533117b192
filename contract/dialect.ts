import type { LimitId, RateRuleId } from './limits.ts'
import type { Environment, EnvironmentId, FormId } from './environments.ts'
import type { OperationId } from './endpoints.ts'
import type { RefusalId } from './errors.ts'
import type { Bearer, Json, JsonSchema, Method, Permission, Refusal, Window } from './types.ts'

/**
 * A dialect: how one kind of target spells the contract on the wire. Data only: code never tests for a dialect; tester
 * and reference each read these rows. The contract is written in the words of the specification, so `svc` is nearly
 * empty; a new version of the interface is one more file like it.
 *
 * A contract name that the dialect renames, moves or omits is an unknown field on the wire and is not read.
 * `contract/vectors/dialect.json` has known answers for both translators.
 */
export interface Dialect {
  readonly id: string
  readonly summary: string
  /** Version of the published description, where there is one. */
  readonly version?: string
  /** Version prefix of every path, for example `/api/v2`. */
  readonly prefix: string
  /** How an operation differs from the contract, or why it is absent. */
  readonly operations: Partial<Record<OperationId, OperationForm>>
  /**
   * Contract field name -> field name on the wire, wherever the field occurs: bodies at any depth, query parameters,
   * parameters of paths. `{ svcNumber: 'ksefNumber' }` writes `{ svcNumber: 'x' }` as `{ ksefNumber: 'x' }`.
   */
  readonly fields: Readonly<Record<string, string>>
  /**
   * Contract field name -> contract value -> value on the wire; a list is translated value by value. A value not in the
   * row passes as it is. `{ usage: { SvcTokenEncryption: 'KsefTokenEncryption' } }` writes
   * `{ usage: ['SvcTokenEncryption', 'other'] }` as `{ usage: ['KsefTokenEncryption', 'other'] }`.
   */
  readonly values: Readonly<Record<string, Readonly<Record<string, string>>>>
  /**
   * Schema id -> contract field -> path on the wire, dots between names, in the wire's words, from the object that the
   * schema describes; `fields` is not applied to a moved field. Holds wherever a body of the contract reaches that
   * schema: by `$ref`, through properties, items and the object of an `anyOf`. Missing objects on the way are
   * created, and empty objects are removed. Where several fields lead to one path, the last one present is written,
   * and each of them reads it.
   * `{ OpenOnlineSession: { initVector: 'encryption.initializationVector' } }` writes `{ initVector: 'x' }` as
   * `{ encryption: { initializationVector: 'x' } }`.
   */
  readonly moves: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Schema id -> contract fields that the wire omits: not written, and unknown when read. */
  readonly omits?: Readonly<Record<string, readonly string[]>>
  /** Schema id -> path on the wire -> value that is written there if there is none. */
  readonly constants?: Readonly<Record<string, Readonly<Record<string, Json>>>>
  /** The same for what later versions of the description added: written, never required. */
  readonly additions?: Readonly<Record<string, Readonly<Record<string, Json>>>>
  /** Schema id -> contract fields that later versions of the description added. */
  readonly addedFields?: Readonly<Record<string, readonly string[]>>
  /** Schema id -> contract fields that are optional in the contract and required here. */
  readonly requires?: Readonly<Record<string, readonly string[]>>
  /** Schema id -> the schema on the wire where renaming is not enough. */
  readonly schemas: Readonly<Record<string, JsonSchema>>
  /**
   * Words of the service's own name inside paths, headers and media: contract -> wire. A word ends at any
   * character that is not a letter or digit, case matters, and names in braces are left to `fields`: `{ svc: 'ksef' }`
   * turns `/invoices/svc/{svcNumber}` into `/invoices/ksef/{svcNumber}` and `/auth/svc-token` into `/auth/ksef-token`.
   */
  readonly words: Readonly<Record<string, string>>
  /** Refusals that are answered differently. */
  readonly refusals: Partial<Record<RefusalId, Pick<Refusal, 'answer' | 'state'>>>
  /** Refusals that are deferred: the call succeeds, and the work that it started ends in the refusal's state. */
  readonly deferred?: readonly RefusalId[]
  /** Refusal -> values for the placeholders of an error shape. */
  readonly facts?: Partial<Record<RefusalId, Readonly<Record<string, Json>>>>
  /** First match wins. */
  readonly errorShapes: readonly ErrorShape[]
  readonly limits: Partial<Record<LimitId, number>>
  readonly rates: Partial<Record<RateRuleId, Window>>
  /** Rate rule -> the rule with which it shares one counter. */
  readonly shares?: Partial<Record<RateRuleId, RateRuleId>>
  /** How the status of a session shows a counter; as a number where absent. */
  readonly counters?: {
    /** Kinds of sessions that leave a counter out while it is zero. */
    readonly zeroAbsent?: readonly ('online' | 'batch')[]
    /** True where the counters of a batch that failed before its invoices were counted are null. */
    readonly uncountedNull?: boolean
  }
  /** Forms of invoices that are accepted besides FA. */
  readonly forms?: readonly FormId[]
  /** True where Peppol providers have separate contexts. */
  readonly providers?: boolean
  /** False where service tokens have no last day and live until they are revoked. */
  readonly tokensEnd?: boolean
  /**
   * True where requests are read leniently: names of fields and query parameters, and enumeration values in bodies, in
   * any case; in bodies also a date in place of an instant, as the start of that day.
   */
  readonly loose?: boolean
  /** How the environments differ. */
  readonly environments?: Partial<Record<EnvironmentId, Partial<Environment>>>
  /** How the published description of such a target differs from the contract, with the reason. */
  readonly accepted?: readonly Accepted[]
  /** Rules that do not hold here as written, each with the reason; ids of `contract/rules`. */
  readonly rules: Readonly<Record<string, RuleForm>>
}

export type OperationForm =
  | { readonly absent: string }
  | {
      readonly method?: Method
      readonly path?: string
      readonly aliases?: readonly string[]
      readonly atOrigin?: boolean
      readonly status?: number
      readonly bearer?: Bearer
      readonly rate?: string
      readonly permissions?: readonly Permission[]
      /** Names of parameters that are optional in the contract and required here. */
      readonly requires?: readonly string[]
      /** Codes of refusals that differ from those of other operations. */
      readonly codes?: Readonly<Partial<Record<RefusalId, number>>>
    }

/** A way in which a published description can differ from the contract. */
export type DifferenceKind =
  | 'operation-removed'
  | 'operation-added'
  | 'status-changed'
  | 'media-changed'
  | 'bearer-changed'
  | 'field-removed'
  | 'field-added'
  | 'required-added'
  | 'required-removed'
  | 'type-changed'
  | 'format-changed'
  | 'enum-narrowed'
  | 'enum-widened'
  | 'bounds-narrowed'
  | 'bounds-widened'
  | 'pattern-changed'

export interface Accepted {
  readonly kinds: readonly DifferenceKind[]
  /** Matches `where` of the difference. */
  readonly where: RegExp
  readonly reason: string
}

export type RuleForm = ({ readonly absent: string } | { readonly replaced: string }) & {
  /** Where only some clauses of the rule are meant: variants, or one instance of a variant. */
  readonly variants?: readonly string[]
}

/**
 * The shape of an error body, as a template: the strings `$code`, `$description`, `$details`, `$status`, `$title`,
 * `$timestamp`, `$instance`, `$traceId` stand for values, and any other `$name` for the value of that name in the
 * dialect's or the refusal's own facts; everything else is literal. A member without a value is left out. A list holds
 * one entry as the template of all its entries. Where `$code` does not occur, the code is the status.
 */
export interface ErrorShape {
  /** Statuses that have this shape; all when absent. */
  readonly statuses?: readonly number[]
  /** Value of the request header `X-Error-Format` that asks for it; any when absent. */
  readonly asked?: string
  readonly media: string
  readonly template: unknown
}
