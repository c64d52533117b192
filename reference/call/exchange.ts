import type { OperationId } from '../../contract/endpoints.ts'
import type { RefusalId } from '../../contract/errors.ts'
import type { Instant } from '../base/instants.ts'
import type { ContextIdentifier } from '../model/entities.ts'
import { redact } from '../model/journal.ts'
import type { Answer, Caller } from './call.ts'

/** What the journal keeps of an exchange. One form for all exchanges: fields without a value are undefined. */
export interface Exchange {
  readonly operation: OperationId | undefined
  readonly method: string
  readonly path: string
  /** Of the connection. */
  readonly address: string
  readonly startedAt: Instant
  context: ContextIdentifier | undefined
  /** Reference of the authentication, and the kind of token. */
  login: string | undefined
  bearer: Caller['bearer'] | undefined
  parameters: Readonly<Record<string, string>> | undefined
  request: unknown
  answer: unknown
  status: number
  ms: number
  refusal: RefusalId | undefined
  details: readonly string[] | undefined
  facts: Readonly<Record<string, unknown>> | undefined
  retryAfter: string | undefined
}

/** An exchange that has begun and has no answer yet. */
export interface Running {
  readonly headers: Readonly<Record<string, string>>
  /** Without the query. */
  readonly path: string
  /** Address that the call counts for. */
  readonly address: string
  readonly exchange: Exchange
  /** When it began, ms of the monotonic clock. */
  readonly started: number
}

/** What follows the origin in an address. */
const below = (url: string): string => {
  const at = url.indexOf('/', url.indexOf('//') + 2)
  return at < 0 ? '/' : url.slice(at)
}

/** What the journal keeps of an answer: lists shortened, because it keeps many answers. */
export const answerKept = ({ body, bytes }: Answer): unknown => {
  if (body === undefined || body === null) return bytes && { bytes: bytes.length }
  const lists = Object.values(body).some((item) => Array.isArray(item) && item.length > 10)
  return lists ? redact(body) : body
}

/** The exchange that a request begins. */
export const beginExchange = (
  operation: OperationId | undefined,
  { method, url }: Request,
  address: string,
  startedAt: Instant,
): Exchange => ({
  operation,
  method,
  path: below(url),
  address,
  startedAt,
  context: undefined,
  login: undefined,
  bearer: undefined,
  parameters: undefined,
  request: undefined,
  answer: undefined,
  status: 0,
  ms: 0,
  refusal: undefined,
  details: undefined,
  facts: undefined,
  retryAfter: undefined,
})
