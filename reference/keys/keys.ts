import 'reflect-metadata'
import type { KeyObject } from 'node:crypto'
import { KeyObject as NodeKey, createHash, createPrivateKey, webcrypto } from 'node:crypto'
import type { JsonName } from '@peculiar/x509'
import {
  BasicConstraintsExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509'
import type { Environment } from '../../contract/environments.ts'
import type { Instant } from '../base/instants.ts'
import type { Policy } from '../policy/policy.ts'
import { decryptOaep } from '../base/crypto.ts'
import { p256, rsa, serial } from './self-signed.ts'
import type { State } from '../model/state.ts'

/**
 * Keys of the service: those that callers encrypt to (listed, rotated), the authority that issues service
 * certificates, the seal under receipts. Source: specification, Public key certificate entry; gap key-rotation.
 */

export type KeyUsage = 'SvcTokenEncryption' | 'SymmetricKeyEncryption'

export interface ServiceKey {
  readonly usage: readonly KeyUsage[]
  /** DER, Base64. */
  readonly certificate: string
  /** SHA-256 of the certificate, Base64. */
  readonly certificateId: string
  /** SHA-256 of the public key (SPKI), Base64. */
  readonly publicKeyId: string
  readonly validFrom: Instant
  readonly validTo: Instant
  /** From then on neither listed nor accepted. */
  withdrawnFrom?: Instant
  readonly privateKey: KeyObject
}

export interface Issued {
  /** DER, Base64. */
  readonly certificate: string
  readonly serialNumber: string
}

/** The decisions that keys take. */
export type KeyDecisions = Pick<Policy, 'keyLive' | 'oaepHashAccepted'>

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
  /** Makes a new key for a usage; those before it stay valid for `overlap` ms more. */
  rotate(policy: KeyDecisions, usage: KeyUsage, overlap: number, at: Instant): Promise<ServiceKey>
  /** The authority of the service: certificate (DER, Base64) and what it issues. */
  readonly authority: {
    readonly certificate: string
    issue(request: IssueRequest): Promise<Issued>
  }
  /** The key under receipts (RSA 2048) and its certificate (DER, Base64). */
  readonly seal: { readonly privateKey: KeyObject; readonly certificate: string }
  /** Back to the keys of the start. */
  restore(): void
}

export interface IssueRequest {
  /** Distinguished name: RFC 4514, or its parts by object identifier. */
  readonly subject: string | JsonName
  /** SPKI, DER. */
  readonly publicKey: Uint8Array
  readonly usage: 'Authentication' | 'Offline'
  readonly validFrom: Instant
  readonly validTo: Instant
}

const year = 365.25 * 24 * 3600 * 1000
const digest = (bytes: ArrayBuffer | Uint8Array): string =>
  createHash('sha256').update(new Uint8Array(bytes)).digest('base64')

interface Kept {
  authority: { certificate: string; key: string }
  seal: { certificate: string; key: string }
  listed: (Omit<ServiceKey, 'privateKey'> & { key: string })[]
}

/** The keys of a service: taken from the state where an earlier process left them, else made anew. */
export const createKeys = async (
  state: State,
  environment: Environment,
  start: Instant,
): Promise<Keys> => {
  const from = Math.min(Date.parse(environment.keysFrom), start)
  const kept = state.values.get('keys')?.value
  const known = kept === undefined ? undefined : (JSON.parse(kept) as Kept)

  const exportKey = async (key: webcrypto.CryptoKey): Promise<string> =>
    Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key)).toString('base64')
  const importKey = (base64: string): KeyObject =>
    createPrivateKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'pkcs8' })

  const makeAuthority = async (): Promise<Kept['authority']> => {
    const keys = await webcrypto.subtle.generateKey(p256, true, ['sign', 'verify'])
    const certificate = await X509CertificateGenerator.createSelfSigned({
      serialNumber: serial(),
      name: 'CN=Invoice Clearing Service Authority, O=Invoice Clearing Service, C=PL',
      notBefore: new Date(from - year),
      notAfter: new Date(start + 30 * year),
      signingAlgorithm: p256,
      keys: keys,
      extensions: [
        new BasicConstraintsExtension(true, 0, true),
        new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      ],
    })
    return {
      certificate: certificate.toString('base64'),
      key: await exportKey(keys.privateKey),
    }
  }

  const authorityKept = known?.authority ?? (await makeAuthority())
  const authorityCertificate = new X509Certificate(authorityKept.certificate)
  const authorityKey = await webcrypto.subtle.importKey(
    'pkcs8',
    Buffer.from(authorityKept.key, 'base64'),
    p256,
    false,
    ['sign'],
  )

  const certify = async (
    subject: string | JsonName,
    publicKey: webcrypto.CryptoKey,
    flags: KeyUsageFlags,
    validFrom: Instant,
    validTo: Instant,
  ): Promise<Issued & { certificateDer: ArrayBuffer }> => {
    const serialNumber = serial()
    const certificate = await X509CertificateGenerator.create({
      serialNumber,
      subject,
      issuer: authorityCertificate.subject,
      notBefore: new Date(validFrom),
      notAfter: new Date(validTo),
      signingAlgorithm: p256,
      publicKey,
      signingKey: authorityKey,
      extensions: [
        new BasicConstraintsExtension(false, undefined, true),
        new KeyUsagesExtension(flags, true),
      ],
    })
    return {
      serialNumber,
      certificate: certificate.toString('base64'),
      certificateDer: certificate.rawData,
    }
  }

  const makeRsa = async (name: string, flags: KeyUsageFlags, validFrom: Instant) => {
    const pair = await webcrypto.subtle.generateKey(rsa, true, ['sign', 'verify'])
    // Whole seconds, as a certificate has them.
    const since = Math.floor(validFrom / 1000) * 1000
    const validTo = Math.floor((start + 20 * year) / 1000) * 1000
    const issued = await certify(
      `CN=${name}, O=Invoice Clearing Service, C=PL`,
      pair.publicKey,
      flags,
      since,
      validTo,
    )
    const spki = await webcrypto.subtle.exportKey('spki', pair.publicKey)
    return {
      certificate: issued.certificate,
      certificateId: digest(issued.certificateDer),
      publicKeyId: digest(spki),
      validFrom: since,
      validTo,
      privateKey: NodeKey.from(pair.privateKey),
      key: await exportKey(pair.privateKey),
    }
  }
  const encipher = KeyUsageFlags.keyEncipherment | KeyUsageFlags.dataEncipherment
  const makeListed = async (usage: KeyUsage, validFrom: Instant) => {
    const name = usage === 'SvcTokenEncryption' ? 'Token encryption' : 'Symmetric key encryption'
    return { ...(await makeRsa(name, encipher, validFrom)), usage: [usage] }
  }

  type Listed = ServiceKey & { key: string }
  let listed: Listed[]
  let seal: { certificate: string; key: string; privateKey: KeyObject }
  if (known) {
    listed = known.listed.map((entry) => ({ ...entry, privateKey: importKey(entry.key) }))
    seal = { ...known.seal, privateKey: importKey(known.seal.key) }
  } else {
    // RSA keys come from libuv's threads: all at once.
    const [token, symmetric, receipts] = await Promise.all([
      makeListed('SvcTokenEncryption', from),
      makeListed('SymmetricKeyEncryption', from),
      makeRsa('Receipt seal', KeyUsageFlags.digitalSignature | KeyUsageFlags.nonRepudiation, from),
    ])
    listed = [token, symmetric]
    seal = receipts
  }
  const original: readonly Listed[] = listed.map((entry) => ({ ...entry }))

  const keep = (): void =>
    state.values.put({
      id: 'keys',
      value: JSON.stringify({
        authority: authorityKept,
        seal: { certificate: seal.certificate, key: seal.key },
        listed: listed.map(({ privateKey: _, ...rest }) => rest),
      } satisfies Kept),
    })
  keep()

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
      const made = await makeListed(usage, at)
      for (const key of listed) {
        if (key.usage.includes(usage) && isLive(policy, key, at)) {
          key.withdrawnFrom = Math.min(key.withdrawnFrom ?? Infinity, at + overlap)
        }
      }
      listed.push(made)
      keep()
      return made
    },
    authority: {
      certificate: authorityKept.certificate,
      async issue(request) {
        const key = await importPublic(request.publicKey)
        return certify(
          request.subject,
          key,
          request.usage === 'Authentication'
            ? KeyUsageFlags.digitalSignature
            : KeyUsageFlags.nonRepudiation,
          request.validFrom,
          request.validTo,
        )
      },
    },
    seal: { privateKey: seal.privateKey, certificate: seal.certificate },
    restore() {
      listed = original.map((entry) => ({ ...entry }))
      keep()
    },
  }
}

const oaepHashes = ['sha256', 'sha1'] as const

const isLive = (policy: KeyDecisions, key: ServiceKey, at: Instant): boolean =>
  policy.keyLive(key.validFrom, key.validTo, key.withdrawnFrom, at)

const importPublic = async (spki: Uint8Array): Promise<webcrypto.CryptoKey> => {
  for (const algorithm of [rsa, p256]) {
    try {
      return await webcrypto.subtle.importKey('spki', spki, algorithm, true, ['verify'])
    } catch {
      // The other kind, then.
    }
  }
  throw new Error('the public key is neither RSA nor P-256')
}
