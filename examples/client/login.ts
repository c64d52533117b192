import type { OperationId } from '../../contract/endpoints.ts'
import type { CallOptions } from '../../lib/client.ts'
import type { Exchange } from '../../lib/exchange.ts'
import type { Context } from '../../lib/flows/login.ts'
import { readToken } from '../../lib/flows/login.ts'
import { statusOf } from '../../lib/flows/settle.ts'
import type { Conduct } from './conduct.ts'
import type { Connection, Repeat } from './connection.ts'
import { NoAnswer } from './connection.ts'
import type { KeyList } from './key-list.ts'

/** Logs in by service token, keeps an access token that is valid, and calls with it. */

export interface Account {
  /**
   * A call with the access token. A token that ended on the way is replaced, and the call made once more.
   * @throws {NoAnswer} when no answer came
   */
  call(operation: OperationId, options: CallOptions, repeat: Repeat): Promise<Exchange>
  /** A valid access token. */
  access(): Promise<string>
  /** The token of the latest authentication. */
  readonly authentication: () => string
  /** Time of the service, Unix ms: the clock of this machine may be wrong. */
  now(): number
}

interface Tokens {
  readonly access: string
  readonly accessUntil: number
  readonly refresh: string
  readonly issuedAt: number
}

const authenticationsAtMost = 4
const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(() => resolve(), ms)
  })

export function createAccount(
  connection: Connection,
  keys: KeyList,
  { context, token }: { readonly context: Context; readonly token: string },
  conduct: Conduct,
): Account {
  let tokens: Tokens | undefined
  let authentication = ''
  let offset = 0
  const now = () => Date.now() + offset

  /** One authentication; undefined when its token ran out before it was redeemed, or it was redeemed unheard. */
  async function authenticate(): Promise<Tokens | undefined> {
    const challenge = await connection.call('auth.challenge', {}, 'safe')
    const { challenge: text, timestampMs } = challenge.body as {
      challenge: string
      timestampMs?: number
    }
    if (timestampMs !== undefined) offset = timestampMs - Date.now()
    const plain = connection.client.codec.utf8(`${token}|${timestampMs ?? now()}`)
    const started = await keys.using('SvcTokenEncryption', plain, now(), (encryptedToken) =>
      connection.call(
        'auth.token',
        { body: { challenge: text, contextIdentifier: context, encryptedToken } },
        'unsafe',
      ),
    )
    const { authenticationToken, referenceNumber } = (started.body ?? {}) as Record<string, unknown>
    const issued = readToken(authenticationToken)
    if (started.status >= 300 || issued === undefined)
      throw new Error(`the service did not take the authentication: ${started.status}`)
    authentication = issued.token
    const bearer = issued.token
    for (let look = 0; ; look += 1) {
      const status = await connection.call(
        'auth.status',
        { path: { referenceNumber: String(referenceNumber) }, bearer },
        'safe',
      )
      if (status.status >= 300) return undefined
      const code = statusOf(status.body)?.code ?? 0
      if (code >= 200 && code !== 200) {
        keys.forget()
        return undefined
      }
      if (code === 200) break
      if (code !== 100 && !conduct.toleratesUnknownCodes) throw new Error(`unknown code ${code}`)
      await pause(conduct.pollAfter(look))
    }
    // An answer to this call that is lost takes the tokens with it: the login begins again.
    const redeemed = await connection.call('auth.redeem', { bearer }, 'unsafe').catch((error) => {
      if (error instanceof NoAnswer) return undefined
      throw error
    })
    const body = (redeemed?.body ?? {}) as Record<string, unknown>
    const issuedAccess = readToken(body['accessToken'])
    const refresh = readToken(body['refreshToken'])
    if (redeemed === undefined || redeemed.status >= 300 || !issuedAccess || !refresh)
      return undefined
    return kept(issuedAccess, refresh.token)
  }

  const kept = (
    access: { readonly token: string; readonly validUntil: number | undefined },
    refresh: string,
  ): Tokens => ({
    access: access.token,
    accessUntil: access.validUntil ?? now() + 600_000,
    refresh,
    issuedAt: now(),
  })

  async function logIn(): Promise<Tokens> {
    for (let attempt = 1; attempt <= authenticationsAtMost; attempt += 1) {
      const found = await authenticate().catch((error: unknown) => {
        if (error instanceof NoAnswer) return undefined
        throw error
      })
      if (found !== undefined) return found
      if (!conduct.startsAuthenticationAgain) break
    }
    throw new Error('the login did not succeed')
  }

  async function renew(old: Tokens): Promise<Tokens> {
    const exchange = await connection.call('auth.refresh', { bearer: old.refresh }, 'safe')
    const access = readToken(
      (exchange.body as Record<string, unknown> | undefined)?.['accessToken'],
    )
    if (exchange.status < 300 && access !== undefined) return kept(access, old.refresh)
    if (!conduct.logsInAnew) throw new Error(`the refresh token was refused: ${exchange.status}`)
    return logIn()
  }

  /** A token is renewed a minute before its end, or after two thirds of a short life. */
  const isStale = ({ accessUntil, issuedAt }: Tokens): boolean => {
    const { renewsBefore } = conduct
    if (renewsBefore === undefined) return false
    return now() >= accessUntil - Math.min(renewsBefore, (accessUntil - issuedAt) / 3)
  }

  async function validAccess(): Promise<string> {
    if (tokens === undefined) tokens = await logIn()
    else if (isStale(tokens)) tokens = await renew(tokens)
    return tokens.access
  }

  return {
    now,
    access: validAccess,
    authentication: () => authentication,
    async call(operation, options, repeat) {
      const bearer = await validAccess()
      const used = tokens
      const exchange = await connection.call(operation, { bearer, ...options }, repeat)
      const refused = exchange.status === 401 || exchange.status === 403
      if (!refused || options.bearer !== undefined || used === undefined) return exchange
      if (!conduct.replacesRefusedToken) {
        for (let attempt = 0; attempt < 3; attempt += 1) {
          await pause(400)
          await connection.call(operation, { bearer, ...options }, repeat)
        }
        return exchange
      }
      // Somebody else may have replaced it meanwhile.
      if (tokens === used) tokens = await renew(used)
      return connection.call(operation, { bearer: await validAccess(), ...options }, repeat)
    },
  }
}
