import type { KeyObject } from 'node:crypto'
import { createHash, createPrivateKey, webcrypto } from 'node:crypto'
import { KeyUsageFlags } from '@peculiar/x509'
import type { Instant } from '../base/instants.ts'
import type { Authority, StoredKey } from './authority.ts'
import { exportKey } from './authority.ts'
import type { KeyPairs } from './key-pairs.ts'

/** RSA keys of the service with certificates of its authority. */

export type KeyUsage = 'SvcTokenEncryption' | 'SymmetricKeyEncryption'

interface CertifiedKey extends StoredKey {
  /** SHA-256 of the certificate, Base64. */
  readonly certificateId: string
  /** SHA-256 of the public key (SPKI), Base64. */
  readonly publicKeyId: string
  readonly validFrom: Instant
  readonly validTo: Instant
}

/** A key that callers encrypt to, as the state keeps it. */
export interface StoredServiceKey extends CertifiedKey {
  readonly usage: readonly KeyUsage[]
  /** From then on neither listed nor accepted. */
  withdrawnFrom?: Instant
}

export interface ServiceKey extends StoredServiceKey {
  readonly privateKey: KeyObject
}

/** The validity of a certificate; certificates hold whole seconds. */
export interface Validity {
  readonly from: Instant
  readonly to: Instant
}

const digest = (bytes: ArrayBuffer | Uint8Array): string =>
  createHash('sha256').update(new Uint8Array(bytes)).digest('base64')

const wholeSecond = (instant: Instant): Instant => Math.floor(instant / 1000) * 1000

const create = async (
  authority: Authority,
  { take }: KeyPairs,
  name: string,
  usage: KeyUsageFlags,
  validity: Validity,
): Promise<CertifiedKey> => {
  const pair = await take()
  const validFrom = wholeSecond(validity.from)
  const validTo = wholeSecond(validity.to)
  const { certificate } = await authority.sign({
    subject: `CN=${name}, O=Invoice Clearing Service, C=PL`,
    publicKey: pair.publicKey,
    usage,
    validFrom,
    validTo,
  })
  return {
    certificate,
    certificateId: digest(Buffer.from(certificate, 'base64')),
    publicKeyId: digest(await webcrypto.subtle.exportKey('spki', pair.publicKey)),
    validFrom,
    validTo,
    key: await exportKey(pair.privateKey),
  }
}

/** A new key that callers encrypt to. */
export const createServiceKey = async (
  authority: Authority,
  pairs: KeyPairs,
  usage: KeyUsage,
  validity: Validity,
): Promise<StoredServiceKey> => {
  const name = usage === 'SvcTokenEncryption' ? 'Token encryption' : 'Symmetric key encryption'
  const flags = KeyUsageFlags.keyEncipherment | KeyUsageFlags.dataEncipherment
  return { ...(await create(authority, pairs, name, flags, validity)), usage: [usage] }
}

/** A new key that signs receipts. */
export const createSealKey = async (
  authority: Authority,
  pairs: KeyPairs,
  validity: Validity,
): Promise<StoredKey> => {
  const flags = KeyUsageFlags.digitalSignature | KeyUsageFlags.nonRepudiation
  const { certificate, key } = await create(authority, pairs, 'Receipt seal', flags, validity)
  return { certificate, key }
}

export const privateKeyOf = ({ key }: StoredKey): KeyObject =>
  createPrivateKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'pkcs8' })
