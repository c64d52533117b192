import type { Context, DocumentLogin } from '../flows/login.ts'
import { authRequestXml } from './auth-request.ts'
import type { AuthRequest } from './auth-request.ts'
import type { Credentials } from './pki.ts'
import { signXades } from './xades.ts'
import type { SignOptions } from './xades.ts'

export interface SignerOptions {
  readonly credentials: Credentials
  readonly context: Context
  /** `certificateSubject` when absent; else `certificateFingerprint`. */
  readonly subjectIdentifierType?: string
  readonly form?: 'enveloped' | 'enveloping'
  /** Further properties of the request. */
  readonly request?: Partial<AuthRequest>
  /** Further properties of the signature. */
  readonly signature?: Partial<SignOptions>
}

/**
 * Signs authentication requests for a context: what `loginWithDocument` needs. The signing time is a minute before
 * the challenge, by the service's own clock.
 */
export function documentSigner(options: SignerOptions): DocumentLogin {
  const { credentials, context, subjectIdentifierType = 'certificateSubject' } = options
  return {
    async sign(challenge, timestamp) {
      const request = authRequestXml({
        challenge,
        context,
        subjectIdentifierType,
        ...options.request,
      })
      return signXades(request, {
        credentials,
        form: options.form ?? 'enveloped',
        signingTime: timestamp - 60_000,
        ...options.signature,
      })
    },
  }
}
