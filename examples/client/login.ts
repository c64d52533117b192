import type { OperationId } from '../../contract/endpoints.ts'
import type { CallOptions } from '../../lib/request.ts'
import type { Exchange } from '../../lib/exchange.ts'
import { readToken } from '../../lib/flows/login.ts'
import { sleep } from '../../lib/poll.ts'
import type { Credentials, Tokens } from './authentication.ts'
import { createAuthentication } from './authentication.ts'
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
  readonly now: () => number
}

const authenticationsAtMost = 4
export function createAccount(
  connection: Connection,
  keys: KeyList,
  credentials: Credentials,
  conduct: Conduct,
): Account {
  const authentication = createAuthentication(connection, keys, credentials, conduct)
  let tokens: Tokens | undefined

  async function logIn(): Promise<Tokens> {
    for (let attempt = 1; attempt <= authenticationsAtMost; attempt += 1) {
      const found = await authentication.authenticate().catch((error: unknown) => {
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
    if (exchange.status < 300 && access !== undefined)
      return authentication.tokens(access, old.refresh)
    if (!conduct.logsInAnew) throw new Error(`the refresh token was refused: ${exchange.status}`)
    return logIn()
  }

  /** A token is renewed a minute before its end, or after two thirds of a short life. */
  const isStale = ({ accessUntil, issuedAt }: Tokens): boolean => {
    const { renewsBefore } = conduct
    if (renewsBefore === undefined) return false
    return (
      authentication.now() >= accessUntil - Math.min(renewsBefore, (accessUntil - issuedAt) / 3)
    )
  }

  async function validAccess(): Promise<string> {
    if (tokens === undefined) tokens = await logIn()
    else if (isStale(tokens)) tokens = await renew(tokens)
    return tokens.access
  }

  return {
    now: authentication.now,
    access: validAccess,
    authentication: () => authentication.latest(),
    async call(operation, options, repeat) {
      const bearer = await validAccess()
      const used = tokens
      const exchange = await connection.call(operation, { bearer, ...options }, repeat)
      const refused = exchange.status === 401 || exchange.status === 403
      if (!refused || options.bearer !== undefined || used === undefined) return exchange
      if (!conduct.replacesRefusedToken) {
        for (let attempt = 0; attempt < 3; attempt += 1) {
          await sleep(400)
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
