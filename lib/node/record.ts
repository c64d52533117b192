import type { Exchange } from '../exchange.ts'
import { hidden, redactText, secretFields } from '../redact.ts'

/** Exchanges as they may be shown and stored: without secrets. Redaction happens here, before anything is kept. */

/** One call, ready to be shown. */
export interface RecordedCall {
  readonly operation?: string
  /** A command line that repeats the call, given the bearer in `$TOKEN`. */
  readonly curl: string
  readonly status: number
  /** The answer's body, redacted and shortened. */
  readonly answer: string
  readonly ms: number
}

const longest = 4000

/** A JSON value without secrets; very long texts are shortened. */
export function redactJson(value: unknown): unknown {
  if (typeof value === 'string') return shorten(redactText(value), 600)
  if (Array.isArray(value)) return value.map(redactJson)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      typeof inner === 'string' && secretFields.has(name.toLowerCase())
        ? hidden
        : redactJson(inner),
    ]),
  )
}

const shorten = (text: string, length = longest): string =>
  text.length <= length ? text : `${text.slice(0, length)}... (${text.length} characters in all)`

/** A body without secrets; bytes that are no text are described. */
export function redactBody(body: Uint8Array | string | undefined): string {
  if (body === undefined) return ''
  const text = typeof body === 'string' ? body : readText(body)
  if (text === undefined) return `(${body.length} bytes)`
  try {
    return shorten(JSON.stringify(redactJson(JSON.parse(text))))
  } catch {
    return shorten(redactText(text))
  }
}

function readText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    // Encrypted parts are hardly ever UTF-8, and any text without a NUL is worth showing.
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

const headersOfCurl = new Set(['accept', 'host', 'content-length', 'connection', 'user-agent'])

/** The request as a shell command; `$TOKEN` stands for the bearer. */
export function curl({ request }: Pick<Exchange, 'request'>): string {
  const parts = ['curl -sS -i']
  // With -X, curl would wait for the body that a HEAD does not get.
  if (request.method === 'HEAD') parts.push('--head')
  else if (request.method !== 'GET') parts.push(`-X ${request.method}`)
  parts.push(quote(redactText(request.url)))
  for (const [name, value] of Object.entries(request.headers)) {
    if (name === 'authorization') parts.push('-H "authorization: Bearer $TOKEN"')
    else if (!headersOfCurl.has(name)) parts.push(`-H ${quote(`${name}: ${redactText(value)}`)}`)
  }
  if (request.body !== undefined && request.body.length > 0) {
    const text = redactBody(request.body)
    const binary = typeof request.body !== 'string' && readText(request.body) === undefined
    parts.push(binary ? `--data-binary @part.bin # ${text}` : `--data-raw ${quote(text)}`)
  }
  return parts.join(' ')
}

const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** An exchange as it may be kept. */
export const recorded = (exchange: Exchange): RecordedCall => ({
  ...(exchange.operation === undefined ? {} : { operation: exchange.operation }),
  curl: curl(exchange),
  status: exchange.status,
  answer: redactBody(exchange.bytes),
  ms: exchange.ms,
})
