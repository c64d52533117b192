import { X509Certificate, createHash } from 'node:crypto'
import { fetchChallenge } from '../../../lib/flows/login.ts'
import { sealSubject } from '../../../lib/node/pki.ts'
import type { CertificateOptions, Credentials } from '../../../lib/node/pki.ts'
import type { OwnContext } from '../../support/service/contexts.ts'
import { grantInTest } from '../../support/callers/grants.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { namelessCertificate, ownCertificate, sealOf } from '../../support/steps/seals.ts'
import { authenticate, authenticateAs, outcomeOfAuthentication } from '../../support/steps/steps.ts'
import type { Target } from '../../support/service/target.ts'
import { expect, test } from '../../support/harness/test.ts'
import { dated, hour, kinds, minute, unsound } from '../../support/documents/unsound-requests.ts'
import type { Kind, Unsound } from '../../support/documents/unsound-requests.ts'

/** Certificates and signatures that are wrong, with both kinds of keys and in both forms. */

const forms = ['enveloped', 'enveloping'] as const

const valueOf = (document: string): string =>
  /SignatureValue[^>]*>([^<]*)</.exec(document)?.[1] ?? ''

/** Each way of signing that a wrong part is tried in. */
const signings = (row: Unsound, kind: Kind) => {
  const { digests = [undefined], methods, bothProperties, signedKeyInfo, flaws } = row
  // A signed key info makes up for no flaw of the rest.
  const keyInfos = signedKeyInfo ? [true] : flaws ? [false, true] : [false]
  const properties = bothProperties ? [false, true] : [false]
  return (methods?.[kind] ?? [undefined]).flatMap((method) =>
    digests.flatMap((digest) =>
      properties.flatMap((newerProperties) =>
        keyInfos.map((keyInfo) => ({
          newerProperties,
          ...(keyInfo && { signedKeyInfo: true }),
          ...(method && { method }),
          ...(digest && { digest }),
        })),
      ),
    ),
  )
}

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

for (const row of unsound) {
  const { rule, what, refused, certificate, flaws } = row
  const { secondDigest, signedAgo, valueBefore } = row
  for (const kind of row.kinds ?? kinds)
    test(
      ...familyRule(rule, 'signed request', `${what}, ${kind}`),
      async ({ api, own, target }) => {
        const credentials = sealWith(target, own, kind, certificate?.(kind))
        for (const signing of signings(row, kind))
          for (const form of forms) {
            const { challenge } = await fetchChallenge(api)
            const signed = { form, credentials, ...signing }
            const document = await own.document(challenge, {
              ...signed,
              ...(valueBefore && {
                flaws: { signatureValue: valueOf(await own.document('before', signed)) },
              }),
              ...(flaws && { flaws: flaws(kind, signing.digest ?? 'sha256') }),
              ...(secondDigest && { secondDigest }),
              ...(signedAgo !== undefined && { signingTime: target.now() - signedAgo }),
            })
            const way = `${form}, ${JSON.stringify(signing)}`
            expect(await authenticate(api, document), way).toBeRejected(refused)
          }
      },
    )
}

// A certificate that names nobody is checked like any other.
for (const { rule, what, refused, certificate, signedAgo } of unsound)
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
