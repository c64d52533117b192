import type { LimitId, RateRuleId } from './limits.ts'
import type { OperationId } from './endpoints.ts'
import type { RefusalId } from './errors.ts'
import type { JsonSchema, Method, Refusal, Window } from './types.ts'

/**
 * A dialect: how the one contract is spelled on the wire of one kind of target. Data only: nobody asks which
 * dialect it is in, tester and reference each read these rows. The contract itself is written in the words of
 * the specification, so `svc` is nearly empty; a new version of the interface is one more file like it.
 */
export interface Dialect {
  readonly id: string
  readonly summary: string
  /** Version prefix of every path, for example `/api/v2`. */
  readonly prefix: string
  /** What an operation has otherwise, or why it is not there. */
  readonly operations: Partial<Record<OperationId, OperationForm>>
  /** Contract field name -> field name on the wire, everywhere. */
  readonly fields: Readonly<Record<string, string>>
  /** Contract field name -> contract value -> value on the wire. */
  readonly values: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Schema id -> contract field -> path on the wire, dots between names. */
  readonly moves: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Schema id -> the schema on the wire where renaming does not reach. */
  readonly schemas: Readonly<Record<string, JsonSchema>>
  /** Words of the service's own name inside paths, headers and media: contract -> wire. */
  readonly words: Readonly<Record<string, string>>
  /** Refusals that are answered otherwise. */
  readonly refusals: Partial<Record<RefusalId, Pick<Refusal, 'answer' | 'state'>>>
  /** First match wins. */
  readonly errorShapes: readonly ErrorShape[]
  readonly limits: Partial<Record<LimitId, number>>
  readonly rates: Partial<Record<RateRuleId, Window>>
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
    }

export type RuleForm = { readonly absent: string } | { readonly replaced: string }

/**
 * The shape of an error body, as a template: the strings `$code`, `$description`, `$details`, `$status`, `$title`,
 * `$timestamp`, `$instance`, `$traceId` stand for values; everything else is literal.
 */
export interface ErrorShape {
  /** Statuses that have this shape; all when absent. */
  readonly statuses?: readonly number[]
  /** Value of the request header `X-Error-Format` that asks for it; any when absent. */
  readonly asked?: string
  readonly media: string
  readonly template: unknown
}
