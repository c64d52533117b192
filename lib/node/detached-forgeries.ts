import { authRequestXml } from './auth-request.ts'
import type { Forgery, ForgerySource } from './forgery.ts'
import { intoSignature, objectXml } from './signature-markup.ts'
import { insertLast, signDetached } from './xades.ts'

/** Signatures that stand neither within the request nor around it. */

/** The genuine request. */
export const request = ({ challenge, context }: ForgerySource): string =>
  authRequestXml({ challenge, context, subjectIdentifierType: 'certificateSubject' })

const detached = {
  rule: 'auth.xades.detached-refused',
  refusedAs: 'signature-invalid',
} as const

/** A document and a signature of it, in one order or the other. */
const beside = (
  named: string,
  { credentials, signingTime }: ForgerySource,
  isSignatureFirst = false,
): string => {
  const both = [named, signDetached(named, '#R', { credentials, signingTime })]
  return `<Documents>${(isSignatureFirst ? both.toReversed() : both).join('')}</Documents>`
}

/** The request with an Id, which its schema does not have. */
const withId = (source: ForgerySource): string =>
  request(source).replace('<AuthTokenRequest ', '<AuthTokenRequest Id="R" ')

/** Where a signature is put that signs its request as something outside of the document. */
const places: Readonly<Record<string, (request: string, signature: string) => string>> = {
  'around the request': (named, signature) => intoSignature(signature, objectXml(named)),
  'within the request': (named, signature) => insertLast(named, signature),
}

const outside: Readonly<Record<string, string | undefined>> = {
  'a file': 'request.xml',
  'a network address': 'http://127.0.0.1:9/request.xml',
  'no address': undefined,
}

/** The signature stands where an enveloped or an enveloping one does, but refers to what is not in the document. */
const referringOutside: readonly Forgery[] = Object.entries(places).flatMap(([place, put]) =>
  Object.entries(outside).map(([what, uri]) => ({
    ...detached,
    variant: `outside, ${place}, by ${what}`,
    make(source: ForgerySource): string {
      const { credentials, signingTime } = source
      return put(request(source), signDetached(request(source), uri, { credentials, signingTime }))
    },
  })),
)

export const detachedForgeries: readonly Forgery[] = [
  {
    ...detached,
    variant: 'signature alone',
    // The signature alone contains no request.
    refusedAs: 'document-invalid',
    make: (source) =>
      signDetached(request(source), 'request.xml', {
        credentials: source.credentials,
        signingTime: source.signingTime,
      }),
  },
  {
    ...detached,
    variant: 'side by side',
    make: (source) => beside(withId(source), source),
  },
  {
    ...detached,
    variant: 'side by side, the signature first',
    make: (source) => beside(withId(source), source, true),
  },
  {
    ...detached,
    // A schema-conformant request has no Id attribute, so an element around it has one.
    variant: 'side by side, the request within an element that is named',
    make: (source) => beside(`<Document Id="R">${request(source)}</Document>`, source),
  },
  {
    ...detached,
    variant: 'side by side, the signature first, the request within an element that is named',
    make: (source) => beside(`<Document Id="R">${request(source)}</Document>`, source, true),
  },
  {
    ...detached,
    variant: 'side by side, each within an element of its own',
    make(source) {
      const body = `<Body Id="R">${request(source)}</Body>`
      const { credentials, signingTime } = source
      const signature = signDetached(body, '#R', { credentials, signingTime })
      return `<Envelope><Header>${signature}</Header>${body}</Envelope>`
    },
  },
  ...referringOutside,
]
