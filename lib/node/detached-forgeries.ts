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

/** What was signed, with its signature behind it. */
const beside = (named: string, { credentials, signingTime }: ForgerySource): string =>
  `<Documents>${named}${signDetached(named, '#R', { credentials, signingTime })}</Documents>`

export const detachedForgeries: readonly Forgery[] = [
  {
    ...detached,
    variant: 'signature alone',
    // Nothing in it asks for anything.
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
    // The request itself has no attribute that its schema does not know.
    variant: 'side by side, the request within an element that is named',
    make: (source) => beside(`<Document Id="R">${request(source)}</Document>`, source),
  },
]
