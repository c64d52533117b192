import type { Client } from '../../lib/client.ts'
import { fetchChallenge } from '../../lib/flows/login.ts'
import { generateKeyPairSync } from 'node:crypto'
import { freshKey, makeCertificate, sealSubject } from '../../lib/node/pki.ts'
import type { Credentials } from '../../lib/node/pki.ts'
import { canonicalWays, coverings, inLines, signedBy, ways } from '../../lib/node/signing-ways.ts'
import type { Way } from '../../lib/node/signing-ways.ts'
import { transformForgeries } from '../../lib/node/transform-forgeries.ts'
import type { SignatureMethod } from '../../lib/node/xades-algorithms.ts'
import type { OwnContext } from '../support/service/contexts.ts'
import { expectRefusal, forgeriesOf } from '../support/scenes/forged.ts'
import { rule } from '../support/checks/rule.ts'
import { ownCertificate, sealOf } from '../support/steps/seals.ts'
import { authenticate } from '../support/steps/steps.ts'
import type { Target } from '../support/service/target.ts'
import { expect, test } from '../support/harness/test.ts'

/** Signatures as common libraries write them; each is valid. */

interface Scene {
  readonly api: Client
  readonly own: OwnContext
  readonly target: Target
}

type Outcome = Awaited<ReturnType<typeof authenticate>>

/** Logs in with a document that is signed with these options, and changed where no reference covers it. */
const outcomeWith = async (
  { api, own }: Scene,
  way: Omit<Way, 'name'>,
  credentials: Credentials,
  change = (document: string) => document,
): Promise<Outcome> => {
  const { challenge, timestamp } = await fetchChallenge(api)
  const context = { type: own.type, value: own.value }
  const signingTime = timestamp - 60_000
  const document = signedBy(way, { challenge, context, credentials, signingTime })
  return authenticate(api, change(document))
}

/** A service may read both forms of a signature separately. */
const forms = ['enveloped', 'enveloping'] as const

const expectAccepted = async (
  scene: Scene,
  options: Way['options'],
  keys: 'rsa' | 'p256' = 'rsa',
): Promise<void> => {
  for (const form of forms) {
    const outcome = await outcomeOf(scene, { options: { ...options, form } }, keys)
    expect(outcome, form).toHaveSucceeded('authentication')
  }
}

const outcomeOf = (
  scene: Scene,
  way: Omit<Way, 'name'>,
  keys: 'rsa' | 'p256' = 'rsa',
): Promise<Outcome> => outcomeWith(scene, way, sealOf(scene.target, scene.own, keys))

for (const way of [...ways, inLines])
  test(...rule('auth.signature.transforms', way.name), async ({ api, own, target }) => {
    expect(await outcomeOf({ api, own, target }, way)).toHaveSucceeded('authentication')
  })

// A service may follow a transform and a canonicalization each, and not both in one signature.
for (const [name, { options, declarations }] of canonicalWays)
  test(
    ...rule('auth.signature.transforms', `${name}, with each transform`),
    async ({ api, own, target }) => {
      for (const [what, covering] of Object.entries(coverings)) {
        const way = { options: { ...options, ...covering }, ...(declarations && { declarations }) }
        const outcome = await outcomeOf({ api, own, target }, way)
        expect.soft(outcome, what).toHaveSucceeded('authentication')
      }
    },
  )

const methods = [
  'rsa-sha384',
  'rsa-sha512',
  'rsa-pss-sha256',
  'rsa-pss-sha384',
  'rsa-pss-sha512',
  'ecdsa-sha256',
  'ecdsa-sha384',
  'ecdsa-sha512',
] as const satisfies readonly SignatureMethod[]
/** The curves that are usual for a hash, besides P-256. */
const longerCurves: Partial<Record<SignatureMethod, string>> = {
  'ecdsa-sha384': 'P-384',
  'ecdsa-sha512': 'P-521',
}

for (const method of methods)
  test(...rule('auth.signature.algorithms', method), async ({ api, own, target }) => {
    const keys = method.startsWith('ecdsa') ? 'p256' : 'rsa'
    const scene = { api, own, target }
    await expectAccepted(scene, { method }, keys)
    const curve = longerCurves[method]
    if (curve === undefined) return
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: curve })
    const seal = ownCertificate(target, { subject: sealSubject(own.nip), privateKey })
    const longer = await outcomeWith(scene, { options: { method } }, seal)
    expect(longer, `with a key of ${curve}`).toHaveSucceeded('authentication')
  })

for (const digest of ['sha384', 'sha512'] as const)
  test(...rule('auth.signature.algorithms', `digests by ${digest}`), ({ api, own, target }) =>
    expectAccepted({ api, own, target }, { digest }),
  )

test(...rule('auth.signature.algorithms', 'ecdsa as DER'), ({ api, own, target }) =>
  expectAccepted({ api, own, target }, { ecdsaEncoding: 'der' }, 'p256'),
)

test(...rule('auth.signature.profiles', 'newer properties'), ({ api, own, target }) =>
  expectAccepted({ api, own, target }, { newerProperties: true }),
)

/** A certificate that is not that of the signer. */
const furtherCertificate = ({ now }: Pick<Target, 'now'>): Buffer =>
  makeCertificate({
    subject: { commonName: 'An authority', countryName: 'PL' },
    now: now(),
    privateKey: freshKey('p256'),
  }).certificate

test(...rule('auth.signature.profiles', 'several certificates'), async ({ api, own, target }) => {
  const certificate = furtherCertificate(target)
  const way = { options: { chain: [certificate] } } as const
  await expectAccepted({ api, own, target }, way.options)
  const signerFirst = await outcomeWith(
    { api, own, target },
    way,
    sealOf(target, own, 'rsa'),
    (document) =>
      document.replace(/(<ds:X509Certificate>[^]*?>)(<ds:X509[^]*?>)(?=<\/ds:X509Data>)/, '$2$1'),
  )
  expect(signerFirst, 'the signer first').toHaveSucceeded('authentication')
})

/** Other ways to write a key info that no reference covers. */
const keyInfos: Readonly<Record<string, (document: string) => string>> = {
  'data for each certificate': (document) =>
    document.replace(
      /(?<=<\/ds:X509Certificate>)(?=<ds:X509Certificate>)/,
      '</ds:X509Data><ds:X509Data>',
    ),
  'the name of the key, too': (document) =>
    document.replace('<ds:KeyInfo>', '$&<ds:KeyName>of the signer</ds:KeyName>'),
  'the subject of a certificate, too': (document) =>
    document.replace('<ds:X509Data>', '$&<ds:X509SubjectName>CN=someone</ds:X509SubjectName>'),
}

test(...rule('auth.signature.profiles', 'key info'), async ({ api, own, target }) => {
  const certificate = furtherCertificate(target)
  const seal = sealOf(target, own, 'rsa')
  for (const [what, write] of Object.entries(keyInfos))
    for (const form of forms) {
      const way = { options: { form, chain: [certificate] } }
      const outcome = await outcomeWith({ api, own, target }, way, seal, (document) => {
        const written = write(document)
        expect(written, `a document with ${what}`).not.toBe(document)
        return written
      })
      expect(outcome, `${what}, ${form}`).toHaveSucceeded('authentication')
    }
})

test(...rule('auth.signature.profiles', 'two references'), ({ api, own, target }) =>
  expectAccepted({ api, own, target }, { secondDigest: 'sha512' }),
)

test(
  ...rule('auth.signature.profiles', 'two references, one to the key info'),
  ({ api, own, target }) => expectAccepted({ api, own, target }, { signedKeyInfo: true }),
)

test(...rule('auth.signature.profiles', 'unsigned properties'), async ({ api, own, target }) => {
  const { certificate } = makeCertificate({ subject: sealSubject(own.nip), now: target.now() })
  const value = certificate.toString('base64')
  const unsigned = `<xades:UnsignedSignatureProperties><xades:CertificateValues><xades:EncapsulatedX509Certificate>${value}</xades:EncapsulatedX509Certificate></xades:CertificateValues></xades:UnsignedSignatureProperties>`
  await expectAccepted({ api, own, target }, { unsigned })
})

for (const forgery of forgeriesOf(transformForgeries, 'auth.signature.transforms-refused'))
  test(...rule('auth.signature.transforms-refused', forgery.variant), ({ api, own, another }) =>
    expectRefusal(forgery, { api, own, another }),
  )
