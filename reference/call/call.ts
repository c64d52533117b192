import type { OperationId, OperationsOf, endpoints } from '../../contract/endpoints.ts'
import type { BodyOf, SchemaId } from '../../contract/schemas.ts'
import type { Area, Permission } from '../../contract/types.ts'
import type { Authentication, ContextIdentifier, SubjectIdentifier } from '../model/entities.ts'
import type { Instant } from '../base/instants.ts'
import type { Service } from './service.ts'

/** What a handler receives and returns. Bodies are canonical: the dialect is applied before and after. */

/** Who calls, known from a verified access token (or the token of the stage that the operation takes). */
export interface Caller {
  readonly context: ContextIdentifier
  readonly subject: SubjectIdentifier
  /** What the caller may do now: the grants in force, within what the token carries. */
  permissions(): ReadonlySet<Permission>
  readonly authentication: Authentication
  readonly bearer: 'authentication' | 'access' | 'refresh'
}

type Bearer<O extends OperationId> = (typeof endpoints)[O]['bearer']

/** The parameters in the path of an operation, URL-decoded. */
type PathParameters<P extends string> = { readonly [Name in NamesIn<P>]: string }
type NamesIn<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never

export interface AnyCall {
  readonly operation: OperationId
  readonly path: Readonly<Record<string, string>>
  /** Parsed by the schema of each parameter; defaults filled in. */
  readonly query: Readonly<Record<string, unknown>>
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  /** Canonical JSON where the operation takes JSON, valid against its schema. */
  readonly body: unknown
  /** The bytes as they came. */
  readonly bytes: Uint8Array
  /** Address of the connection. */
  readonly address: string
  /** When the call came, in the service's time. */
  readonly now: Instant
  readonly caller: Caller | undefined
  readonly service: Service
}

/** The body of a request, which its schema has validated. */
export type RequestBody<O extends OperationId> = (typeof endpoints)[O] extends {
  readonly request: { readonly schema: infer Id extends SchemaId }
}
  ? BodyOf<Id>
  : unknown

type Call<O extends OperationId = OperationId> = Omit<
  AnyCall,
  'operation' | 'path' | 'caller' | 'body'
> & {
  readonly operation: O
  readonly body: RequestBody<O>
  readonly path: PathParameters<(typeof endpoints)[O]['path']>
  /** Undefined exactly for operations without a bearer. */
  readonly caller: Bearer<O> extends 'none' | 'link' ? undefined : Caller
}

/** A call of any protected operation, for functions that serve several. */
export type ProtectedCall = Omit<AnyCall, 'caller'> & { readonly caller: Caller }

export interface Answer {
  /** The success status of the operation when absent. */
  readonly status?: number
  /** Canonical JSON. */
  readonly body?: unknown
  readonly bytes?: Uint8Array
  /** Media type of `bytes`; that of the operation when absent. */
  readonly media?: string
  readonly headers?: Readonly<Record<string, string>>
}

export type Handler<O extends OperationId = OperationId> = (
  call: Call<O>,
) => Answer | Promise<Answer>

/** The handler table of an area: exactly its operations. */
export type Handlers<A extends Area> = { readonly [O in OperationsOf<A>]: Handler<O> }
