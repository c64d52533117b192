import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import type { JsonName } from '@peculiar/x509'
import {
  BasicConstraintsExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509'
import type { Instant } from '../base/instants.ts'
import { p256, rsa, serial } from './self-signed.ts'

/** The certificate authority of the service. */

/** As the state keeps it: a certificate (DER, Base64) and its private key (PKCS 8, DER, Base64). */
export interface StoredKey {
  readonly certificate: string
  readonly key: string
}

interface Signed {
  /** DER, Base64. */
  readonly certificate: string
  readonly serialNumber: string
}

interface IssueRequest {
  /** Distinguished name: RFC 4514, or its parts by object identifier. */
  readonly subject: string | JsonName
  /** SPKI, DER. */
  readonly publicKey: Uint8Array
  readonly usage: 'Authentication' | 'Offline'
  readonly validFrom: Instant
  readonly validTo: Instant
}

export interface Authority {
  /** DER, Base64. */
  readonly certificate: string
  /** A certificate for a caller. */
  issue(request: IssueRequest): Promise<Signed>
  /** A certificate for a key of the service. */
  sign(
    request: Pick<IssueRequest, 'subject' | 'validFrom' | 'validTo'> & {
      readonly publicKey: webcrypto.CryptoKey
      readonly usage: KeyUsageFlags
    },
  ): Promise<Signed>
}

export const exportKey = async (key: webcrypto.CryptoKey): Promise<string> =>
  Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key)).toString('base64')

/** A new authority key with its certificate. */
export const createAuthorityKey = async (
  validFrom: Instant,
  validTo: Instant,
): Promise<StoredKey> => {
  const keys = await webcrypto.subtle.generateKey(p256, true, ['sign', 'verify'])
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: serial(),
    name: 'CN=Invoice Clearing Service Authority, O=Invoice Clearing Service, C=PL',
    notBefore: new Date(validFrom),
    notAfter: new Date(validTo),
    signingAlgorithm: p256,
    keys: keys,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
    ],
  })
  return { certificate: certificate.toString('base64'), key: await exportKey(keys.privateKey) }
}

/** The authority that has a key. */
export const openAuthority = async ({ certificate, key }: StoredKey): Promise<Authority> => {
  const issuer = new X509Certificate(certificate).subject
  const pkcs8 = Buffer.from(key, 'base64')
  const signingKey = await webcrypto.subtle.importKey('pkcs8', pkcs8, p256, false, ['sign'])
  const sign: Authority['sign'] = async ({ subject, publicKey, usage, validFrom, validTo }) => {
    const serialNumber = serial()
    const signed = await X509CertificateGenerator.create({
      serialNumber,
      subject,
      issuer,
      notBefore: new Date(validFrom),
      notAfter: new Date(validTo),
      signingAlgorithm: p256,
      publicKey,
      signingKey,
      extensions: [
        new BasicConstraintsExtension(false, undefined, true),
        new KeyUsagesExtension(usage, true),
      ],
    })
    return { serialNumber, certificate: signed.toString('base64') }
  }
  return {
    certificate,
    sign,
    issue: async (request) =>
      sign({
        ...request,
        publicKey: await importPublicKey(request.publicKey),
        usage:
          request.usage === 'Authentication'
            ? KeyUsageFlags.digitalSignature
            : KeyUsageFlags.nonRepudiation,
      }),
  }
}

/** @param spki DER */
const importPublicKey = async (spki: Uint8Array): Promise<webcrypto.CryptoKey> => {
  for (const algorithm of [rsa, p256]) {
    try {
      return await webcrypto.subtle.importKey('spki', spki, algorithm, true, ['verify'])
    } catch {
      // Tries the other algorithm.
    }
  }
  throw new Error('the public key is neither RSA nor P-256')
}
