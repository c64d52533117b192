import type { KeyObject } from 'node:crypto'
import { constants, createDecipheriv, hash, privateDecrypt } from 'node:crypto'

/** What the service decrypts and hashes with: node:crypto only. */

/** SHA-256, standard Base64, 44 characters. */
export const sha256Base64 = (bytes: Uint8Array): string => hash('sha256', bytes, 'base64')

export const sha256Hex = (bytes: Uint8Array | string): string => hash('sha256', bytes, 'hex')

/** How many bytes a text of standard Base64, padded, in one line, stands for; undefined for any other text. */
const lengthOf = (text: string): number | undefined => {
  if (text.length % 4 !== 0 || text.includes('-') || text.includes('_')) return undefined
  return (text.length / 4) * 3 - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0)
}

/**
 * Bytes of standard Base64 with padding, undefined for anything else: line breaks, the URL-safe alphabet, missing
 * padding, and padding bits that are not zero.
 */
export const fromBase64 = (text: string): Buffer | undefined => {
  // Node decodes leniently and leaves out what does not belong to the alphabet: then bytes are missing.
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length !== lengthOf(text)) return undefined
  // Of the last four characters, only the canonical spelling is encoded to itself again.
  const last = text.slice(-4)
  return Buffer.from(last, 'base64').toString('base64') === last ? bytes : undefined
}

let scratch = Buffer.alloc(0)

/** Whether a text is standard Base64, padded, in one line; the bits of its padding may be any. */
export const isBase64 = (text: string): boolean => {
  const length = lengthOf(text)
  if (length === undefined) return false
  // Texts of 10 MB come once in a while: the space for them is not kept.
  if (length > 1_000_000) return Buffer.from(text, 'base64').length === length
  if (scratch.length < length) scratch = Buffer.alloc(2 * length)
  return scratch.write(text, 'base64') === length
}

/** RSAES-OAEP with SHA-256 and MGF1 with SHA-256; undefined when the bytes are no such ciphertext of the key. */
export const decryptOaep = (
  key: KeyObject,
  bytes: Uint8Array,
  digest: 'sha256' | 'sha1' = 'sha256',
): Buffer | undefined => {
  try {
    return privateDecrypt(
      { key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: digest },
      bytes,
    )
  } catch {
    return undefined
  }
}

/** AES-256-CBC with PKCS#7; undefined when length or padding is wrong. Key of 32 bytes, IV of 16. */
export const decryptAes = (
  key: Uint8Array,
  iv: Uint8Array,
  bytes: Uint8Array,
): Buffer | undefined => {
  if (bytes.length === 0 || bytes.length % 16 !== 0) return undefined
  try {
    const decipher = createDecipheriv('aes-256-cbc', key, iv)
    return Buffer.concat([decipher.update(bytes), decipher.final()])
  } catch {
    return undefined
  }
}

/** Whether bytes decrypt to a PKCS#1 v1.5 padding: 0, 2, at least eight bytes, 0. */
export const isPkcs1 = (key: KeyObject, wrapped: Uint8Array): boolean => {
  try {
    const bare = privateDecrypt({ key, padding: constants.RSA_NO_PADDING }, wrapped)
    return bare[0] === 0 && bare[1] === 2 && bare.indexOf(0, 2) > 9
  } catch {
    // The number is larger than the modulus of this key.
    return false
  }
}
