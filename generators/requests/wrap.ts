import { constants, createHash, createPublicKey, publicEncrypt, randomBytes } from 'node:crypto'
import { concatBytes } from '../../lib/codec.ts'

/** Encryption under the public keys of a service, padded by hand so that a draw gives the same bytes each time. */

/** Whom to encrypt for. */
export interface Recipients {
  /** Public keys as SPKI (DER): the one for sessions, the one for tokens, and one that is not the service's. */
  readonly sessionSpki: Uint8Array
  readonly tokenSpki: Uint8Array
  readonly strangerSpki: Uint8Array
  /** Where the padding's random bytes come from; the machine when absent. */
  readonly random?: (count: number) => Uint8Array
}

export type Wrapping = 'oaep-sha256' | 'oaep-sha1' | 'oaep-sha512' | 'pkcs1'

const xor = (one: Uint8Array, other: Uint8Array): Uint8Array =>
  one.map((byte, at) => byte ^ other[at]!)

/** Mask generation function 1 (RFC 8017, B.2.1). */
function mask(seed: Uint8Array, length: number, hash: string): Uint8Array {
  const blocks: Uint8Array[] = []
  for (let counter = 0, made = 0; made < length; counter++) {
    const number = Buffer.alloc(4)
    number.writeUInt32BE(counter)
    const block = createHash(hash).update(seed).update(number).digest()
    blocks.push(block)
    made += block.length
  }
  return concatBytes(blocks).slice(0, length)
}

type Random = (count: number) => Uint8Array

/** Optimal asymmetric encryption padding (RFC 8017, 7.1.1), with an empty label. */
function oaep(plain: Uint8Array, length: number, hash: string, random: Random): Uint8Array {
  const label = createHash(hash).digest()
  const zeros = length - plain.length - 2 * label.length - 2
  const data = concatBytes([label, new Uint8Array(zeros), Uint8Array.of(1), plain])
  const seed = random(label.length)
  const maskedData = xor(data, mask(seed, data.length, hash))
  return concatBytes([Uint8Array.of(0), xor(seed, mask(maskedData, seed.length, hash)), maskedData])
}

/** The padding of PKCS#1 v1.5 (RFC 8017, 7.2.1): no byte of it is zero. */
const pkcs1 = (plain: Uint8Array, length: number, random: Random): Uint8Array =>
  concatBytes([
    Uint8Array.of(0, 2),
    random(length - plain.length - 3).map((byte) => (byte === 0 ? 1 : byte)),
    Uint8Array.of(0),
    plain,
  ])

/** Encrypts under a public key; RSAES-OAEP with SHA-256 unless asked otherwise. */
export function wrap(
  plain: Uint8Array,
  { random = randomBytes, ...keys }: Recipients,
  recipient: 'session' | 'token' | 'stranger',
  how: Wrapping = 'oaep-sha256',
): Uint8Array {
  const der = Buffer.from(keys[`${recipient}Spki`])
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
  const length = Math.ceil(key.asymmetricKeyDetails!.modulusLength! / 8)
  const padded =
    how === 'pkcs1'
      ? pkcs1(plain, length, random)
      : oaep(plain, length, how.slice('oaep-'.length), random)
  return publicEncrypt({ key, padding: constants.RSA_NO_PADDING }, padded)
}
