import type { KeyObject } from 'node:crypto'
import { constants, createHash, privateDecrypt } from 'node:crypto'
import type { Mutant } from './mutant.ts'
import { calls, servedWith } from './rewrite.ts'

/** What a service reads of encrypted service tokens. */

/** Encrypted texts that are taken for others. */
export const readAs = (rewrite: (plain: string) => string): Mutant =>
  calls(['auth.token'], (call) => {
    const { keys } = call.service
    const decrypt: typeof keys.decrypt = (...given) => {
      const plain = keys.decrypt(...given)
      return Buffer.isBuffer(plain) ? Buffer.from(rewrite(plain.toString())) : plain
    }
    return servedWith(call, { keys: { ...keys, decrypt } })
  })

/** Ciphertexts that are handled as numbers: zero bytes at their start are lost, and added at their end. */
export const asNumbers = calls(['auth.token'], (call) => {
  const body = call.body as { readonly encryptedToken: string }
  const bytes = Buffer.from(body.encryptedToken, 'base64')
  const aligned = Buffer.concat([bytes.subarray(1), bytes.subarray(0, 1)])
  return bytes[0] === 0
    ? { ...call, body: { ...body, encryptedToken: aligned.toString('base64') } }
    : call
})

const hashBytes = 32

/** MGF1 with SHA-1, over some bytes. */
const unmasked = (bytes: Uint8Array, seed: Uint8Array): Buffer => {
  const blocks: Buffer[] = []
  for (let made = 0; made < bytes.length; made += 20) {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(blocks.length)
    blocks.push(createHash('sha1').update(seed).update(counter).digest())
  }
  const mask = Buffer.concat(blocks)
  return Buffer.from(bytes.map((byte, at) => byte ^ mask[at]!))
}

const openedWithSha1Masks = (key: KeyObject, bytes: Uint8Array): Buffer | undefined => {
  try {
    const encoded = privateDecrypt({ key, padding: constants.RSA_NO_PADDING }, bytes)
    const [maskedSeed, maskedBlock] = [
      encoded.subarray(1, 1 + hashBytes),
      encoded.subarray(1 + hashBytes),
    ]
    const block = unmasked(maskedBlock, unmasked(maskedSeed, maskedBlock))
    if (!block.subarray(0, hashBytes).equals(createHash('sha256').digest())) return undefined
    return block.subarray(block.indexOf(1, hashBytes) + 1)
  } catch {
    return undefined
  }
}

/** OAEP with SHA-256 is accepted with MGF1 of SHA-1 too, which some libraries take by default. */
export const masksBySha1Too = calls(['auth.token'], (call) => {
  const { keys } = call.service
  const decrypt: typeof keys.decrypt = (decisions, usage, bytes, at, named) =>
    keys.decrypt(decisions, usage, bytes, at, named) ??
    keys
      .published(decisions, at)
      .map(({ privateKey }) => openedWithSha1Masks(privateKey, bytes))
      .find((plain) => plain !== undefined)
  return servedWith(call, { keys: { ...keys, decrypt } })
})

/** A key that a login names decrypts its token, whatever the key is for. */
export const namedKeyOfAnyUsage: Mutant = calls(['auth.token'], (call) => {
  const { keys } = call.service
  const decrypt: typeof keys.decrypt = (decisions, usage, bytes, at, named) => {
    const plain = keys.decrypt(decisions, usage, bytes, at, named)
    return plain === 'unknown-key'
      ? keys.decrypt(decisions, 'SymmetricKeyEncryption', bytes, at, named)
      : plain
  }
  return servedWith(call, { keys: { ...keys, decrypt } })
})
