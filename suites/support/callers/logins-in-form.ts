import type { Client } from '../../../lib/client.ts'
import {
  contextKey,
  loginWithDocument,
  loginWithToken,
  refreshAccess,
} from '../../../lib/flows/login.ts'
import type { Login } from '../../../lib/flows/login.ts'
import type { Rng } from '../../../lib/random.ts'
import { createContexts } from '../service/context-source.ts'
import type { Me, OwnContext } from '../service/contexts.ts'
import type { Ledger } from '../run/ledger.ts'
import { workerInUnit } from './kin.ts'
import type { OtherForm } from '../checks/other-forms.ts'
import { mintToken } from './service-token.ts'
import type { Target } from '../service/target.ts'

/** Logins in other forms: refreshed, by a service token, or in the context of a unit (`other-forms.ts`). */

interface Scene {
  /** Without credentials. */
  readonly api: Client
  readonly rng: Rng
  readonly target: Target
}

const signIn = async (api: Client, context: OwnContext): Promise<Me> => {
  const login = await loginWithDocument(api, {
    sign: (challenge) => context.document(challenge),
  })
  const identity = { bearer: login.accessToken, context: contextKey(context) }
  return { ...login, api: api.with(identity), context }
}

/** The context of a unit of a taxpayer, with the credentials of somebody who may work in it. */
export const unitOf = async (
  taxpayer: OwnContext,
  { api, rng, target }: Scene,
): Promise<OwnContext> => {
  const login = ({ context = taxpayer } = {}) => signIn(api, context)
  return workerInUnit({ me: await login(), login, rng, target })
}

/** What a service token of the owner of a context carries. */
const carried = ['InvoiceRead', 'InvoiceWrite', 'CredentialsRead', 'CredentialsManage']

/**
 * Logs in to a context in the given form.
 * @param given the service token to log in with; by default the context's own, if it has no certificate
 */
export const loginInForm = async (
  form: OtherForm | undefined,
  api: Client,
  context: OwnContext,
  given: string | undefined = context.by === 'token' ? context.token : undefined,
): Promise<Login & { readonly by: 'document' | 'token' }> => {
  const { type, value } = context
  const byToken = async (token: string) => ({
    ...(await loginWithToken(api, { context: { type, value }, token })),
    by: 'token' as const,
  })
  if (given !== undefined) return byToken(given)
  const me = await signIn(api, context)
  if (form?.login === 'service token') return byToken((await mintToken(me, carried)).token)
  const refreshed = form?.login === 'refreshed' ? await refreshAccess(api, me.refreshToken) : {}
  return { ...me, ...refreshed, by: 'document' }
}

/** Logs in to a context of its own at the service in another environment. */
export const loginElsewhere = async (
  target: Target,
  { ledger, rng }: { readonly ledger: Ledger; readonly rng: Rng },
): Promise<Me> => {
  const api = target.client(ledger.record)
  const context = await createContexts(target, rng)()
  const login = await loginInForm(undefined, api, context)
  const identity = { bearer: login.accessToken, context: contextKey(context) }
  return { ...login, api: api.with(identity), context }
}
