import type { KeyObject } from 'node:crypto'
import type { Environment } from '../../contract/environments.ts'
import { decryptOaep } from '../base/crypto.ts'
import type { Instant } from '../base/instants.ts'
import type { State } from '../model/state.ts'
import type { Policy } from '../policy/policy.ts'
import type { Authority, StoredKey } from './authority.ts'
import { createAuthorityKey, openAuthority } from './authority.ts'
import { createKeyPairs } from './key-pairs.ts'
import type { KeyPairs } from './key-pairs.ts'
import type { KeyUsage, ServiceKey, StoredServiceKey } from './service-key.ts'
import { createSealKey, createServiceKey, privateKeyOf } from './service-key.ts'

/**
 * Keys of the service: those that callers encrypt to (listed, rotated), the authority that issues service
 * certificates, the seal under receipts. Source: specification, Public key certificate entry; gap key-rotation.
 */

/** The decisions that keys depend on. */
type KeyDecisions = Pick<Policy, 'keyLive' | 'oaepHashAccepted'>

export interface Keys {
  /** Keys listed at an instant. */
  published(policy: KeyDecisions, at: Instant): readonly ServiceKey[]
  /**
   * Decrypts with whichever usable key fits, or the one named. `unknown-key` when the named one is not usable.
   * @param bytes RSAES-OAEP (SHA-256, MGF1) ciphertext
   */
  decrypt(
    policy: KeyDecisions,
    usage: KeyUsage,
    bytes: Uint8Array,
    at: Instant,
    publicKeyId?: string,
  ): Buffer | 'unknown-key' | undefined
  /** Creates a new key for a usage; those before it stay valid for `overlap` ms more. */
  rotate(policy: KeyDecisions, usage: KeyUsage, overlap: number, at: Instant): Promise<ServiceKey>
  readonly authority: Pick<Authority, 'certificate' | 'issue'>
  /** The key under receipts (RSA 2048) and its certificate (DER, Base64). */
  readonly seal: { readonly privateKey: KeyObject; readonly certificate: string }
  /** Restores the keys of the start. */
  restore(): void
  /** The keys are not used any more, by this process or another. */
  discard(): void
}

const year = 365.25 * 24 * 3600 * 1000

interface Stored {
  readonly authority: StoredKey
  readonly seal: StoredKey
  readonly listed: readonly StoredServiceKey[]
}

/** New keys of a service. RSA keys are generated on libuv's threads, all in parallel. */
const createStored = async (pairs: KeyPairs, from: Instant, start: Instant): Promise<Stored> => {
  const authority = await createAuthorityKey(from - year, start + 30 * year)
  const issuer = await openAuthority(authority)
  const validity = { from, to: start + 20 * year }
  const [token, symmetric, seal] = await Promise.all([
    createServiceKey(issuer, pairs, 'SvcTokenEncryption', validity),
    createServiceKey(issuer, pairs, 'SymmetricKeyEncryption', validity),
    createSealKey(issuer, pairs, validity),
  ])
  return { authority, seal, listed: [token, symmetric] }
}

const withPrivateKey = (entry: StoredServiceKey): ServiceKey => ({
  ...entry,
  privateKey: privateKeyOf(entry),
})

/** The keys of a service: those that an earlier process stored in the state, else new ones. */
export const createKeys = async (
  state: State,
  environment: Environment,
  start: Instant,
): Promise<Keys> => {
  const kept = state.values.get('keys')?.value
  const pairs = createKeyPairs()
  const pairsOfRotations = createKeyPairs()
  const from = Math.min(Date.parse(environment.keysFrom), start)
  const stored =
    kept === undefined ? await createStored(pairs, from, start) : (JSON.parse(kept) as Stored)
  const authority = await openAuthority(stored.authority)
  let listed = stored.listed.map(withPrivateKey)
  const original = listed.map((entry) => ({ ...entry }))

  const store = (): void => {
    const value: Stored = {
      ...stored,
      listed: listed.map(({ privateKey: _, ...rest }) => rest),
    }
    state.values.put({ id: 'keys', value: JSON.stringify(value) })
  }
  store()

  return {
    published: (policy, at) => listed.filter((key) => isLive(policy, key, at)),
    decrypt(policy, usage, bytes, at, publicKeyId) {
      let candidates = listed
        .filter((key) => key.usage.includes(usage) && isLive(policy, key, at))
        .toSorted((a, b) => b.validFrom - a.validFrom)
      if (publicKeyId !== undefined) {
        candidates = candidates.filter((key) => key.publicKeyId === publicKeyId)
        if (candidates.length === 0) return 'unknown-key'
      }
      for (const key of candidates) {
        for (const hash of oaepHashes.filter(policy.oaepHashAccepted)) {
          const plain = decryptOaep(key.privateKey, bytes, hash)
          if (plain) return plain
        }
      }
      return undefined
    },
    async rotate(policy, usage, overlap, at) {
      // The authority lasts 30 years.
      const validity = { from: at, to: Math.min(at + 20 * year, start + 30 * year) }
      const key = withPrivateKey(
        await createServiceKey(authority, pairsOfRotations, usage, validity),
      )
      for (const earlier of listed) {
        if (earlier.usage.includes(usage) && isLive(policy, earlier, at)) {
          earlier.withdrawnFrom = Math.min(earlier.withdrawnFrom ?? Infinity, at + overlap)
        }
      }
      listed.push(key)
      store()
      return key
    },
    authority,
    seal: { privateKey: privateKeyOf(stored.seal), certificate: stored.seal.certificate },
    restore() {
      listed = original.map((entry) => ({ ...entry }))
      store()
      pairsOfRotations.giveBack()
    },
    discard() {
      pairs.giveBack()
      pairsOfRotations.giveBack()
    },
  }
}

const oaepHashes = ['sha256', 'sha1'] as const

const isLive = (policy: KeyDecisions, key: ServiceKey, at: Instant): boolean =>
  policy.keyLive(key.validFrom, key.validTo, key.withdrawnFrom, at)
