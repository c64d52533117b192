import { createHash, generateKeyPairSync } from 'node:crypto'
import type { RefusalId } from '../../../contract/errors.ts'
import type { RuleId } from '../../../contract/rules.ts'
import { strangerKey } from '../../../lib/node/pki.ts'
import type { CertificateOptions } from '../../../lib/node/pki.ts'
import type { DigestMethod, SignatureMethod } from '../../../lib/node/xades-algorithms.ts'
import type { Flaws } from '../../../lib/node/xades.ts'

/** Signed requests of which one part is wrong, whatever the kind of key, the algorithm and the form. */

export const kinds = ['rsa', 'p256'] as const
export type Kind = (typeof kinds)[number]

export const minute = 60_000
export const hour = 60 * minute

export interface Unsound {
  readonly rule: RuleId
  readonly what: string
  readonly refused: RefusalId
  /** What is wrong with the certificate. */
  readonly certificate?: (kind: Kind) => Partial<CertificateOptions>
  readonly flaws?: (kind: Kind, digest: DigestMethod) => Flaws
  /** Of the references and of the certificate, one after the other; SHA-256 when absent. */
  readonly digests?: readonly DigestMethod[]
  /** Methods of the signature, one after the other; that of the key when absent. */
  readonly methods?: Readonly<Record<Kind, readonly SignatureMethod[]>>
  /** Both properties that name the signing certificate, one after the other. */
  readonly bothProperties?: true
  readonly signedKeyInfo?: true
  readonly secondDigest?: DigestMethod
  /** Milliseconds between the signing time that the signature states and the present. */
  readonly signedAgo?: number
  /** The value of the signature is that of an earlier request: every digest is right. */
  readonly valueBefore?: true
  /** Kinds of keys for which there is such a fault; both when absent. */
  readonly kinds?: readonly Kind[]
}

export const dated = (notBefore: number, notAfter: number) => () => ({ notBefore, notAfter })

const digests = ['sha256', 'sha384', 'sha512'] as const

const methods = {
  rsa: [
    ...(['rsa-sha256', 'rsa-sha384', 'rsa-sha512'] as const),
    ...(['rsa-pss-sha256', 'rsa-pss-sha384', 'rsa-pss-sha512'] as const),
  ],
  p256: ['ecdsa-sha256', 'ecdsa-sha384', 'ecdsa-sha512'],
} as const

/** The digest of something else. */
const digestOf = (digest: DigestMethod, what: string): string =>
  createHash(digest).update(what).digest('base64')

export const unsound: readonly Unsound[] = [
  {
    rule: 'auth.xades.incomplete-signature-refused',
    what: 'signed with another key',
    refused: 'signature-invalid',
    methods,
    flaws: (kind) => ({ signingKey: strangerKey(kind) }),
  },
  {
    rule: 'auth.xades.incomplete-signature-refused',
    what: 'a signature of zeros',
    refused: 'signature-invalid',
    flaws: (kind) => ({
      signatureValue: Buffer.alloc(kind === 'rsa' ? 256 : 64).toString('base64'),
    }),
  },
  {
    rule: 'auth.xades.incomplete-signature-refused',
    what: 'the digest of another certificate',
    refused: 'signature-invalid',
    kinds: ['p256'],
    digests,
    bothProperties: true,
    flaws: (_kind, digest) => ({ certificateDigest: digestOf(digest, 'another certificate') }),
  },
  {
    rule: 'auth.xades.incomplete-signature-refused',
    what: 'the properties of another signature',
    refused: 'signature-invalid',
    kinds: ['p256'],
    flaws: () => ({ target: 'Elsewhere' }),
  },
  ...(
    [
      ['no signed properties', { withoutProperties: true }],
      ['signed properties that no reference covers', { uncoveredProperties: true }],
      ['a document that no reference covers', { uncoveredDocument: true }],
    ] as const
  ).map(([what, flaws]): Unsound => ({
    rule: 'auth.xades.incomplete-signature-refused',
    what,
    refused: 'signature-invalid',
    kinds: ['p256'],
    flaws: () => flaws,
  })),
  {
    rule: 'auth.xades.tampered-refused',
    what: 'the digest of another document',
    refused: 'signature-invalid',
    flaws: () => ({ documentDigest: Buffer.alloc(32, 7).toString('base64') }),
  },
  {
    rule: 'auth.xades.incomplete-signature-refused',
    what: 'the digest of another key info',
    refused: 'signature-invalid',
    kinds: ['p256'],
    signedKeyInfo: true,
    digests,
    flaws: (_kind, digest) => ({ keyInfoDigest: digestOf(digest, 'another key info') }),
  },
  {
    rule: 'auth.xades.tampered-refused',
    what: 'its digests computed anew',
    refused: 'signature-invalid',
    valueBefore: true,
  },
  ...(['sha384', 'sha512'] as const).map((digest): Unsound => ({
    rule: 'auth.xades.tampered-refused',
    what: `the digest of another document, by ${digest}`,
    refused: 'signature-invalid',
    kinds: ['p256'],
    digests: [digest],
    flaws: () => ({ documentDigest: digestOf(digest, 'another document') }),
  })),
  {
    rule: 'auth.xades.tampered-refused',
    what: 'the digest of other properties',
    refused: 'signature-invalid',
    kinds: ['p256'],
    digests,
    bothProperties: true,
    flaws: (_kind, digest) => ({ propertiesDigest: digestOf(digest, 'other properties') }),
  },
  {
    rule: 'auth.xades.tampered-refused',
    what: 'the digest of another document in a second reference',
    refused: 'signature-invalid',
    kinds: ['p256'],
    secondDigest: 'sha256',
    flaws: () => ({ secondDigest: Buffer.alloc(32, 7).toString('base64') }),
  },
  {
    rule: 'auth.xades.incomplete-signature-refused',
    what: 'a certificate with a wrong signature of its own',
    refused: 'certificate-refused',
    certificate: (kind) => ({ issuerKey: strangerKey(kind) }),
  },
  {
    rule: 'auth.xades.certificate-dates',
    what: 'a certificate that expired an hour ago',
    refused: 'certificate-refused',
    certificate: dated(-48 * hour, -hour),
  },
  {
    rule: 'auth.xades.certificate-dates',
    what: 'a certificate that expired an hour ago, used before that',
    refused: 'certificate-refused',
    certificate: dated(-48 * hour, -hour),
    signedAgo: 2 * hour,
  },
  {
    rule: 'auth.xades.certificate-dates',
    what: 'a certificate that begins in an hour',
    refused: 'certificate-refused',
    certificate: dated(hour, 48 * hour),
  },
  {
    rule: 'auth.xades.certificate-dates',
    what: 'a certificate that begins in two minutes',
    refused: 'certificate-refused',
    certificate: dated(2 * minute, 48 * hour),
  },
  {
    rule: 'auth.xades.certificate-dates',
    what: 'a certificate that expired two minutes ago',
    refused: 'certificate-refused',
    certificate: dated(-48 * hour, -2 * minute),
  },
  {
    rule: 'auth.xades.weak-key-refused',
    what: 'a curve of 224 bits',
    refused: 'signature-invalid',
    kinds: ['p256'],
    certificate: () => ({
      privateKey: generateKeyPairSync('ec', { namedCurve: 'secp224r1' }).privateKey,
    }),
  },
]
