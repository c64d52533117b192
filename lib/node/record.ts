import type { Exchange } from '../exchange.ts'

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

/** Fields whose text is a secret, or opens one; in the words of any dialect. */
const secretFields = new Set([
  'token',
  'accesstoken',
  'refreshtoken',
  'authenticationtoken',
  'encryptedtoken',
  'encryptedsymmetrickey',
  'privatekey',
  'password',
])

const hidden = '(redacted)'
const longest = 4000

const patterns: readonly (readonly [RegExp, string])[] = [
  // JSON Web Tokens
  [/\beyJ[\w-]{5,}\.[\w-]+\.[\w-]*/g, hidden],
  // Service tokens: reference, context, secret, joined by pipes
  [/\b\d{8}-[0-9A-Z]{2}-[0-9A-F]{10}-[0-9A-F]{10}-[0-9A-F]{2}\|[^|\s"]+\|[0-9a-fA-F]{64}/g, hidden],
  [/\bBearer\s+[^\s"',]+/gi, `Bearer ${hidden}`],
  // Signatures in addresses
  [/([?&](?:sig|signature|token|st|key|X-Amz-Signature)=)[^&\s"'<]+/gi, `$1${hidden}`],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/g, hidden],
]

/** A text without what looks like a secret. */
export const redactText = (text: string): string =>
  patterns.reduce((result, [pattern, instead]) => result.replace(pattern, instead), text)

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

/** The request as a command line for a shell; the bearer stands for itself as `$TOKEN`. */
export function curl({ request }: Pick<Exchange, 'request'>): string {
  const parts = ['curl -sS -i']
  if (request.method !== 'GET') parts.push(`-X ${request.method}`)
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
