import type { Dialect } from '../contract/dialect.ts'
import { endpoint } from '../contract/endpoints.ts'
import type { OperationId } from '../contract/endpoints.ts'
import type { Codec } from './codec.ts'
import { maxNesting, nestsDeeper } from './nesting.ts'
import type { Exchange, Send, WireRequest } from './exchange.ts'
import { counterOf, thresholdsOf } from './pacer.ts'
import type { Pacer } from './pacer.ts'
import { sleep } from './poll.ts'
import type { Polling, Sleep } from './poll.ts'
import { retryAfterMs } from './retry-after.ts'
import { fromWire, toWire, wireField, wireOperation, wireValue, wireWords } from './wire.ts'

export interface ClientOptions {
  readonly send: Send
  /** Address with the version prefix, no slash at the end. */
  readonly baseUrl: string
  readonly dialect: Dialect
  readonly codec: Codec
  /** Sees every exchange as it ends. */
  readonly record?: (exchange: Exchange) => void
  /** Keeps the calls within the rate limits; without it nothing waits. */
  readonly pace?: Pacer
  /** How often the environment's limits are those of production; 1 when absent. */
  readonly rateFactor?: number
  /** Sent with every call. */
  readonly headers?: Readonly<Record<string, string>>
  /** Unix milliseconds of the clock that the target lives by; `Date.now` when absent. */
  readonly now?: () => number
  /** Waits; `setTimeout` when absent. */
  readonly sleep?: Sleep
  /** How flows wait for asynchronous work. */
  readonly polling?: Polling
}

/** Whom a client speaks for. */
export interface Identity {
  /** Sent by default with operations that take an access token. */
  readonly bearer?: string
  /** The context that rate limits are counted for; the bearer itself when absent. */
  readonly context?: string
}

type QueryValue = string | number | boolean | undefined

interface RequestOptions {
  readonly query?: Readonly<Record<string, QueryValue | readonly QueryValue[]>>
  /** Names in any case; undefined takes a header away that would be sent otherwise. */
  readonly headers?: Readonly<Record<string, string | undefined>>
  /** Null sends none where the default would. */
  readonly bearer?: string | null
  /** A JSON value in the contract's words; bytes and text are sent as they are. */
  readonly body?: unknown
  /** `Content-Type`, when not that of the operation. */
  readonly media?: string
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
}

/** How often a call is made that waits for the rate limits and is refused for them all the same. */
const turns = 3

/** Calls the operations of the contract in the words of one dialect. Never throws for a status. */
export interface Client {
  readonly baseUrl: string
  readonly dialect: Dialect
  readonly codec: Codec
  readonly identity: Identity
  readonly polling: Polling
  readonly now: () => number
  readonly sleep: Sleep
  /**
   * One call of an operation.
   * @throws {OperationAbsent} when the dialect does not have it; what `send` throws when no answer came
   */
  call(operation: OperationId, options?: CallOptions): Promise<Exchange>
  /** A call outside the contract: an absolute address, or a path below the version prefix. Sends no bearer by default. */
  request(
    method: string,
    pathOrUrl: string,
    options?: RequestOptions & { readonly operation?: OperationId },
  ): Promise<Exchange>
  /** The same client for somebody else. */
  with(identity: Identity): Client
}

/** A client for one target. */
export function createClient(options: ClientOptions): Client {
  return clientFor(options, {})
}

async function exchange(
  { send, codec, record, dialect, now = Date.now }: ClientOptions,
  operation: OperationId | undefined,
  request: WireRequest,
  timeoutMs: number | undefined,
): Promise<Exchange> {
  const startedAt = now()
  const begun = Date.now()
  const answer = await send(request, timeoutMs === undefined ? {} : { timeoutMs })
  const text = codec.text(answer.body)
  const result: Exchange = {
    operation,
    request,
    status: answer.status,
    headers: answer.headers,
    bytes: answer.body,
    text,
    body: readJson(text, answer.status, operation, dialect),
    startedAt,
    ms: Date.now() - begun,
  }
  record?.(result)
  return result
}

/** Makes a call within the rate limits, as far as the client keeps to them. */
async function paced(
  { pace, dialect, rateFactor, now = Date.now }: ClientOptions,
  identity: Identity,
  operation: OperationId,
  wait: boolean,
  run: () => Promise<Exchange>,
): Promise<Exchange> {
  const { rate } = wireOperation(operation, dialect)
  const thresholds = thresholdsOf(rate, dialect, rateFactor)
  if (pace === undefined || thresholds === undefined) return run()
  const subject = rate === 'public' ? 'address' : (identity.context ?? identity.bearer ?? '')
  const rule = counterOf(operation, dialect)
  for (let turn = 1; ; turn++) {
    const ticket = wait
      ? await pace.wait(subject, rule, thresholds)
      : await pace.note(subject, rule, thresholds)
    const result = await run()
    if (result.status !== 429) {
      await pace.answered(ticket)
      return result
    }
    const waitMs = retryAfterMs(result.headers['retry-after'], now())
    await pace.refused(ticket, waitMs)
    // A caller that waits does not test the limits: calls can arrive closer together than they were sent.
    if (!wait || waitMs === undefined || turn === turns) return result
  }
}

function clientFor(options: ClientOptions, identity: Identity): Client {
  const { dialect, codec, baseUrl, now = Date.now } = options
  return {
    baseUrl,
    dialect,
    codec,
    identity,
    now,
    sleep: options.sleep ?? sleep,
    polling: options.polling ?? { everyMs: 100, times: 120 },
    async call(operation, call = {}) {
      const row = endpoint(operation)
      const wire = wireOperation(operation, dialect)
      const path = call.rawPath ?? fillPath(pathOf(wire, call.alias), call.path ?? {}, dialect)
      const base = (call.atOrigin ?? wire.atOrigin) ? originOf(baseUrl) : baseUrl
      const bearer =
        call.bearer === undefined && takesAccessToken(wire.bearer) ? identity.bearer : call.bearer
      const request = buildRequest(
        call.method ?? wire.method,
        base + path + queryOf(call.query, dialect),
        { ...options.headers, ...wireHeaders(call.headers, dialect) },
        bearer ?? undefined,
        isRaw(call.body) ? call.body : toWire(call.body, row.request?.schema, dialect),
        call.media ?? row.request?.media ?? 'application/json',
      )
      return paced(options, identity, operation, call.pace !== false, () =>
        exchange(options, operation, request, call.timeoutMs),
      )
    },
    async request(method, pathOrUrl, call = {}) {
      const url = /^https?:\/\//.test(pathOrUrl) ? pathOrUrl : baseUrl + pathOrUrl
      const request = buildRequest(
        method,
        url + queryOf(call.query, dialect),
        { ...options.headers, ...call.headers },
        call.bearer ?? undefined,
        call.body,
        call.media ?? 'application/json',
      )
      return exchange(options, call.operation, request, call.timeoutMs)
    },
    with: (other) => clientFor(options, other),
  }
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

function queryOf(query: RequestOptions['query'], dialect: Dialect): string {
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

function buildRequest(
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

function readJson(
  text: string,
  status: number,
  operation: OperationId | undefined,
  dialect: Dialect,
): unknown {
  if (!/^\s*["[{\dtfn-]/.test(text)) return undefined
  // Whatever reads a body walks it, and a body that nests by the hundred thousand would end that walk, and the tool.
  if (nestsDeeper(text, maxNesting)) return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (operation === undefined || status < 200 || status > 299) return value
  return fromWire(value, endpoint(operation).answer.schema, dialect)
}
