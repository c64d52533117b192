import type { RuleId } from '../../contract/rules.ts'
import type { Forgery, ForgerySource } from './forgery.ts'
import { strangerKey } from './pki.ts'
import { requestOf, signedBy, ways } from './signing-ways.ts'
import type { Way } from './signing-ways.ts'
import { intoSignature, objectXml, signatureIn } from './signature-markup.ts'
import { insertLast, signXades } from './xades.ts'
import type { Flaws } from './xades.ts'
import {
  base64Xml,
  canonicalizationXml,
  exclusionXml,
  filter2Xml,
  xpathXml,
} from './xades-transforms.ts'
import type { Filter } from './xades-transforms.ts'
import { exclusive, xmlDsig } from './xmldsig.ts'

/** Forgeries for each of the ways to sign that services accept. */

const otherRequest = ({ otherChallenge, otherContext }: ForgerySource): string =>
  requestOf({ challenge: otherChallenge, context: otherContext })

/** Changes the request in a signed document, whether it is plain or in Base64. */
const altered = (document: string, from: string, to: string): string => {
  const change = (text: string): string => {
    if (!text.includes(from)) throw new RangeError(`the document has no ${from}`)
    return text.replace(from, () => to)
  }
  const encoded = /(<ds:Object [^>]*>)([A-Za-z0-9+/=]+)(<\/ds:Object>)/.exec(document)
  if (encoded === null) return change(document)
  const [whole, start = '', text = '', end = ''] = encoded
  const inner = change(Buffer.from(text, 'base64').toString())
  return document.replace(whole, () => start + Buffer.from(inner).toString('base64') + end)
}

/** SHA-256 of no bytes. */
const digestOfNothing = '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='

type Attack = (way: Way, source: ForgerySource) => string

/** What is tried in every way. */
const attacks: Readonly<Record<string, Attack>> = {
  'another challenge': (way, source) =>
    altered(signedBy(way, source), source.challenge, source.otherChallenge),
  'another context': (way, source) =>
    altered(signedBy(way, source), source.context.value, source.otherContext.value),
  'another subject type': (way, source) =>
    altered(signedBy(way, source), 'certificateSubject', 'certificateFingerprint'),
  'an attribute added': (way, source) =>
    altered(signedBy(way, source), '<AuthTokenRequest ', '<AuthTokenRequest added="1" '),
  'another signing time': (way, source) =>
    signedBy(way, source).replace(
      new Date(source.signingTime).toISOString(),
      new Date(source.signingTime + 1000).toISOString(),
    ),
  'properties not covered': (way, source) => signedBy(way, source, { uncoveredProperties: true }),
  'request not covered': (way, source) => signedBy(way, source, { uncoveredDocument: true }),
  'digest of another certificate': (way, source) =>
    signedBy(way, source, { certificateDigest: Buffer.alloc(32, 7).toString('base64') }),
  'key of another certificate': (way, source) =>
    signedBy(way, source, { signingKey: strangerKey('rsa') }),
  'another request in the signature': (way, source) =>
    intoSignature(signedBy(way, source), objectXml(otherRequest(source))),
  'another request among the unsigned properties': (way, source) =>
    signedBy({ ...way, options: { ...way.options, unsigned: otherRequest(source) } }, source),
  'a second reference with another digest': (way, source) =>
    signedBy({ ...way, options: { ...way.options, secondDigest: 'sha256' } }, source, {
      secondDigest: digestOfNothing,
    }),
  'another request around': (way, source) =>
    insertLast(otherRequest(source), signatureIn(signedBy(way, source))),
}

const refused = {
  rule: 'auth.signature.transforms-refused' satisfies RuleId,
  refusedAs: 'signature-invalid',
} as const

const dsDeclared = ` xmlns:ds="${xmlDsig}"`
const contextElement = /<ContextIdentifier>.*<\/ContextIdentifier>/
const bySubtraction = (...filters: readonly Filter[]): Flaws => ({
  transforms: filter2Xml(...filters),
})
const subtract = (expression: string, declarations = ''): Filter => ({
  filter: 'subtract',
  expression,
  declarations,
})
const ownSubtraction = subtract('/descendant::ds:Signature')
const contextSubtraction = subtract('/descendant::*[local-name()="ContextIdentifier"]')

const enveloped: Way = { name: 'enveloped', options: {} }

/** Correctly signs what the transforms keep, and then replaces what they drop. */
const signedWithoutContext =
  (transforms: string) =>
  (source: ForgerySource): string => {
    const whole = requestOf(source)
    const bare = signXades(whole.replace(contextElement, ''), {
      credentials: source.credentials,
      signingTime: source.signingTime,
      flaws: { transforms },
    })
    const other = contextElement.exec(otherRequest(source))?.[0] ?? ''
    return bare.replace('<SubjectIdentifierType>', () => `${other}<SubjectIdentifierType>`)
  }

const flawed =
  (flaws: Flaws, way: Way = enveloped) =>
  (source: ForgerySource): string =>
    signedBy(way, source, flaws)

/** Transforms that leave the context out, by themselves. */
const withoutContextXml = {
  filter2: filter2Xml(contextSubtraction),
  xpath: xpathXml('not(ancestor-or-self::*[local-name()="ContextIdentifier"])'),
} as const

/** On either side of a transform that would do alone: a digest of what both leave, and of what that one leaves. */
const besideExclusions = Object.entries(withoutContextXml).flatMap(([kind, extra]) =>
  Object.entries(exclusionXml).flatMap(([name, exclusion]) =>
    Object.entries({ after: exclusion + extra, before: extra + exclusion }).flatMap(
      ([side, transforms]) => [
        {
          variant: `${kind}, the context left out ${side} ${name}`,
          make: signedWithoutContext(transforms),
        },
        {
          variant: `${kind}, the context left out ${side} ${name}, and not followed`,
          make: flawed({ transforms }),
        },
      ],
    ),
  ),
)

/** A transform that no profile has; its effect depends on the verifier that applies it. */
const styleSheetXml =
  '<ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xslt-19991116"><xsl:stylesheet xmlns:xsl="http://www.w3.org/1999/XSL/Transform" version="1.0"></xsl:stylesheet></ds:Transform>'

const encoded: Way = { name: 'base64', options: { form: 'enveloping', encoded: 'in one line' } }

/** A Base64 object with other contents, and with the right digest of them. */
const encoding =
  (contents: (source: ForgerySource) => string | Uint8Array) =>
  (source: ForgerySource): string =>
    signedBy(encoded, source, { object: Buffer.from(contents(source)).toString('base64') })

const expressions: readonly Forgery[] = [
  {
    variant: 'filter2, a filter that leaves nothing',
    make: flawed({ ...bySubtraction(subtract('/*')), documentDigest: digestOfNothing }),
  },
  {
    variant: 'filter2, a filter that is not followed',
    make: flawed(bySubtraction(subtract('/*'))),
  },
  {
    variant: 'filter2, the context left out as well',
    make: signedWithoutContext(
      filter2Xml(
        subtract('/descendant::ds:Signature | /descendant::*[local-name()="ContextIdentifier"]'),
      ),
    ),
  },
  {
    variant: 'filter2, the context left out by a second filter',
    make: signedWithoutContext(filter2Xml(ownSubtraction, contextSubtraction)),
  },
  {
    variant: 'filter2, the signature alone',
    make: flawed(bySubtraction({ ...ownSubtraction, filter: 'intersect' })),
  },
  {
    variant: 'filter2, everything and the signature',
    make: flawed(bySubtraction({ ...ownSubtraction, filter: 'union' })),
  },
  {
    variant: 'filter2, no kind of filter',
    make: flawed(bySubtraction({ ...ownSubtraction, filter: '' })),
  },
  {
    variant: 'filter2, a prefix of another namespace',
    make: flawed(
      bySubtraction(subtract('/descendant::x:Signature', ' xmlns:x="urn:another:namespace"')),
    ),
  },
  { variant: 'filter2, no filter at all', make: flawed(bySubtraction()) },
  ...Object.entries({
    'as well':
      'not(ancestor-or-self::ds:Signature) and not(ancestor-or-self::*[local-name()="ContextIdentifier"])',
    // A verifier that reads the names alone takes one without a prefix for that of the request.
    'as well, by its name':
      'not(ancestor-or-self::ds:Signature or ancestor-or-self::ContextIdentifier)',
  }).map(([how, expression]) => ({
    variant: `xpath, the context left out ${how}`,
    make: signedWithoutContext(xpathXml(expression)),
  })),
  { variant: 'xpath, everything', make: flawed({ transforms: xpathXml('true()') }) },
  {
    variant: 'xpath, the signature without what is in it',
    make: flawed({ transforms: xpathXml('not(self::ds:Signature)') }),
  },
  {
    variant: 'xpath, the signature alone',
    make: flawed({ transforms: xpathXml('ancestor-or-self::ds:Signature') }),
  },
  {
    variant: 'xpath, a prefix of another namespace',
    make: flawed({
      transforms: xpathXml(
        'not(ancestor-or-self::x:Signature)',
        ' xmlns:x="urn:another:namespace"',
      ),
    }),
  },
  { variant: 'enveloped, nothing left out', make: flawed({ transforms: '' }) },
  {
    variant: 'enveloped, a canonicalization alone',
    make: flawed({ transforms: canonicalizationXml('Transform', { uri: exclusive }) }),
  },
  {
    variant: 'enveloped, a transform by a style sheet',
    make: flawed({ transforms: exclusionXml['enveloped-signature'] + styleSheetXml }),
  },
  ...besideExclusions,
].map((one) => ({ ...refused, ...one }))

const encodings: readonly Forgery[] = [
  {
    variant: 'base64, an element around the text',
    make: (source: ForgerySource): string => {
      const text = Buffer.from(requestOf(source)).toString('base64')
      const good = signedBy(encoded, source)
      return good.replace(text, () => `<a${dsDeclared}>${text}</a>`)
    },
  },
  {
    variant: 'base64, markup that a decoder skips',
    make: (source: ForgerySource): string =>
      signedBy(encoded, source, {
        object: `${Buffer.from(requestOf(source)).toString('base64')}~~`,
      }),
  },
  {
    variant: 'base64, another element than a request',
    make: encoding((source) => `<Requests>${requestOf(source)}${otherRequest(source)}</Requests>`),
  },
  {
    variant: 'base64, two roots',
    refusedAs: 'document-unreadable' as const,
    make: encoding((source) => requestOf(source) + otherRequest(source)),
  },
  {
    variant: 'base64, a document type',
    refusedAs: 'document-unreadable' as const,
    make: encoding((source) => `<!DOCTYPE AuthTokenRequest>${requestOf(source)}`),
  },
  {
    variant: 'base64, another encoding',
    refusedAs: 'document-encoding' as const,
    make: encoding((source) => Buffer.from(requestOf(source), 'utf16le')),
  },
  {
    variant: 'base64, a signature within',
    refusedAs: 'signature-not-single' as const,
    make: encoding((source) => signedBy(enveloped, source)),
  },
  {
    variant: 'base64, encoded twice',
    make: (source: ForgerySource): string => {
      const once = Buffer.from(requestOf(source)).toString('base64')
      return signedBy(encoded, source, {
        object: Buffer.from(once).toString('base64'),
        transforms: base64Xml + base64Xml,
      })
    },
  },
  {
    variant: 'base64, of an enveloped request',
    make: flawed({ transforms: exclusionXml['enveloped-signature'] + base64Xml }),
  },
].map((one) => ({ ...refused, ...one }))

/** All of them, each document different from a good one in one thing only. */
export const transformForgeries: readonly Forgery[] = [
  ...ways.flatMap((way) =>
    Object.entries(attacks).map(([name, attack]) => ({
      ...refused,
      variant: `${way.name}, ${name}`,
      make: (source: ForgerySource) => attack(way, source),
    })),
  ),
  ...expressions,
  ...encodings,
]
