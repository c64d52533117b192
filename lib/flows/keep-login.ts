import type { Client } from '../client.ts'
import { contextKey, refreshAccess } from './login.ts'
import type { Context, Login } from './login.ts'

/** A login that outlives its access token: for work that takes longer than a dozen minutes. */
export interface KeptLogin {
  /**
   * A client for the context whose access token is good for a while yet; it is refreshed first when it is not.
   * @throws {Inconclusive} when the refresh fails
   */
  client(): Promise<Client>
}

/**
 * Keeps a login alive by its refresh token. `aheadMs` is how long before its end a token is replaced.
 * Source: specification, Authentication, accessToken lifetime.
 */
export function keepLogin(
  client: Client,
  login: Pick<Login, 'accessToken' | 'accessValidUntil' | 'refreshToken'>,
  context: Context,
  aheadMs = 60_000,
): KeptLogin {
  let { accessToken, accessValidUntil } = login
  let refreshing: Promise<void> | undefined

  async function refresh(): Promise<void> {
    const fresh = await refreshAccess(client, login.refreshToken)
    ;({ accessToken, accessValidUntil } = fresh)
  }

  return {
    async client() {
      if (accessValidUntil !== undefined && client.now() + aheadMs >= accessValidUntil) {
        // Concurrent callers share one refresh.
        refreshing ??= refresh().finally(() => {
          refreshing = undefined
        })
        await refreshing
      }
      return client.with({ bearer: accessToken, context: contextKey(context) })
    },
  }
}
