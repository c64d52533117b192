import { fetchChallenge, tokenLoginBody } from '../../../lib/flows/login.ts'
import type { Context } from '../../../lib/flows/login.ts'
import { Inconclusive, expectOk, expectText } from '../../../lib/outcome.ts'
import { poll } from '../../../lib/poll.ts'
import type { Client } from '../../../lib/client.ts'
import type { Me, OwnContext } from '../service/contexts.ts'
import type { WorkOutcome } from '../judging/matchers.ts'
import { pagesByToken } from '../answers/paged-lists.ts'
import type { Row } from '../answers/paged-lists.ts'
import { fields, outcomeOfAuthentication } from '../steps/steps.ts'

export interface ServiceToken {
  readonly context: OwnContext
  readonly token: string
  /** Reference of the token, where the service made it for us. */
  readonly referenceNumber: string | undefined
  /** Who made it. */
  readonly me: Me
}

/** A context other than that of a service token: the token of a profile may be that of the only other one. */
export const contextBeside = (
  { context }: Pick<ServiceToken, 'context'>,
  { own, another }: { readonly own: OwnContext; readonly another: () => Promise<OwnContext> },
): Promise<OwnContext> => (own.value === context.value ? another() : Promise.resolve(own))

const step = 'obtain a service token'

/**
 * Has the service make a token in the caller's context, and waits until it is active.
 * @throws {Inconclusive} when it makes none
 */
export const mintToken = async (
  me: Me,
  permissions: readonly string[] = ['InvoiceRead', 'InvoiceWrite'],
  description = 'conformance check',
): Promise<ServiceToken> => {
  const { api, context } = me
  const made = await api.call('tokens.create', {
    body: { permissions, description },
  })
  const referenceNumber = expectText(made, step, 'referenceNumber')
  const token = expectText(made, step, 'token')
  const state = async () =>
    expectText(await api.call('tokens.status', { path: { referenceNumber } }), step, 'status')
  const { last } = await poll(state, (status) => status !== 'Pending', {
    ...api.polling,
    sleep: api.sleep,
  })
  if (last !== 'Active') throw new Inconclusive(step, `an active token, it is ${last}`)
  return { context, token, referenceNumber, me }
}

/** How a login by a token ends. */
export const enterByToken = async (
  api: Client,
  { type, value }: Context,
  token: string,
): Promise<WorkOutcome> => {
  const entry = { context: { type, value }, token }
  const body = await tokenLoginBody(api, entry, await fetchChallenge(api))
  return outcomeOfAuthentication(api, await api.call('auth.token', { body }))
}

/** The state that the service reports of a token. */
export const tokenState = async (api: Client, referenceNumber: string) =>
  fields(await api.call('tokens.status', { path: { referenceNumber } }))['status']

/** Looks until a token is in a state; the states that were seen, without repetitions. */
export const statesUntil = async (api: Client, referenceNumber: string, wanted: string) => {
  const { seen } = await poll(
    async () =>
      String(fields(await api.call('tokens.status', { path: { referenceNumber } }))['status']),
    (status) => status === wanted,
    { ...api.polling, sleep: api.sleep },
  )
  return seen.filter((status, at) => status !== seen[at - 1])
}

/** Revokes a token and awaits that; the state that it ends in. */
export const revokeToken = async (api: Client, referenceNumber: string) => {
  expectOk(await api.call('tokens.revoke', { path: { referenceNumber } }), 'revoke a service token')
  const { last } = await poll(
    async () => fields(await api.call('tokens.status', { path: { referenceNumber } }))['status'],
    (status) => status === 'Revoked',
    { ...api.polling, sleep: api.sleep },
  )
  return last
}

export type TokenQuery = Readonly<Record<string, string | number | readonly string[]>>

/** The tokens that a caller finds, over all pages. */
export const listTokens = async (api: Client, query: TokenQuery = {}): Promise<readonly Row[]> =>
  (await pagesByToken(api, 'tokens.list', 'tokens', { pageSize: 100, ...query })).flat()
