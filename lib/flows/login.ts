import type { Client } from '../client.ts'
import { jwtPayload } from '../codec.ts'
import type { Exchange } from '../exchange.ts'
import { Inconclusive, expectObject, expectOk, expectText } from '../outcome.ts'
import { encryptFor } from './keys.ts'
import type { PublicKey } from './keys.ts'
import { settle } from './settle.ts'
import type { Settled } from './settle.ts'

export interface Context {
  readonly type: 'Nip' | 'InternalId' | 'NipVatUe' | 'PeppolId'
  readonly value: string
}

/** One text by which a context is counted and named. */
export const contextKey = ({ type, value }: Context): string => `${type} ${value}`

export interface Challenge {
  readonly challenge: string
  /** When the service issued it, Unix milliseconds; by the client's clock if the answer does not say. */
  readonly timestamp: number
}

/** An authentication that was taken in and is being processed. */
export interface Started {
  readonly referenceNumber: string
  readonly authenticationToken: string
  /** ISO instant. */
  readonly validUntil: string | undefined
  readonly exchange: Exchange
}

export interface Login {
  readonly accessToken: string
  readonly refreshToken: string
  readonly authenticationToken: string
  readonly referenceNumber: string
  /** Unix milliseconds; from the answer, else from the token's `exp`. */
  readonly accessValidUntil: number | undefined
  /** Unix milliseconds, where the answer says. */
  readonly refreshValidUntil: number | undefined
}

/**
 * A fresh challenge.
 * @throws {Inconclusive} when none is given
 */
export async function fetchChallenge(client: Client): Promise<Challenge> {
  const exchange = await client.call('auth.challenge')
  const challenge = expectText(exchange, 'obtain a challenge', 'challenge')
  const { timestampMs, timestamp } = exchange.body as Record<string, unknown>
  const given =
    typeof timestampMs === 'number'
      ? timestampMs
      : typeof timestamp === 'string'
        ? Date.parse(timestamp)
        : Number.NaN
  return { challenge, timestamp: Number.isNaN(given) ? client.now() : given }
}

export interface TokenLogin {
  readonly context: Context
  /** The service token. */
  readonly token: string
  /** The service's keys, when already known. */
  readonly keys?: readonly PublicKey[]
}

/** The body of a login by service token. Source: specification, Service-token encryption. */
export async function tokenLoginBody(
  client: Client,
  { context, token, keys }: TokenLogin,
  { challenge, timestamp }: Challenge,
): Promise<Record<string, unknown>> {
  const plain = client.codec.utf8(`${token}|${timestamp}`)
  const { encrypted } = await encryptFor(client, 'SvcTokenEncryption', plain, keys)
  return { challenge, contextIdentifier: context, encryptedToken: encrypted }
}

/**
 * Starts an authentication by service token; it is not awaited.
 * @throws {Inconclusive} when it is not taken in
 */
export async function startWithToken(client: Client, login: TokenLogin): Promise<Started> {
  const body = await tokenLoginBody(client, login, await fetchChallenge(client))
  return readStarted(await client.call('auth.token', { body }), 'authenticate by service token')
}

export interface DocumentLogin {
  /** Signs an authentication request with the challenge; `timestamp` in Unix milliseconds. Returns the document. */
  readonly sign: (challenge: string, timestamp: number) => Promise<string>
}

/**
 * Starts an authentication by signed document; it is not awaited.
 * @throws {Inconclusive} when it is not taken in
 */
export async function startWithDocument(client: Client, { sign }: DocumentLogin): Promise<Started> {
  const { challenge, timestamp } = await fetchChallenge(client)
  const body = await sign(challenge, timestamp)
  return readStarted(await client.call('auth.xades', { body }), 'authenticate by signed document')
}

/**
 * What the answer to an authentication holds.
 * @throws {Inconclusive} when it was not taken in
 */
export function readStarted(exchange: Exchange, step: string): Started {
  const authenticationToken = expectText(exchange, step, 'authenticationToken', 'token')
  const { authenticationToken: issued } = exchange.body as Record<string, Record<string, unknown>>
  const validUntil = issued?.['validUntil']
  return {
    referenceNumber: expectText(exchange, step, 'referenceNumber'),
    authenticationToken,
    validUntil: typeof validUntil === 'string' ? validUntil : undefined,
    exchange,
  }
}

/**
 * Awaits an authentication, however it ends.
 * @throws {Inconclusive} when it does not settle
 */
export const settleAuthentication = (client: Client, started: Started): Promise<Settled> =>
  settle(client, 'authentication', 'await the authentication', () =>
    client.call('auth.status', {
      path: { referenceNumber: started.referenceNumber },
      bearer: started.authenticationToken,
    }),
  )

/**
 * Awaits an authentication and redeems it.
 * @throws {Inconclusive} when it fails or is not redeemed
 */
export async function finishLogin(client: Client, started: Started): Promise<Login> {
  const settled = await settleAuthentication(client, started)
  if (!settled.succeeded) {
    throw new Inconclusive('await the authentication', 'success', settled.exchanges.at(-1))
  }
  const exchange = await client.call('auth.redeem', { bearer: started.authenticationToken })
  const step = 'redeem the authentication'
  const body = expectObject(expectOk(exchange, step), step)
  const access = readToken(body['accessToken'])
  const refresh = readToken(body['refreshToken'])
  if (access === undefined || refresh === undefined) {
    throw new Inconclusive(step, '`accessToken` and `refreshToken`', exchange)
  }
  return {
    accessToken: access.token,
    refreshToken: refresh.token,
    authenticationToken: started.authenticationToken,
    referenceNumber: started.referenceNumber,
    accessValidUntil: access.validUntil ?? expiry(client, access.token),
    refreshValidUntil: refresh.validUntil ?? expiry(client, refresh.token),
  }
}

/**
 * The whole login by service token.
 * @throws {Inconclusive} with the step that failed
 */
export const loginWithToken = async (client: Client, login: TokenLogin): Promise<Login> =>
  finishLogin(client, await startWithToken(client, login))

/**
 * The whole login by signed document.
 * @throws {Inconclusive} with the step that failed
 */
export const loginWithDocument = async (client: Client, login: DocumentLogin): Promise<Login> =>
  finishLogin(client, await startWithDocument(client, login))

/**
 * A new access token for the refresh token.
 * @throws {Inconclusive} when none is issued
 */
export async function refreshAccess(
  client: Client,
  refreshToken: string,
): Promise<{ readonly accessToken: string; readonly accessValidUntil: number | undefined }> {
  const step = 'refresh the access token'
  const exchange = await client.call('auth.refresh', { bearer: refreshToken })
  const access = readToken(expectObject(exchange, step)['accessToken'])
  if (access === undefined) throw new Inconclusive(step, '`accessToken`', exchange)
  return {
    accessToken: access.token,
    accessValidUntil: access.validUntil ?? expiry(client, access.token),
  }
}

/** A token as an answer gives it: `{ token, validUntil }`, or the bare text. */
export function readToken(
  value: unknown,
): { readonly token: string; readonly validUntil: number | undefined } | undefined {
  if (typeof value === 'string' && value !== '') return { token: value, validUntil: undefined }
  const { token, validUntil } = (value ?? {}) as Record<string, unknown>
  if (typeof token !== 'string' || token === '') return undefined
  const until = typeof validUntil === 'string' ? Date.parse(validUntil) : Number.NaN
  return { token, validUntil: Number.isNaN(until) ? undefined : until }
}

function expiry(client: Client, token: string): number | undefined {
  const seconds = jwtPayload(client.codec, token)?.['exp']
  return typeof seconds === 'number' ? seconds * 1000 : undefined
}
