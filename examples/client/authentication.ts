import type { Exchange } from '../../lib/exchange.ts'
import type { Context } from '../../lib/flows/login.ts'
import { readToken } from '../../lib/flows/login.ts'
import { statusOf } from '../../lib/flows/settle.ts'
import { sleep } from '../../lib/poll.ts'
import type { Conduct } from './conduct.ts'
import type { Connection } from './connection.ts'
import { NoAnswer } from './connection.ts'
import type { KeyList } from './key-list.ts'

/** Authenticates by service token. */

export interface Credentials {
  readonly context: Context
  readonly token: string
}

export interface Tokens {
  readonly access: string
  readonly accessUntil: number
  readonly refresh: string
  readonly issuedAt: number
}

export interface Authentication {
  /**
   * One authentication; undefined when its token expired before it was redeemed, or the answer to that call was lost.
   * @throws {NoAnswer} when no answer came to another call
   */
  authenticate(): Promise<Tokens | undefined>
  /** The token of the latest authentication. */
  latest(): string
  /** Time of the service, Unix ms: the clock of this machine may be wrong. */
  readonly now: () => number
  tokens(access: NonNullable<ReturnType<typeof readToken>>, refresh: string): Tokens
}

const bodyOf = (exchange: Exchange | undefined): Record<string, unknown> =>
  (exchange?.body ?? {}) as Record<string, unknown>

export function createAuthentication(
  connection: Connection,
  keys: KeyList,
  { context, token }: Credentials,
  conduct: Conduct,
): Authentication {
  let latest = ''
  let offset = 0
  const now = () => Date.now() + offset

  async function start(): Promise<{ referenceNumber: string; bearer: string }> {
    const { body } = await connection.call('auth.challenge', {}, 'safe')
    const { challenge, timestampMs } = body as { challenge: string; timestampMs?: number }
    if (timestampMs !== undefined) offset = timestampMs - Date.now()
    const plain = connection.client.codec.utf8(`${token}|${timestampMs ?? now()}`)
    const started = await keys.using('SvcTokenEncryption', plain, now, (encryptedToken) =>
      connection.call(
        'auth.token',
        { body: { challenge, contextIdentifier: context, encryptedToken } },
        'unsafe',
      ),
    )
    const { authenticationToken, referenceNumber } = bodyOf(started)
    const issued = readToken(authenticationToken)
    if (started.status >= 300 || issued === undefined)
      throw new Error(`the service did not take the authentication: ${started.status}`)
    latest = issued.token
    return { referenceNumber: String(referenceNumber), bearer: issued.token }
  }

  async function succeeds(referenceNumber: string, bearer: string): Promise<boolean> {
    for (let look = 0; ; look += 1) {
      const status = await connection.call(
        'auth.status',
        { path: { referenceNumber }, bearer },
        'safe',
      )
      if (status.status >= 300) return false
      const code = statusOf(status.body)?.code ?? 0
      if (code === 200) return true
      if (code > 200) {
        keys.forget()
        return false
      }
      if (code !== 100 && conduct.unknownCode === 'error') throw new Error(`unknown code ${code}`)
      await sleep(conduct.pollAfter(look))
    }
  }

  const tokens: Authentication['tokens'] = (access, refresh) => ({
    access: access.token,
    accessUntil: access.validUntil ?? now() + 600_000,
    refresh,
    issuedAt: now(),
  })

  return {
    now,
    tokens,
    latest: () => latest,
    async authenticate() {
      const { referenceNumber, bearer } = await start()
      if (!(await succeeds(referenceNumber, bearer))) return undefined
      // If the answer to this call is lost, the tokens are lost with it: the login begins again.
      const redeemed = await connection.call('auth.redeem', { bearer }, 'unsafe').catch((error) => {
        if (error instanceof NoAnswer) return undefined
        throw error
      })
      const { accessToken, refreshToken } = bodyOf(redeemed)
      const access = readToken(accessToken)
      const refresh = readToken(refreshToken)
      if (redeemed === undefined || redeemed.status >= 300 || !access || !refresh) return undefined
      return tokens(access, refresh.token)
    },
  }
}
