import { generateKeyPairSync } from 'node:crypto'
import type { RefusalId } from '../../contract/errors.ts'
import type { RuleId } from '../../contract/rules.ts'
import { fetchChallenge } from '../../lib/flows/login.ts'
import { freshKey, sealSubject } from '../../lib/node/pki.ts'
import type { Credentials } from '../../lib/node/pki.ts'
import type { Flaws } from '../../lib/node/xades.ts'
import type { OwnContext } from '../support/contexts.ts'
import { familyRule } from '../support/rule.ts'
import { ownCertificate, sealOf } from '../support/seals.ts'
import { authenticate } from '../support/steps.ts'
import type { Target } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

/** Certificates and signatures that are wrong, with both kinds of keys and in both forms. */

const forms = ['enveloped', 'enveloping'] as const
const kinds = ['rsa', 'p256'] as const
type Kind = (typeof kinds)[number]

const hour = 3_600_000

interface Row {
  readonly rule: RuleId
  readonly what: string
  readonly refused: RefusalId
  readonly credentials?: (target: Target, own: OwnContext, kind: Kind) => Credentials
  readonly flaws?: (kind: Kind) => Flaws
  /** Milliseconds between the signing time that the signature states and the present. */
  readonly signedAgo?: number
  /** Kinds of keys for which there is such a fault; both when absent. */
  readonly kinds?: readonly Kind[]
}

const dated =
  (notBefore: number, notAfter: number): NonNullable<Row['credentials']> =>
  (target, own, kind) =>
    ownCertificate(target, { subject: sealSubject(own.nip), keys: kind, notBefore, notAfter })

const rows: readonly Row[] = [
  {
    rule: 'auth.xades.incomplete-signature-refused',
    what: 'signed with another key',
    refused: 'signature-invalid',
    flaws: (kind) => ({ signingKey: freshKey(kind) }),
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
    rule: 'auth.xades.tampered-refused',
    what: 'the digest of another document',
    refused: 'signature-invalid',
    flaws: () => ({ documentDigest: Buffer.alloc(32, 7).toString('base64') }),
  },
  {
    rule: 'auth.xades.incomplete-signature-refused',
    what: 'a certificate with a wrong signature of its own',
    refused: 'certificate-refused',
    credentials: (target, own, kind) =>
      ownCertificate(target, {
        subject: sealSubject(own.nip),
        keys: kind,
        issuerKey: freshKey(kind),
      }),
  },
  {
    rule: 'auth.xades.certificate-dates',
    what: 'a certificate that expired an hour ago',
    refused: 'certificate-refused',
    credentials: dated(-48 * hour, -hour),
  },
  {
    rule: 'auth.xades.certificate-dates',
    what: 'a certificate that expired an hour ago, used before that',
    refused: 'certificate-refused',
    credentials: dated(-48 * hour, -hour),
    signedAgo: 2 * hour,
  },
  {
    rule: 'auth.xades.certificate-dates',
    what: 'a certificate that begins in an hour',
    refused: 'certificate-refused',
    credentials: dated(hour, 48 * hour),
  },
  {
    rule: 'auth.xades.weak-key-refused',
    what: 'a curve of 192 bits',
    refused: 'signature-invalid',
    kinds: ['p256'],
    credentials: (target, own) =>
      ownCertificate(target, {
        subject: sealSubject(own.nip),
        privateKey: generateKeyPairSync('ec', { namedCurve: 'prime192v1' }).privateKey,
      }),
  },
]

for (const row of rows) {
  const { rule, what, refused, credentials = sealOf, flaws, signedAgo, kinds: only = kinds } = row
  for (const kind of only)
    test(
      ...familyRule(rule, 'signed request', `${what}, ${kind}`),
      async ({ api, own, target }) => {
        for (const form of forms) {
          const { challenge } = await fetchChallenge(api)
          const document = await own.document(challenge, {
            form,
            credentials: credentials(target, own, kind),
            ...(flaws && { flaws: flaws(kind) }),
            ...(signedAgo !== undefined && { signingTime: target.now() - signedAgo }),
          })
          expect(await authenticate(api, document), form).toBeRejected(refused)
        }
      },
    )
}
