import { authRequestXml, prefixed } from './auth-request.ts'
import { certificateDigest } from './certificate.ts'
import { detachedForgeries, request } from './detached-forgeries.ts'
import { swapCase } from './digests.ts'
import type { Forgery, ForgerySource } from './forgery.ts'
import { hostileForgeries } from './hostile-forgeries.ts'
import { makeCertificate, strangerKey } from './pki.ts'
import { intoSignature, objectXml, signatureIn } from './signature-markup.ts'
import { insertLast, signXades } from './xades.ts'
import type { Flaws, SignOptions } from './xades.ts'
import { xpathXml } from './xades-transforms.ts'

/** SHA-256 of no bytes. */
const digestOfNothing = '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='

const otherRequest = ({ otherChallenge, otherContext }: ForgerySource): string =>
  authRequestXml({
    challenge: otherChallenge,
    context: otherContext,
    subjectIdentifierType: 'certificateSubject',
  })

/** Another request, its elements with a prefix that the signed one does without. */
const otherWithPrefix = (source: ForgerySource): string => prefixed(otherRequest(source))

const signed = (source: ForgerySource, more: Partial<SignOptions> = {}): string =>
  signXades(request(source), {
    credentials: source.credentials,
    signingTime: source.signingTime,
    ...more,
  })

const flawed =
  (flaws: Flaws, more: Partial<SignOptions> = {}) =>
  (source: ForgerySource): string =>
    signed(source, { ...more, flaws })

const unsignedProperties = (markup: string): string =>
  `<xades:UnsignedSignatureProperties>${markup}</xades:UnsignedSignatureProperties>`

const swap = (document: string, from: string, to: string): string => {
  const changed = document.replace(from, () => to)
  if (changed === document) throw new RangeError(`the document has no ${from}`)
  return changed
}

const tampered = {
  rule: 'auth.xades.tampered-refused',
  refusedAs: 'signature-invalid',
} as const
const incomplete = {
  rule: 'auth.xades.incomplete-signature-refused',
  refusedAs: 'signature-invalid',
} as const
const wrapped = {
  rule: 'auth.xades.wrapping-refused',
  refusedAs: 'signature-invalid',
} as const

/** All forgeries of an authentication document; each differs from a good one in one thing only. */
export const forgeries: readonly Forgery[] = [
  ...detachedForgeries,

  {
    ...tampered,
    variant: 'challenge, its digest in other letter case',
    make(source) {
      const [digest = ''] = /(?<=DigestValue>)[^<]+/.exec(signed(source, { flaws: {} })) ?? []
      return flawed({ documentDigest: swapCase(digest) })(source)
    },
  },
  {
    ...tampered,
    variant: 'challenge',
    make: (source) => swap(signed(source), source.challenge, source.otherChallenge),
  },
  {
    ...tampered,
    variant: 'context',
    make: (source) => swap(signed(source), source.context.value, source.otherContext.value),
  },
  {
    ...tampered,
    variant: 'subject type',
    make: (source) => swap(signed(source), 'certificateSubject', 'certificateFingerprint'),
  },
  {
    ...tampered,
    variant: 'added attribute',
    make: (source) => swap(signed(source), '<AuthTokenRequest ', '<AuthTokenRequest added="1" '),
  },
  {
    ...tampered,
    variant: 'context, enveloping',
    make: (source) =>
      swap(signed(source, { form: 'enveloping' }), source.context.value, source.otherContext.value),
  },
  {
    ...tampered,
    variant: 'signing time',
    make: (source) =>
      swap(
        signed(source),
        new Date(source.signingTime).toISOString(),
        new Date(source.signingTime + 1000).toISOString(),
      ),
  },

  {
    ...tampered,
    variant: 'key info',
    make: (source) =>
      swap(
        signed(source, { signedKeyInfo: true }),
        '</ds:KeyInfo>',
        '<ds:KeyName>of another</ds:KeyName></ds:KeyInfo>',
      ),
  },

  { ...incomplete, variant: 'unsigned', refusedAs: 'signature-missing', make: request },
  { ...incomplete, variant: 'plain xml-dsig', make: flawed({ withoutProperties: true }) },
  {
    ...incomplete,
    variant: 'certificate digest',
    make: flawed({ certificateDigest: Buffer.alloc(32, 7).toString('base64') }),
  },
  {
    ...incomplete,
    variant: 'certificate digest, in other letter case',
    make: (source) =>
      flawed({ certificateDigest: swapCase(certificateDigest(source.credentials.certificate)) })(
        source,
      ),
  },
  {
    ...incomplete,
    variant: 'certificate not named',
    make: flawed({ unnamedCertificate: true }),
  },
  {
    ...incomplete,
    variant: 'properties not covered',
    make: flawed({ uncoveredProperties: true }),
  },
  { ...incomplete, variant: 'document not covered', make: flawed({ uncoveredDocument: true }) },
  { ...incomplete, variant: 'wrong target', make: flawed({ target: 'Elsewhere' }) },
  { ...incomplete, variant: 'no certificate', make: flawed({ withoutCertificate: true }) },
  {
    ...incomplete,
    variant: 'other key',
    make: (source) =>
      flawed({
        signingKey:
          source.otherKey ??
          strangerKey(source.credentials.privateKey.asymmetricKeyType === 'ec' ? 'p256' : 'rsa'),
      })(source),
  },
  {
    ...incomplete,
    variant: 'other key, that of a further certificate',
    make(source) {
      const signingKey = source.otherKey ?? strangerKey('rsa')
      const forger = makeCertificate({
        subject: { commonName: 'A forger', countryName: 'PL' },
        now: source.signingTime,
        privateKey: signingKey,
        serialNumber: Buffer.alloc(15, 7),
      })
      const chain = [forger.certificate]
      return signed(source, { chain, method: 'rsa-sha256', flaws: { signingKey } })
    },
  },
  {
    ...incomplete,
    variant: 'zero signature',
    make: flawed({ signatureValue: Buffer.alloc(256).toString('base64') }),
  },
  {
    ...incomplete,
    variant: 'two signatures',
    refusedAs: 'signature-not-single',
    make: (source) => insertLast(signed(source), signatureIn(signed(source, { id: 'T' }))),
  },
  {
    ...incomplete,
    variant: 'empty transform',
    // A verifier that applies the transform finds nothing covered: any request would pass.
    make: flawed({
      transforms: xpathXml('not(ancestor-or-self::*)'),
      documentDigest: digestOfNothing,
    }),
  },
  {
    ...incomplete,
    variant: 'ignored transform',
    make: flawed({ transforms: xpathXml('not(ancestor-or-self::*)') }),
  },
  {
    ...incomplete,
    variant: 'countersignature',
    refusedAs: 'signature-not-single',
    make: (source) =>
      signed(source, {
        unsigned: unsignedProperties(
          `<xades:CounterSignature>${signatureIn(signed(source, { id: 'T' }))}</xades:CounterSignature>`,
        ),
      }),
  },
  {
    ...incomplete,
    variant: 'rsa-sha1',
    mayBeAccepted: 'the public contract lists SHA-1 among the accepted methods',
    make: (source) => signed(source, { method: 'rsa-sha1' }),
  },

  {
    ...wrapped,
    variant: 'second object',
    make: (source) =>
      intoSignature(signed(source, { form: 'enveloping' }), objectXml(otherRequest(source))),
  },
  {
    ...wrapped,
    variant: 'first object',
    make: (source) =>
      swap(
        signed(source, { form: 'enveloping' }),
        '</ds:KeyInfo>',
        `</ds:KeyInfo>${objectXml(otherRequest(source))}`,
      ),
  },
  {
    ...wrapped,
    variant: 'outer root',
    make: (source) => insertLast(otherRequest(source), signed(source, { form: 'enveloping' })),
  },
  {
    ...wrapped,
    variant: 'beside the signature',
    make: (source) => intoSignature(signed(source), objectXml(otherRequest(source))),
  },
  {
    ...wrapped,
    variant: 'unsigned properties',
    make: (source) => signed(source, { unsigned: otherRequest(source) }),
  },
  {
    ...wrapped,
    variant: 'unsigned properties, with a prefix',
    make: (source) => signed(source, { unsigned: otherWithPrefix(source) }),
  },
  {
    ...wrapped,
    variant: 'key info',
    make: (source) =>
      swap(signed(source), '</ds:X509Data>', `</ds:X509Data>${otherRequest(source)}`),
  },
  {
    ...wrapped,
    variant: 'inside the signature',
    make: (source) =>
      insertLast(
        otherRequest(source),
        intoSignature(signatureIn(signed(source)), objectXml(request(source))),
      ),
  },
  {
    ...wrapped,
    variant: 'duplicate id',
    make: (source) =>
      intoSignature(
        signed(source, { form: 'enveloping' }),
        objectXml(otherRequest(source), ' Id="S-Object"'),
      ),
  },
  {
    ...wrapped,
    variant: 'second root',
    refusedAs: 'document-unreadable',
    make: (source) => signed(source) + otherRequest(source),
  },

  ...hostileForgeries,
]
