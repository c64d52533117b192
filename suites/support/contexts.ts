import type { Client } from '../../lib/client.ts'
import type { Context, Login } from '../../lib/flows/login.ts'
import { authRequestXml } from '../../lib/node/auth-request.ts'
import type { AuthRequest } from '../../lib/node/auth-request.ts'
import { makeCertificate, sealSubject } from '../../lib/node/pki.ts'
import type { Credentials } from '../../lib/node/pki.ts'
import { signXades } from '../../lib/node/xades.ts'
import type { SignOptions } from '../../lib/node/xades.ts'

/** What may differ from a plain authentication request with a plain signature. */
export type DocumentOptions = Partial<Omit<AuthRequest, 'challenge'>> & Partial<SignOptions>

/** A context that a check works in, with what it logs in by. */
export interface OwnContext extends Context {
  /** The NIP of the taxpayer to whom the context belongs. */
  readonly nip: string
  readonly credentials: Credentials
  /** A service token, where the profile gives one. */
  readonly token: string | undefined
  /** How it logs in: by a signed document, or where it has no certificate by its token. */
  readonly by: 'document' | 'token'
  /** The request as its root element, not signed. */
  request(challenge: string, options?: DocumentOptions): string
  /** A signed authentication request. */
  document(challenge: string, options?: DocumentOptions): Promise<string>
}

/** Somebody who has logged in: tokens, and a client that speaks for the context. */
export interface Me extends Login {
  readonly api: Client
  readonly context: OwnContext
}

const minute = 60_000

/** A context with credentials of its own. `now`: Unix milliseconds of the target's clock. */
export const contextWith = (
  context: Context,
  credentials: Credentials,
  now: () => number,
  more: Partial<Pick<OwnContext, 'token' | 'by'>> = {},
): OwnContext => {
  const { type, value } = context
  const request = (challenge: string, options: DocumentOptions = {}): string =>
    authRequestXml({
      challenge,
      context: options.context ?? { type, value },
      subjectIdentifierType: options.subjectIdentifierType ?? 'certificateSubject',
      ...(options.allowedIps === undefined ? {} : { allowedIps: options.allowedIps }),
      ...(options.namespace === undefined ? {} : { namespace: options.namespace }),
    })
  return {
    type,
    value,
    nip: value.slice(0, 10),
    credentials,
    token: more.token,
    by: more.by ?? 'document',
    request,
    document: (challenge, options = {}) =>
      Promise.resolve(
        signXades(request(challenge, options), {
          ...options,
          credentials: options.credentials ?? credentials,
          signingTime: options.signingTime ?? now() - minute,
        }),
      ),
  }
}

const halfHour = 30 * minute
const year = 365 * 24 * 60 * minute

/**
 * A context named by a NIP, opened by a self-signed seal of that NIP. The seal is made anew when the clock was turned
 * out of its validity.
 */
export const selfSigned = (nip: string, now: () => number): OwnContext => {
  const seal = () => ({
    madeAt: now(),
    credentials: makeCertificate({ subject: sealSubject(nip), now: now() }),
  })
  let current = seal()
  const credentials = (): Credentials => {
    const age = now() - current.madeAt
    if (age < -halfHour || age > year) current = seal()
    return current.credentials
  }
  const context: Context = { type: 'Nip', value: nip }
  return {
    ...contextWith(context, current.credentials, now),
    get credentials() {
      return credentials()
    },
    document: (challenge, options) =>
      contextWith(context, credentials(), now).document(challenge, options),
  }
}
