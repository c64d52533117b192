import { X509Certificate, constants, createHash, publicEncrypt, randomBytes } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import type { Client } from '../../../lib/client.ts'
import { certificateDer } from '../../../lib/der.ts'
import { keyFor } from '../../../lib/flows/keys.ts'
import type { KeyUsage, PublicKey } from '../../../lib/flows/keys.ts'

/** RSAES-OAEP with every choice that RFC 8017 leaves open; Node's own has one hash for both of its uses. */

type Hash = 'sha1' | 'sha256' | 'sha384' | 'sha512'

export interface OaepForm {
  readonly hash: Hash
  /** The hash of MGF1. */
  readonly maskHash: Hash
  readonly label?: string
}

const hashOf = (hash: Hash, ...parts: readonly Uint8Array[]): Buffer => {
  const all = createHash(hash)
  for (const part of parts) all.update(part)
  return all.digest()
}

const mask = (hash: Hash, seed: Uint8Array, bytes: number): Buffer => {
  const blocks: Buffer[] = []
  for (let made = 0; made < bytes; made += blocks[0]!.length) {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(blocks.length)
    blocks.push(hashOf(hash, seed, counter))
  }
  return Buffer.concat(blocks).subarray(0, bytes)
}

const mixed = (bytes: Uint8Array, other: Uint8Array): Buffer =>
  Buffer.from(bytes.map((byte, at) => byte ^ other[at]!))

/** Encrypts a short message. @throws an error when the message is too long for the key */
export const encryptOaep = (
  key: KeyObject,
  message: Uint8Array,
  { hash, maskHash, label = '' }: OaepForm,
): Buffer => {
  const bytes = (key.asymmetricKeyDetails?.modulusLength ?? 2048) / 8
  const labelHash = hashOf(hash, Buffer.from(label))
  const seed = randomBytes(labelHash.length)
  const padding = Buffer.alloc(bytes - message.length - 2 * labelHash.length - 2)
  const block = Buffer.concat([labelHash, padding, Uint8Array.of(1), message])
  const maskedBlock = mixed(block, mask(maskHash, seed, block.length))
  const maskedSeed = mixed(seed, mask(maskHash, maskedBlock, seed.length))
  const encoded = Buffer.concat([Uint8Array.of(0), maskedSeed, maskedBlock])
  return publicEncrypt({ key, padding: constants.RSA_NO_PADDING }, encoded)
}

/** The public key in the certificate of a listed key. */
export const publicKeyIn = (
  { codec }: Pick<Client, 'codec'>,
  { certificate }: PublicKey,
): KeyObject => new X509Certificate(certificateDer(codec, certificate)).publicKey

/**
 * The public key of the service for a usage, for encryptions that the client does not make.
 * @throws {Inconclusive} when no key of the usage is valid now
 */
export const publicKeyFor = async (api: Client, usage: KeyUsage): Promise<KeyObject> =>
  publicKeyIn(api, await keyFor(api, usage))
