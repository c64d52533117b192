import type { Client } from '../../../lib/client.ts'
import type { Context, Login } from '../../../lib/flows/login.ts'
import { authRequestXml } from '../../../lib/node/auth-request.ts'
import type { AuthRequest } from '../../../lib/node/auth-request.ts'
import { makeCertificate, sealSubject } from '../../../lib/node/pki.ts'
import type { Credentials } from '../../../lib/node/pki.ts'
import { signXades } from '../../../lib/node/xades.ts'
import type { SignOptions } from '../../../lib/node/xades.ts'

/** Differences from a default authentication request with a default signature. */
export type DocumentOptions = Partial<Omit<AuthRequest, 'challenge'>> & Partial<SignOptions>

/** A context that a check works in, with its credentials. */
export interface OwnContext extends Context {
  /** The NIP of the taxpayer that owns the context. */
  readonly nip: string
  readonly credentials: Credentials
  /** A service token, if the profile contains one. */
  readonly token: string | undefined
  /** How it logs in: with a signed document, or with its token if it has no certificate. */
  readonly by: 'document' | 'token'
  /** The unsigned request, as its root element. */
  request(challenge: string, options?: DocumentOptions): string
  /** A signed authentication request. */
  document(challenge: string, options?: DocumentOptions): Promise<string>
}

/** A login: its tokens, and a client that uses them. */
export interface Me extends Login {
  readonly api: Client
  readonly context: OwnContext
}

export interface LoginOptions {
  /** The check's own context when absent. */
  readonly context?: OwnContext
  /** By service token instead of by signed document. */
  readonly token?: string
  /** A source address, where there are several. */
  readonly address?: string
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
 * A context of type Nip with a self-signed seal of that NIP, with a P-256 key, which signs much faster than an RSA key
 * does. A new seal is created when the clock has left its validity period.
 */
export const selfSigned = (nip: string, now: () => number): OwnContext => {
  const seal = () => ({
    madeAt: now(),
    credentials: makeCertificate({ subject: sealSubject(nip), now: now(), keys: 'p256' }),
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
