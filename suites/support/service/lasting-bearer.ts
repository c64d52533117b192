import type { Client } from '../../../lib/client.ts'
import type { Identity } from '../../../lib/request.ts'
import { refreshAccess } from '../../../lib/flows/login.ts'
import type { Login } from '../../../lib/flows/login.ts'
import { outcomeOf } from '../../../lib/outcome.ts'
import type { Target } from './target.ts'

/** An access token is renewed when it lasts no longer than that, ms. */
const margin = 30_000

/** The service's clock may lag, so that a new token seems to expire soon: it is used for at least this long, ms. */
const minUse = 60_000

/**
 * A caller with the access token of a login, which is renewed while the check runs: if the check has to wait in real
 * time for rate limits, it can outlast its token. If the check moves the clock, an expired token is what it wants, except
 * where it has waited for the end of some work longer than any token lasts.
 * @param api without credentials
 */
export const lastingBearer = (
  { management, now }: Pick<Target, 'management' | 'now'>,
  api: Client,
  { accessToken, accessValidUntil, refreshToken }: Login,
  caller: Pick<Identity, 'by' | 'context'>,
): Identity => {
  if (accessValidUntil === undefined) return { ...caller, bearer: accessToken }
  let bearer = accessToken
  let until: number | undefined = accessValidUntil
  let since = now()
  let under: Promise<void> | undefined
  const refreshed = async (): Promise<void> => {
    since = now()
    try {
      const renewed = await refreshAccess(api, refreshToken)
      bearer = renewed.accessToken
      until = renewed.accessValidUntil
    } catch (error) {
      // The check may have ended the login: what the token is worth then shows in its next call.
      if (outcomeOf(error)?.kind !== 'inconclusive') throw error
    } finally {
      under = undefined
    }
  }
  const renew = async (): Promise<void> => {
    if (under === undefined && (until === undefined || now() < until - margin)) return
    if (under === undefined && now() < since + minUse) return
    await (under ??= refreshed())
  }
  return {
    ...caller,
    get bearer() {
      return bearer
    },
    ...(management === undefined ? { renew } : { outlast: renew }),
  }
}
