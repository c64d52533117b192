import { authRequestXml } from './auth-request.ts'
import type { Forgery, ForgerySource } from './forgery.ts'
import { signDetached } from './xades.ts'

/** Signatures that stand neither within the request nor around it. */

/** The genuine request. */
export const request = ({ challenge, context }: ForgerySource): string =>
  authRequestXml({ challenge, context, subjectIdentifierType: 'certificateSubject' })

const detached = {
  rule: 'auth.xades.detached-refused',
  refusedAs: 'signature-invalid',
} as const

/** A document, followed by a signature of it. */
const beside = (named: string, { credentials, signingTime }: ForgerySource): string =>
  `<Documents>${named}${signDetached(named, '#R', { credentials, signingTime })}</Documents>`

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
    make: (source) =>
      beside(request(source).replace('<AuthTokenRequest ', '<AuthTokenRequest Id="R" '), source),
  },
  {
    ...detached,
    // A schema-conformant request has no Id attribute, so an element around it has one.
    variant: 'side by side, the request within an element that is named',
    make: (source) => beside(`<Document Id="R">${request(source)}</Document>`, source),
  },
]
