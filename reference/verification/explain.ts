/**
 * Explains why content, keys or digests do not match. It decides nothing: the response is the same without it.
 * Source: specification, Sessions (invoice encryption) and Errors (encryption error).
 */

import { createDecipheriv, createHash } from 'node:crypto'
import type { CipherGCMTypes, KeyObject } from 'node:crypto'
import { decryptAes, decryptOaep, isPkcs1, sha256Base64 } from '../base/crypto.ts'

const decipher = (
  algorithm: string,
  key: Uint8Array,
  iv: Uint8Array | null,
  bytes: Uint8Array,
  padding: boolean,
): Buffer | undefined => {
  try {
    const cipher = createDecipheriv(algorithm, key, iv).setAutoPadding(padding)
    return Buffer.concat([cipher.update(bytes), cipher.final()])
  } catch {
    return undefined
  }
}

/** What an explanation needs besides the content. */
export interface Evidence {
  readonly key: Uint8Array
  readonly iv: Uint8Array
  /** The encrypted key from the request that opened the session. */
  readonly wrappedKey?: Uint8Array
  /** Declared hash of the plain content, Base64. */
  readonly declaredHash?: string
}

const beginning = /^(?:\ufeff)?[\s]*<(?:\?xml|[A-Za-z_!])/
const base64 = /^[A-Za-z0-9+/_-]{24,}={0,2}$/

/** Whether bytes are probably the intended content: they have the declared hash, or look like a document or archive. */
const meant = (bytes: Uint8Array | undefined, evidence: Evidence): boolean => {
  if (bytes === undefined || bytes.length === 0) return false
  if (evidence.declaredHash === sha256Base64(bytes)) return true
  const head = Buffer.from(bytes.subarray(0, 200))
  return (
    beginning.test(head.toString('utf8')) ||
    (head[0] === 0x50 && head[1] === 0x4b) ||
    (head[0] === 0x1f && head[1] === 0x8b)
  )
}

/** Whether a document or archive is complete. */
const complete = (bytes: Uint8Array): boolean => {
  const tail = Buffer.from(bytes.subarray(-64)).toString('latin1').trimEnd()
  return bytes[0] === 0x50 || bytes[0] === 0x1f || tail.endsWith('>')
}

const stripZeros = (bytes: Uint8Array): Uint8Array => {
  let end = bytes.length
  while (end > 0 && bytes[end - 1] === 0) end--
  return bytes.subarray(0, end)
}

const keysMistaken = (evidence: Evidence): [string, Uint8Array][] => {
  const wrapped = evidence.wrappedKey
  if (wrapped === undefined) return []
  return [
    ['the first 32 bytes of the encrypted key served as the key', wrapped.subarray(0, 32)],
    ['the last 32 bytes of the encrypted key served as the key', wrapped.subarray(-32)],
    [
      'the SHA-256 of the encrypted key served as the key',
      createHash('sha256').update(wrapped).digest(),
    ],
    [
      'the first 32 characters of the Base64 of the encrypted key served as the key',
      Buffer.from(Buffer.from(wrapped).toString('base64').slice(0, 32), 'latin1'),
    ],
    [
      'the first 32 characters of the Base64 of the key served as the key',
      Buffer.from(Buffer.from(evidence.key).toString('base64').slice(0, 32), 'latin1'),
    ],
  ]
}

/**
 * Explains why content does not decrypt, if the cause can be found; the most likely mistakes are tried first.
 */
export const explainContent = (content: Uint8Array, evidence: Evidence): string => {
  const { key, iv } = evidence
  const good = (bytes: Uint8Array | undefined) => meant(bytes, evidence)
  const whole = (bytes: Uint8Array) => good(bytes) && complete(bytes)

  if (content.length === 0) return 'The content is empty'
  if (good(content)) return 'The content is not encrypted'
  const asText = Buffer.from(content.subarray(0, 4096)).toString('latin1')
  if (base64.test(asText)) {
    const again = Buffer.from(Buffer.from(content).toString('latin1'), 'base64')
    if (good(decryptAes(key, iv, again))) return 'The content was encoded in Base64 twice'
    if (good(again)) return 'The content is Base64 of a document that is not encrypted'
  }
  if (content.length % 16 === 0) {
    const raw = decipher('aes-256-cbc', key, iv, content, false)
    if (raw !== undefined && whole(stripZeros(raw))) {
      return raw.at(-1) === 0
        ? 'The content is padded with zeros instead of PKCS#7'
        : 'The content lacks PKCS#7 padding'
    }
    const once = decryptAes(key, iv, content)
    if (once !== undefined && good(decryptAes(key, iv, once)))
      return 'The content was encrypted twice'
    if (good(decipher('aes-256-ecb', key, null, content, true)))
      return 'The content was encrypted in ECB mode'
    if (good(decipher('aes-128-cbc', key.subarray(0, 16), iv, content, true)))
      return 'The content was encrypted with AES-128'
    if (good(decryptAes(key, content.subarray(0, 16), content.subarray(16)))) {
      return Buffer.from(content.subarray(0, 16)).equals(Buffer.from(iv))
        ? 'The IV stands before the content; it is given at the opening only'
        : 'Another IV than that of the session stands before the content'
    }
    for (const [how, other] of keysMistaken(evidence))
      if (good(decryptAes(other, iv, content))) return `Wrong key: ${how}`
  }
  if (good(decipher('aes-256-ctr', key, iv, content, false)))
    return 'The content was encrypted in CTR mode'
  const gcm: CipherGCMTypes = 'aes-256-gcm'
  for (const nonce of [iv.subarray(0, 12), iv, content.subarray(0, 12)]) {
    const offset =
      nonce.buffer === content.buffer && nonce.byteOffset === content.byteOffset ? 12 : 0
    try {
      const body = content.subarray(offset, content.length - 16)
      const plain = createDecipheriv(gcm, key, nonce, { authTagLength: 16 }).update(body)
      if (good(plain)) return 'The content was encrypted in GCM mode'
    } catch {
      continue
    }
  }
  if (content.length % 16 !== 0) {
    const blocks = content.subarray(0, content.length - (content.length % 16))
    const raw = decipher('aes-256-cbc', key, iv, blocks, false)
    return good(raw)
      ? 'The content was cut short'
      : `The length of the content, ${content.length} bytes, is no multiple of 16`
  }
  const raw = decipher('aes-256-cbc', key, iv, content, false)
  if (good(raw)) return 'The content was cut short, or its end was changed'
  if (raw !== undefined && looksLikeText(raw.subarray(16, 272)))
    return 'The content was encrypted with another IV than that of the session'
  return 'The content was not encrypted with the key of the session'
}

/** A wrong IV corrupts only the first block. */
const looksLikeText = (bytes: Uint8Array): boolean =>
  bytes.length > 0 &&
  [...bytes].every((byte) => byte >= 0x20 || byte === 9 || byte === 10 || byte === 13 || byte === 0)

/** A private key of the service and its usage. */
export interface HeldKey {
  readonly usage: readonly string[]
  readonly key: KeyObject
  readonly current: boolean
}

/**
 * Explains why an encrypted symmetric key or its IV is not accepted.
 * @param held every private key of the service, past ones included
 */
export const explainKey = (
  wrapped: Uint8Array | undefined,
  iv: Uint8Array | undefined,
  held: readonly HeldKey[],
): string => {
  if (iv === undefined) return 'The IV is not Base64'
  if (iv.length !== 16) {
    return iv.length === 12
      ? 'The IV has 12 bytes, as GCM takes it; CBC takes 16'
      : `The IV has ${iv.length} bytes, 16 are needed`
  }
  if (wrapped === undefined) return 'The encrypted key is not Base64'
  if (wrapped.length === 32) return 'The key is not encrypted'
  const inner = Buffer.from(Buffer.from(wrapped).toString('latin1'), 'base64')
  for (const { key, usage, current } of held) {
    const size = (key.asymmetricKeyDetails?.modulusLength ?? 0) / 8
    if (size !== wrapped.length) {
      if (inner.length === size) return 'The encrypted key was encoded in Base64 twice'
      continue
    }
    const plain = decryptOaep(key, wrapped)
    if (plain !== undefined) {
      if (!usage.includes('SymmetricKeyEncryption'))
        return 'The key was encrypted with a certificate that is not for symmetric keys'
      if (!current) return 'The key was encrypted with a certificate that was withdrawn'
      if (plain.length === 44) return 'The key was encrypted in its Base64 form'
      return `The key has ${plain.length} bytes, 32 are needed`
    }
    if (decryptOaep(key, wrapped, 'sha1') !== undefined)
      return 'The key was encrypted with OAEP over SHA-1'
    if (isPkcs1(key, wrapped)) return 'The key was encrypted with PKCS#1 v1.5'
  }
  return 'The key was encrypted with a certificate that the service does not have'
}

interface DigestEvidence {
  readonly declared: string
  readonly plain: Buffer
  readonly encrypted: Uint8Array
  readonly digest: Buffer
}

const bom = Buffer.from([0xef, 0xbb, 0xbf])

const text = (change: (plain: string) => string) => (plain: Buffer) =>
  Buffer.from(change(plain.toString('latin1')), 'latin1')

/** The same document as software changes it before it is hashed. */
const rewritten: readonly (readonly [string, (plain: Buffer) => Buffer])[] = [
  ['with a byte order mark', (plain) => Buffer.concat([bom, plain])],
  ['without its byte order mark', (plain) => plain.subarray(3)],
  ['in Base64', (plain) => Buffer.from(plain.toString('base64'))],
  ['with CRLF line ends', text((plain) => plain.replaceAll(/\r?\n/g, '\r\n'))],
  ['with LF line ends', text((plain) => plain.replaceAll('\r\n', '\n'))],
  ['without white space at its ends', text((plain) => plain.trim())],
  ['with a line end behind it', (plain) => Buffer.concat([plain, Buffer.from('\n')])],
  ['in UTF-16', (plain) => Buffer.from(plain.toString('utf8'), 'utf16le')],
]

/** Ways to declare a wrong digest, in the order in which they are tried. */
const digestMistakes: readonly (readonly [string, (evidence: DigestEvidence) => boolean])[] = [
  [
    'The hash is right, the size is not',
    ({ declared, digest }) => declared === digest.toString('base64'),
  ],
  [
    'The hash is that of the encrypted content',
    ({ declared, encrypted }) => declared === sha256Base64(encrypted),
  ],
  [
    'The hash is in hexadecimal',
    ({ declared, digest }) => declared.toLowerCase() === digest.toString('hex'),
  ],
  [
    'The hash is in the URL-safe Base64',
    ({ declared, digest }) => declared.replace(/=+$/, '') === digest.toString('base64url'),
  ],
  [
    'The hash is Base64 of its hexadecimal form',
    ({ declared, digest }) => declared === Buffer.from(digest.toString('hex')).toString('base64'),
  ],
  ...rewritten.map(
    ([how, change]) =>
      [
        `The hash is that of the document ${how}`,
        ({ declared, plain }: DigestEvidence) => declared === sha256Base64(change(plain)),
      ] as const,
  ),
]

/**
 * Explains why a plain document does not match its declared hash or size.
 * @param encrypted the content before decryption
 */
export const explainDigest = (
  declared: string,
  plain: Uint8Array,
  encrypted: Uint8Array,
): string => {
  const digest = createHash('sha256').update(plain).digest()
  const evidence = { declared, plain: Buffer.from(plain), encrypted, digest }
  const found = digestMistakes.find(([, holds]) => holds(evidence))
  return found?.[0] ?? 'The hash is that of another content'
}
