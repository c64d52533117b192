import type { Dialect } from '../contract/dialect.ts'
import { endpoint } from '../contract/endpoints.ts'
import type { OperationId } from '../contract/endpoints.ts'
import { maxBytesOf } from './answer-bounds.ts'
import type { Codec } from './codec.ts'
import { maxNesting, nestsDeeper } from './nesting.ts'
import type { Exchange, Send, WireRequest } from './exchange.ts'
import { counterOf, thresholdsOf } from './pacer.ts'
import type { Pacer } from './pacer.ts'
import { sleep } from './poll.ts'
import type { Polling, Sleep } from './poll.ts'
import { retryAfterMs } from './retry-after.ts'
import { buildRequest, callRequest, queryOf } from './request.ts'
import type { CallOptions, Identity, RequestOptions } from './request.ts'
import { fromWire, wireOperation } from './wire.ts'

export interface ClientOptions {
  readonly send: Send
  /** Address with the version prefix, no slash at the end. */
  readonly baseUrl: string
  readonly dialect: Dialect
  readonly codec: Codec
  /** Sees every exchange as it ends. */
  readonly record?: RecordCall
  /** Keeps the calls within the rate limits; without it nothing waits. */
  readonly pace?: Pacer
  /** The environment's limits as a multiple of production's; 1 when absent. */
  readonly rateFactor?: number
  /** Sent with every call. */
  readonly headers?: Readonly<Record<string, string>>
  /** Unix milliseconds of the clock that the target uses; `Date.now` when absent. */
  readonly now?: () => number
  /** Waits; `setTimeout` when absent. */
  readonly sleep?: Sleep
  /** How flows wait for asynchronous work. */
  readonly polling?: Polling
  /** Another form of each call, which means the same. */
  readonly otherwise?: ((operation: OperationId, call: CallOptions) => CallOptions) | undefined
  /** Whether a call is made once more after an answer; the second answer counts. */
  readonly insists?: ((answer: Exchange) => boolean) | undefined
}

/** Maximum number of times that a call is made if it waits for the rate limits but is refused all the same. */
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
  /** A call outside the contract: an absolute address or a path below the version prefix. No bearer by default. */
  request(
    method: string,
    pathOrUrl: string,
    options?: RequestOptions & { readonly operation?: OperationId },
  ): Promise<Exchange>
  /** The same client for another caller. */
  with(identity: Identity): Client
}

/** Records an exchange. `subject`: whom its limits count it for, if anybody. */
export type RecordCall = (exchange: Exchange, subject: string | undefined) => void

/** A client for one target. */
export function createClient(options: ClientOptions): Client {
  return clientFor(options, {})
}

/** Beginnings and ends of all exchanges so far. */
let ticks = 0

async function exchange(
  { send, codec, record, dialect, now = Date.now }: ClientOptions,
  operation: OperationId | undefined,
  request: WireRequest,
  { timeoutMs, held }: Pick<CallOptions, 'timeoutMs' | 'held'>,
  subjectOfAnswer: (status: number) => string | undefined,
): Promise<Exchange> {
  const startedAt = now()
  const begun = Date.now()
  const began = ++ticks
  const maxBytes = maxBytesOf(operation)
  const answer = await send(request, {
    maxBytes,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(held === undefined ? {} : { held }),
  })
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
    span: [began, ++ticks],
  }
  record?.(result, subjectOfAnswer(result.status))
  return result
}

/** The subject for which the limits of a rate rule count a caller's calls. */
const subjectOf = (rate: string, { context, bearer }: Identity): string =>
  rate === 'public' ? 'address' : (context ?? bearer ?? '')

/** Whether the limits count a call by its answer: those of a context count none whose caller the target does not know. */
const isCounted = (status: number, rate: string): boolean =>
  status !== 429 && (status !== 401 || rate === 'public')

/** Makes a call within the rate limits, as far as the client keeps to them. */
async function paced(
  { pace, dialect, rateFactor, now = Date.now }: ClientOptions,
  identity: Identity,
  { operation, rate, wait }: { operation: OperationId; rate: string; wait: boolean },
  run: () => Promise<Exchange>,
): Promise<Exchange> {
  const thresholds = thresholdsOf(rate, dialect, rateFactor)
  if (pace === undefined || thresholds === undefined) return run()
  const subject = subjectOf(rate, identity)
  const rule = counterOf(operation, dialect)
  for (let turn = 1; ; turn++) {
    const ticket = wait
      ? await pace.wait(subject, rule, thresholds)
      : await pace.note(subject, rule, thresholds)
    const result = await run()
    if (isCounted(result.status, rate)) {
      await pace.answered(ticket)
      return result
    }
    const { status, headers } = result
    const waitMs = status === 429 ? retryAfterMs(headers['retry-after'], now()) : undefined
    await pace.refused(ticket, waitMs)
    // A caller that waits is not testing the limits: calls can arrive closer together than they were sent, so retry.
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
    async call(operation, asked = {}) {
      const call = options.otherwise?.(operation, asked) ?? asked
      const { rate } = wireOperation(operation, dialect)
      const counted = (status: number) =>
        isCounted(status, rate) ? subjectOf(rate, identity) : undefined
      const turn = { operation, rate, wait: call.pace !== false }
      const once = () =>
        paced(options, identity, turn, async () => {
          // A wait for room within the limits can last longer than an access token.
          if (call.bearer === undefined) await identity.renew?.()
          const request = callRequest(options, identity, operation, call)
          return exchange(options, operation, request, call, counted)
        })
      const answer = await once()
      return options.insists?.(answer) ? once() : answer
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
      return exchange(options, call.operation, request, call, () => undefined)
    },
    with: (other) => clientFor(options, other),
  }
}

/** The body of an answer as JSON, in the contract's words if an operation succeeded; undefined when it is not JSON. */
export function readJson(
  text: string,
  status: number,
  operation: OperationId | undefined,
  dialect: Dialect,
): unknown {
  if (!/^\s*["[{\dtfn-]/.test(text)) return undefined
  // Code that reads a body walks it recursively; a hundred thousand levels would overflow the stack and end the tool.
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
