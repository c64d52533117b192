import { constants, createPublicKey, publicEncrypt } from 'node:crypto'
import type { KeyObject } from 'node:crypto'

const spki = (der: Uint8Array): KeyObject =>
  createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' })

export type Wrapping = 'oaep-sha256' | 'oaep-sha1' | 'oaep-sha512' | 'pkcs1'

const paddings: Readonly<Record<Wrapping, { padding: number; oaepHash?: string }>> = {
  'oaep-sha256': { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
  'oaep-sha1': { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha1' },
  'oaep-sha512': { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha512' },
  pkcs1: { padding: constants.RSA_PKCS1_PADDING },
}

/** Encrypts under a public key; RSAES-OAEP with SHA-256 unless asked otherwise. */
export const wrap = (
  plain: Uint8Array,
  der: Uint8Array,
  how: Wrapping = 'oaep-sha256',
): Uint8Array => publicEncrypt({ key: spki(der), ...paddings[how] }, plain)
