import { X509Certificate, createHash, generateKeyPairSync } from 'node:crypto'
import type { RefusalId } from '../../contract/errors.ts'
import type { RuleId } from '../../contract/rules.ts'
import { fetchChallenge } from '../../lib/flows/login.ts'
import { sealSubject, strangerKey } from '../../lib/node/pki.ts'
import type { CertificateOptions, Credentials } from '../../lib/node/pki.ts'
import type { DigestMethod } from '../../lib/node/xades-algorithms.ts'
import type { Flaws } from '../../lib/node/xades.ts'
import type { OwnContext } from '../support/contexts.ts'
import { grantInTest } from '../support/grants.ts'
import { familyRule } from '../support/rule.ts'
import { namelessCertificate, ownCertificate, sealOf } from '../support/seals.ts'
import { authenticate, authenticateAs, outcomeOfAuthentication } from '../support/steps.ts'
import type { Target } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

/** Certificates and signatures that are wrong, with both kinds of keys and in both forms. */

const forms = ['enveloped', 'enveloping'] as const
const kinds = ['rsa', 'p256'] as const
type Kind = (typeof kinds)[number]

const minute = 60_000
const hour = 60 * minute

interface Row {
  readonly rule: RuleId
  readonly what: string
  readonly refused: RefusalId
  /** What is wrong with the certificate. */
  readonly certificate?: (kind: Kind) => Partial<CertificateOptions>
  readonly flaws?: (kind: Kind) => Flaws
  /** Of the references; SHA-256 when absent. */
  readonly digest?: DigestMethod
  readonly signedKeyInfo?: true
  readonly secondDigest?: DigestMethod
  /** Milliseconds between the signing time that the signature states and the present. */
  readonly signedAgo?: number
  /** The value of the signature is that of an earlier request: every digest is right. */
  readonly valueBefore?: true
  /** Kinds of keys for which there is such a fault; both when absent. */
  readonly kinds?: readonly Kind[]
}

const dated = (notBefore: number, notAfter: number) => () => ({ notBefore, notAfter })

const valueOf = (document: string): string =>
  /SignatureValue[^>]*>([^<]*)</.exec(document)?.[1] ?? ''

const rows: readonly Row[] = [
  {
    rule: 'auth.xades.incomplete-signature-refused',
    what: 'signed with another key',
    refused: 'signature-invalid',
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
    flaws: () => ({ certificateDigest: Buffer.alloc(32, 7).toString('base64') }),
  },
  {
    rule: 'auth.xades.incomplete-signature-refused',
    what: 'the properties of another signature',
    refused: 'signature-invalid',
    kinds: ['p256'],
    flaws: () => ({ target: 'Elsewhere' }),
  },
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
    flaws: () => ({ keyInfoDigest: Buffer.alloc(32, 7).toString('base64') }),
  },
  {
    rule: 'auth.xades.tampered-refused',
    what: 'its digests computed anew',
    refused: 'signature-invalid',
    valueBefore: true,
  },
  ...(['sha384', 'sha512'] as const).map((digest): Row => ({
    rule: 'auth.xades.tampered-refused',
    what: `the digest of another document, by ${digest}`,
    refused: 'signature-invalid',
    kinds: ['p256'],
    digest,
    flaws: () => ({
      documentDigest: createHash(digest).update('another document').digest('base64'),
    }),
  })),
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
    what: 'a curve of 192 bits',
    refused: 'signature-invalid',
    kinds: ['p256'],
    certificate: () => ({
      privateKey: generateKeyPairSync('ec', { namedCurve: 'prime192v1' }).privateKey,
    }),
  },
]

/** A seal of the check's context with keys of a kind, with the given defect. */
const sealWith = (
  target: Target,
  own: OwnContext,
  keys: Kind,
  certificate: Partial<CertificateOptions> | undefined,
): Credentials =>
  certificate === undefined
    ? sealOf(target, own, keys)
    : ownCertificate(target, { subject: sealSubject(own.nip), keys, ...certificate })

for (const row of rows) {
  const { rule, what, refused, certificate, flaws, digest, signedKeyInfo } = row
  const { secondDigest, signedAgo, valueBefore } = row
  for (const kind of row.kinds ?? kinds)
    test(
      ...familyRule(rule, 'signed request', `${what}, ${kind}`),
      async ({ api, own, target }) => {
        for (const form of forms) {
          const { challenge } = await fetchChallenge(api)
          const credentials = sealWith(target, own, kind, certificate?.(kind))
          const document = await own.document(challenge, {
            form,
            credentials,
            ...(valueBefore && {
              flaws: {
                signatureValue: valueOf(await own.document('before', { form, credentials })),
              },
            }),
            ...(flaws && { flaws: flaws(kind) }),
            ...(digest && { digest }),
            ...(signedKeyInfo && { signedKeyInfo }),
            ...(secondDigest && { secondDigest }),
            ...(signedAgo !== undefined && { signingTime: target.now() - signedAgo }),
          })
          expect(await authenticate(api, document), form).toBeRejected(refused)
        }
      },
    )
}

// A certificate that names nobody is checked like any other.
for (const { rule, what, refused, certificate, signedAgo } of rows)
  if (certificate !== undefined)
    test(
      ...familyRule(rule, 'request signed by nobody named', what),
      async ({ api, own, target, rng }) => {
        const { credentials, identifier } = namelessCertificate(target, rng, {
          keys: 'p256',
          ...certificate('p256'),
        })
        await grantInTest(api, own, identifier, ['InvoiceRead'])
        const outcome = await authenticateAs(api, own, {
          credentials,
          subjectIdentifierType: 'certificateFingerprint',
          ...(signedAgo !== undefined && { signingTime: target.now() - signedAgo }),
        })
        expect(outcome).toBeRejected(refused)
      },
    )

/** Data that is not a certificate, in the place of one. */
const unreadable: Readonly<Record<string, (certificate: Buffer) => Buffer>> = {
  noise: (certificate) => createHash('sha512').update(certificate).digest(),
  'a part of it': (certificate) => certificate.subarray(0, certificate.length / 2),
  'the beginning and zeros': (certificate) =>
    Buffer.concat([certificate.subarray(0, 40), Buffer.alloc(certificate.length - 40)]),
  'its key alone': (certificate) =>
    new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' }),
  'nothing but a sequence': () => Buffer.from([0x30, 0x00]),
}

for (const [what, spoil] of Object.entries(unreadable))
  test(
    ...familyRule(
      'auth.xades.incomplete-signature-refused',
      'signed request',
      `${what} in place of the certificate`,
    ),
    async ({ api, own, target }) => {
      const credentials = sealOf(target, own, 'p256')
      const spoiled = spoil(credentials.certificate)
      // The digest in the signed properties matches this data, so that only parsing the certificate can fail.
      const certificateDigest = createHash('sha256').update(spoiled).digest('base64')
      for (const form of forms) {
        const { challenge } = await fetchChallenge(api)
        const options = { form, credentials, flaws: { certificateDigest } }
        const document = await own.document(challenge, options)
        const [whole, sent] = [credentials.certificate, spoiled].map((der) =>
          der.toString('base64'),
        )
        const changed = document.replace(whole ?? '', sent ?? '')
        expect(changed, 'the document with another certificate').not.toBe(document)
        expect(await authenticate(api, changed), form).toBeRejected('signature-invalid')
      }
    },
  )

for (const [what, from, to] of [
  ['that began two minutes ago', -2 * minute, 48 * hour],
  ['that expires in five minutes', -48 * hour, 5 * minute],
  ['that expires after 2050', -48 * hour, 30 * 365 * 24 * hour],
] as const)
  for (const kind of what.includes('2050') ? (['p256'] as const) : kinds)
    test(
      ...familyRule('auth.xades.certificate-dates', 'signed request', `one ${what}, ${kind}`),
      async ({ api, own, target }) => {
        const credentials = sealWith(target, own, kind, dated(from, to)())
        const options = { credentials, signingTime: target.now() - 30_000 }
        for (const form of forms) {
          const outcome = await authenticateAs(api, own, { ...options, form })
          expect(outcome, form).toHaveSucceeded('authentication')
        }
      },
    )

for (const verifyCertificateChain of [false, true])
  test(
    ...familyRule(
      'auth.xades.self-signed-by-environment',
      'signed request',
      `its chain is to be verified: ${verifyCertificateChain}`,
    ),
    async ({ api, own, target }) => {
      const { challenge } = await fetchChallenge(api)
      const credentials = sealOf(target, own, 'p256')
      test.skip(credentials === own.credentials, 'the target accepts no self-signed certificate')
      const body = await own.document(challenge, { credentials })
      const answer = await api.call('auth.xades', { body, query: { verifyCertificateChain } })
      const outcome = await outcomeOfAuthentication(api, answer)
      if (verifyCertificateChain) expect(outcome).toBeRejected('certificate-refused')
      else expect(outcome).toHaveSucceeded('authentication')
    },
  )
