import type { Dialect } from '../contract/dialect.ts'
import { endpoint } from '../contract/endpoints.ts'
import type { OperationId } from '../contract/endpoints.ts'
import type { HeldBody, WireRequest } from './exchange.ts'
import { toWire, wireField, wireOperation, wireValue, wireWords } from './wire.ts'

/** From a call in the contract's words to a request on the wire. */

/** Whom a client speaks for. */
export interface Identity {
  /** Sent by default with operations that take an access token. */
  readonly bearer?: string
  /** Renews the bearer where it is about to expire; awaited before each call that sends it. */
  readonly renew?: () => Promise<void>
  /** Renews the bearer if it has expired or is about to; awaited after a wait that no token outlasts. */
  readonly outlast?: () => Promise<void>
  /** How the login was made, where it is known: a login by token cannot do everything. */
  readonly by?: 'document' | 'token'
  /** The context that rate limits are counted for; the bearer itself when absent. */
  readonly context?: string
}

type QueryValue = string | number | boolean | undefined

export interface RequestOptions {
  readonly query?: Readonly<Record<string, QueryValue | readonly QueryValue[]>>
  /** Names in any case; undefined removes a header that would otherwise be sent. */
  readonly headers?: Readonly<Record<string, string | undefined>>
  /** Null sends none in place of the default. */
  readonly bearer?: string | null
  /** A JSON value in the contract's words; bytes and text are sent as they are. */
  readonly body?: unknown
  /** `Content-Type`, when not that of the operation. */
  readonly media?: string
  /** How the JSON of a body is written, where another way is as good. */
  readonly written?: (json: unknown) => string
  readonly timeoutMs?: number
}

export interface CallOptions extends RequestOptions {
  /** Values of the path's parameters. */
  readonly path?: Readonly<Record<string, string>>
  /** Uses another spelling of the path: its place in the row's `aliases`. */
  readonly alias?: number
  readonly method?: string
  /** Below the version prefix, sent as it is instead of the operation's path. */
  readonly rawPath?: string
  /** Whether the path is resolved at the origin, without the version prefix; as the row says when absent. */
  readonly atOrigin?: boolean
  /** False: does not wait for the rate limits. */
  readonly pace?: boolean
  /** Holds the body back; it is sent at once when absent. */
  readonly held?: HeldBody
}

/** What requests of one target have in common. */
export interface Addressing {
  /** Address with the version prefix, no slash at the end. */
  readonly baseUrl: string
  readonly dialect: Dialect
  /** Sent with every call. */
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * The request of a call.
 * @throws {OperationAbsent} when the dialect does not have the operation
 */
export function callRequest(
  { baseUrl, dialect, headers }: Addressing,
  identity: Identity,
  operation: OperationId,
  call: CallOptions,
): WireRequest {
  const row = endpoint(operation)
  const wire = wireOperation(operation, dialect)
  const path = call.rawPath ?? fillPath(pathOf(wire, call.alias), call.path ?? {}, dialect)
  const base = (call.atOrigin ?? wire.atOrigin) ? originOf(baseUrl) : baseUrl
  const bearer =
    call.bearer === undefined && takesAccessToken(wire.bearer) ? identity.bearer : call.bearer
  return buildRequest(
    call.method ?? wire.method,
    base + path + queryOf(call.query, dialect),
    { ...headers, ...wireHeaders(call.headers, dialect) },
    bearer ?? undefined,
    isRaw(call.body)
      ? call.body
      : (call.written ?? JSON.stringify)(toWire(call.body, row.request?.schema, dialect)),
    call.media ?? row.request?.media ?? 'application/json',
  )
}

const takesAccessToken = (bearer: string): boolean =>
  bearer === 'access' || bearer === 'refresh-or-access'

const isRaw = (body: unknown): body is Uint8Array | string | undefined =>
  body === undefined || typeof body === 'string' || body instanceof Uint8Array

/** Scheme and host of an address. */
export const originOf = (url: string): string => /^https?:\/\/[^/?#]+/.exec(url)?.[0] ?? url

function pathOf(
  wire: { readonly path: string; readonly aliases: readonly string[] },
  alias: number | undefined,
): string {
  if (alias === undefined) return wire.path
  const path = wire.aliases[alias]
  if (path === undefined) throw new RangeError(`${wire.path} has no alias ${alias}`)
  return path
}

function fillPath(
  template: string,
  values: Readonly<Record<string, string>>,
  dialect: Dialect,
): string {
  return template.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const value =
      values[name] ??
      Object.entries(values).find(([given]) => wireField(given, dialect) === name)?.[1]
    if (value === undefined) throw new RangeError(`${template} needs a value for ${name}`)
    return encodeURIComponent(value)
  })
}

export function queryOf(query: RequestOptions['query'], dialect: Dialect): string {
  const pairs = Object.entries(query ?? {}).flatMap(([name, given]) =>
    (Array.isArray(given) ? given : [given])
      .filter((value) => value !== undefined)
      .map((value) => {
        const wire = String(wireValue(name, value, dialect))
        return `${encodeURIComponent(wireField(name, dialect))}=${encodeURIComponent(wire)}`
      }),
  )
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

const wireHeaders = (
  headers: RequestOptions['headers'],
  dialect: Dialect,
): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(headers ?? {}).map(([name, value]) => [wireWords(name, dialect), value]),
  )

export function buildRequest(
  method: string,
  url: string,
  given: Readonly<Record<string, string | undefined>>,
  bearer: string | undefined,
  body: unknown,
  media: string,
): WireRequest {
  const headers: Record<string, string> = { accept: '*/*' }
  if (body !== undefined) headers['content-type'] = media
  if (bearer !== undefined) headers['authorization'] = `Bearer ${bearer}`
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) delete headers[name.toLowerCase()]
    else headers[name.toLowerCase()] = value
  }
  if (body === undefined) return { method, url, headers }
  return { method, url, headers, body: isRaw(body) ? (body ?? '') : JSON.stringify(body) }
}
