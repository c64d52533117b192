/** Texts without what looks like a secret; whatever is kept, printed or reported passes here first. */

/** Fields whose text is a secret, or opens one; in the words of any dialect. */
export const secretFields: ReadonlySet<string> = new Set([
  'token',
  'accesstoken',
  'refreshtoken',
  'authenticationtoken',
  'encryptedtoken',
  'encryptedsymmetrickey',
  'privatekey',
  'password',
])

export const hidden = '(redacted)'

const reference = String.raw`\d{8}-[0-9A-Z]{2}-[0-9A-F]{10}-[0-9A-F]{10}-[0-9A-F]{2}`
const fields = [...secretFields].join('|')

const patterns: readonly (readonly [RegExp, string])[] = [
  // JSON Web Tokens, including truncated ones
  [/\beyJ[\w-]{5,}(?:\.[\w-]*){0,2}/g, hidden],
  // Service tokens: reference, context, secret, joined by pipes
  [new RegExp(String.raw`\b${reference}\|[^|\s"]+\|[0-9a-fA-F]{1,64}`, 'g'), hidden],
  // A word of prose, such as "the bearer token", has no digit and is short.
  [/\bBearer\s+(?=[^\s"',]*\d|[^\s"',]{20})[^\s"',]+/gi, `Bearer ${hidden}`],
  // Fields of a body that is shown as text, whole or cut off
  [new RegExp(String.raw`("(?:${fields})\\?"\s*:\s*\\?")[^"\\]+`, 'gi'), `$1${hidden}`],
  // Signatures in addresses, in the query and behind the reference number
  [/([?&](?:sig|signature|token|st|key|X-Amz-Signature)=)[^&\s"'<]+/gi, `$1${hidden}`],
  [new RegExp(String.raw`(/${reference})\.[^\s"'<>/?\\]+`, 'g'), `$1.${hidden}`],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, hidden],
]

/** Longer than any number that the contract gives to things. */
const opaque = 40
const address = /\bhttps?:\/\/[^\s"'<>\\]+/g
const segment = new RegExp(String.raw`/[\w.~%-]{${opaque},}(?=[/?#]|$)`, 'g')

/** A text without what looks like a secret. */
export const redactText = (text: string): string =>
  patterns
    .reduce((result, [pattern, instead]) => result.replace(pattern, instead), text)
    .replace(address, (url) => url.replace(segment, `/${hidden}`))
