import type { KeyObject } from 'node:crypto'
import { constants, createDecipheriv, createHash, privateDecrypt } from 'node:crypto'

/** What the service decrypts and hashes with: node:crypto only. */

/** SHA-256, standard Base64, 44 characters. */
export const sha256Base64 = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('base64')

export const sha256Hex = (bytes: Uint8Array | string): string =>
  createHash('sha256').update(bytes).digest('hex')

/**
 * Bytes of standard Base64 with padding, undefined for anything else: line breaks, the URL-safe alphabet, missing
 * padding, and padding bits that are not zero.
 */
export const fromBase64 = (text: string): Buffer | undefined => {
  // Node decodes leniently; only the one right spelling comes out again.
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : undefined
}

/** RSAES-OAEP with SHA-256 and MGF1 with SHA-256; undefined when the bytes are no such ciphertext of the key. */
export const decryptOaep = (
  key: KeyObject,
  bytes: Uint8Array,
  hash: 'sha256' | 'sha1' = 'sha256',
): Buffer | undefined => {
  try {
    return privateDecrypt({ key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: hash }, bytes)
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
