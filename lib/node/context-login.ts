import type { Client } from '../client.ts'
import { fetchChallenge, loginWithDocument, loginWithToken } from '../flows/login.ts'
import type { Login } from '../flows/login.ts'
import { toCredentials } from './credentials.ts'
import { makeCertificate, sealSubject } from './pki.ts'
import { documentSigner } from './signer.ts'
import type { TargetContext } from './target.ts'

/** How a context of a profile can log in. */
export type LoginWay = 'token' | 'certificate'

/** The ways that the credentials of a context allow, the service token first. */
export const loginWays = ({ token, credentials, seal }: TargetContext): LoginWay[] => [
  ...(token === undefined ? [] : (['token'] as const)),
  ...(credentials === undefined && seal === undefined ? [] : (['certificate'] as const)),
]

/**
 * Logs a context of a profile in; one without credentials by a self-signed seal of its NIP.
 * @throws {Inconclusive} when the login is not accepted
 */
export const loginAs = async (
  client: Client,
  { kind, value, token, credentials }: TargetContext,
  way: LoginWay = token === undefined ? 'certificate' : 'token',
): Promise<Login> => {
  const context = { type: kind, value }
  if (way === 'token') return loginWithToken(client, { context, token: token ?? '' })
  const { timestamp: now } = await fetchChallenge(client)
  const seal = () => makeCertificate({ subject: sealSubject(value.slice(0, 10)), now })
  return loginWithDocument(
    client,
    documentSigner({
      context,
      credentials: credentials === undefined ? seal() : toCredentials(credentials),
    }),
  )
}
