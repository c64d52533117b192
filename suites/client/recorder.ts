import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import type { Dialect } from '../../contract/dialect.ts'
import { endpoint } from '../../contract/endpoints.ts'
import { redactText } from '../../lib/redact.ts'
import { retryAfterMs } from '../../lib/retry-after.ts'
import { fromWire } from '../../lib/wire.ts'
import { factsOf } from './facts.ts'
import type { BearerKind, Step } from './history.ts'
import { malformationOf } from './malformed.ts'
import type { Route } from './routes.ts'
import { createRoutes } from './routes.ts'
import {
  errorCodeOf,
  explanationsIn,
  listedIn,
  receiptLinksIn,
  sightingsIn,
  textOf,
  tokensIn,
  uploadsIn,
} from './answers.ts'

/**
 * Makes steps of a history from requests and answers on the wire. It reads tokens and addresses to recognize them
 * again, and keeps none: a step holds digests and redacted texts only.
 */

/** A request and its answer as they were on the wire. */
export interface WireExchange {
  readonly run: number
  readonly method: string
  /** Path and query. */
  readonly url: string
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** Headers and body of the request may have been left out of the record. */
  readonly isPartial?: true | undefined
  /** What reached the client; absent when nothing did, or not all of it. */
  readonly answer?:
    | {
        readonly status: number
        readonly headers: Readonly<Record<string, string>>
        readonly body: Uint8Array
      }
    | undefined
  readonly at: number
  readonly ended: number
  readonly fault?: string | undefined
  readonly committed?: boolean | undefined
  readonly refusal?: string | undefined
  readonly isMisencrypted?: boolean | undefined
  readonly details?: readonly string[] | undefined
  /** Invoice number in the decrypted document. */
  readonly number?: string | undefined
}

export interface Recorder {
  add(exchange: WireExchange): Step
  readonly steps: readonly Step[]
}

const digest = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 12)

interface KnownToken {
  readonly kind: BearerKind
  /** Unix milliseconds. */
  readonly validUntil?: number | undefined
}

/** What answers gave the client, by digests. */
interface Known {
  readonly tokens: Map<string, KnownToken>
  /** What each receipt link is about. */
  readonly receipts: Map<string, string>
  /** The headers that each upload needs. */
  readonly uploads: Map<string, Readonly<Record<string, string>>>
}

function learn(
  { tokens, receipts, uploads }: Known,
  operation: Step['operation'],
  parameters: Readonly<Record<string, string>>,
  body: unknown,
): void {
  for (const { token, kind, validUntil } of tokensIn(operation, body))
    tokens.set(digest(token), { kind, validUntil })
  for (const { url, of } of receiptLinksIn(operation, parameters, body))
    receipts.set(digest(below(url)), of)
  for (const { url, headers } of uploadsIn(operation, body))
    uploads.set(digest(below(url)), headers)
}

/** A recorder for one client in one dialect. */
export function createRecorder(dialect: Dialect): Recorder {
  const steps: Step[] = []
  const route: Route = createRoutes(dialect)
  const known: Known = { tokens: new Map(), receipts: new Map(), uploads: new Map() }
  const { tokens, receipts, uploads } = known

  return {
    steps,
    add(exchange) {
      const [path = '', query = ''] = exchange.url.split('?', 2)
      const routed = route(exchange.method, path)
      const operation = routed?.operation
      const parameters = routed?.parameters ?? {}
      const row = operation && endpoint(operation)
      const request = fromWire(jsonOf(exchange.body), row?.request?.schema, dialect)
      const { answer } = exchange
      const ok = answer !== undefined && answer.status >= 200 && answer.status < 300
      const raw = answer && jsonOf(unpacked(answer.headers, answer.body))
      const body = ok ? fromWire(raw, row?.answer.schema, dialect) : raw
      const bearer = bearerOf(exchange.headers['authorization'])
      const token = bearer === undefined ? undefined : tokens.get(digest(bearer))
      const session = sessionOf(operation, parameters, request)
      const link = receipts.get(digest(exchange.url)) ?? receipts.get(digest(path))
      const step: Step = {
        n: steps.length + 1,
        run: exchange.run,
        operation,
        method: exchange.method,
        path: redactText(query === '' ? path : `${path}?${query}`),
        parameters: redactedValues(parameters, operation),
        at: exchange.at,
        ended: exchange.ended,
        bearer: bearer === undefined ? 'none' : (token?.kind ?? 'unknown'),
        bearerId: bearer === undefined ? undefined : digest(bearer),
        misplaced: misplacedIn(exchange, bearer, tokens),
        outcome: answer === undefined ? 'unknown' : ok ? 'ok' : 'fail',
        status: answer?.status,
        retryAfter: retryAfterOf(answer?.headers['retry-after']),
        code: errorCodeOf(body),
        fault: exchange.fault,
        committed: exchange.committed,
        refusal: exchange.refusal,
        isMisencrypted: exchange.isMisencrypted,
        details: exchange.details ?? explanationOf(body, answer?.status),
        malformed: malformationOf(
          {
            ...exchange,
            operation,
            path,
            query,
            request,
            status: answer?.status ?? 0,
            code: errorCodeOf(body),
            expectedHeaders: uploads.get(digest(exchange.url)),
          },
          dialect,
        ),
        hash: textOf(request, 'invoiceHash'),
        number: exchange.number,
        session,
        receiptOf: receiptOf(operation, parameters, link),
        sightings: ok ? sightingsIn(operation, parameters, body, request) : [],
        listed: ok ? listedIn(operation, body) : undefined,
        facts: factsOf(operation, {
          request,
          body: ok ? body : undefined,
          query,
          raw: exchange.body,
        }),
      }
      steps.push(step)
      if (ok) learn(known, operation, parameters, body)
      return step
    },
  }
}

/** Why an answer refuses, or reports work that failed, in its own words. */
function explanationOf(body: unknown, status: number | undefined): string[] | undefined {
  const hasFailed = (status ?? 0) >= 400 || (errorCodeOf(body) ?? 0) >= 400
  if (!hasFailed) return undefined
  const words = explanationsIn(body).slice(0, 3)
  return words.length === 0 ? undefined : words.map((one) => redactText(one.slice(0, 200)))
}

const bearerOf = (header: string | undefined): string | undefined =>
  /^Bearer\s+(.+)$/i.exec(header ?? '')?.[1]

/** Path and query of an address. */
const below = (url: string): string => url.replace(/^https?:\/\/[^/]+/, '')

function jsonOf(bytes: Uint8Array): unknown {
  if (bytes.length === 0 || bytes.length > 20_000_000) return undefined
  // A body that is not JSON is not decoded: packages are large.
  const first = bytes[0]
  if (first !== 0x7b && first !== 0x5b && first !== 0x20 && first !== 0x0a) return undefined
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8')) as unknown
  } catch {
    return undefined
  }
}

function unpacked(headers: Readonly<Record<string, string>>, body: Uint8Array): Uint8Array {
  if (headers['content-encoding'] !== 'gzip') return body
  try {
    return gunzipSync(body, { maxOutputLength: 50_000_000 })
  } catch {
    return body
  }
}

function retryAfterOf(header: string | undefined): number | undefined {
  const ms = retryAfterMs(header, Date.now())
  return ms === undefined ? undefined : ms / 1000
}

/** A path of signed addresses holds the signature. */
const redactedValues = (
  parameters: Readonly<Record<string, string>>,
  operation: Step['operation'],
): Readonly<Record<string, string>> => (operation === 'receipts.link' ? {} : parameters)

function misplacedIn(
  { url, headers, body }: WireExchange,
  bearer: string | undefined,
  tokens: ReadonlyMap<string, KnownToken>,
): string[] {
  const found: string[] = []
  const isToken = (text: string) => tokens.has(digest(text)) || /^eyJ[\w-]{5,}\.[\w-]+\./.test(text)
  for (const part of url.split(/[/?&=]/))
    if (part.length > 30 && isToken(safelyDecoded(part))) found.push('a token in the address')
  for (const [name, value] of Object.entries(headers))
    if (name !== 'authorization' && isToken(value.replace(/^Bearer\s+/i, '')))
      found.push(`a token in the header ${name}`)
  if (bearer !== undefined && bearer.includes('|'))
    found.push('the service token itself in the header authorization')
  const start = Buffer.from(body.subarray(0, 100_000)).toString('latin1')
  if (serviceToken.test(start)) found.push('the plain service token in the body')
  else if (serviceToken.test(decodedToken(start)))
    found.push('the service token in the body, in Base64 and not encrypted')
  return found
}

const serviceToken = /\d{8}-[0-9A-Z]{2}-[0-9A-F]{10}-[0-9A-F]{10}-[0-9A-F]{2}\|[^|\s"]+\|/

const decodedToken = (body: string): string =>
  Buffer.from(/"encryptedToken"\s*:\s*"([^"]*)"/.exec(body)?.[1] ?? '', 'base64').toString('latin1')

function safelyDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function sessionOf(
  operation: Step['operation'],
  parameters: Readonly<Record<string, string>>,
  request: unknown,
): string | undefined {
  if (operation === undefined) return undefined
  if (operation.startsWith('sessions.') || operation === 'receipts.session')
    return parameters['referenceNumber']
  if (operation === 'invoices.submit' || operation === 'invoices.inSession')
    return parameters['referenceNumber']
  return textOf(request, 'sessionReferenceNumber')
}

function receiptOf(
  operation: Step['operation'],
  parameters: Readonly<Record<string, string>>,
  link: string | undefined,
): string | undefined {
  if (link !== undefined) return link
  if (operation === 'receipts.session') return parameters['referenceNumber']
  if (operation === 'receipts.invoice') return parameters['invoiceReferenceNumber']
  if (operation === 'receipts.invoiceBySvcNumber') return parameters['svcNumber']
  return undefined
}
