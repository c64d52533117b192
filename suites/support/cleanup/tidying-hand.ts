import type { OperationId } from '../../../contract/endpoints.ts'
import type { Client } from '../../../lib/client.ts'
import { Unreachable } from '../../../lib/node/fetch.ts'
import { bearerOf } from '../../../lib/exchange.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import type { CallOptions } from '../../../lib/request.ts'

/** The calls that remove what a check left: bounded in number and time, and within the rate limits of their callers. */

/** Calls for the leftovers of one check. */
export const maxCalls = 40

/** Milliseconds for the leftovers of one check, waits for room within the limits not included. */
const maxMs = 10_000

/** Whom the limits count the calls of each `Authorization` for; undefined where that is not known. */
export type Callers = Pick<ReadonlyMap<string, string>, 'get'>

export interface TidyingHand {
  /**
   * Calls as the caller of an earlier call did; undefined when the bound is reached or no answer came.
   * @param options `bearer` replaces the earlier one
   */
  readonly call: (
    earlier: Exchange,
    operation: OperationId,
    options: CallOptions,
  ) => Promise<Exchange | undefined>
  /** Lets time pass at the target. */
  readonly pause: (ms: number) => Promise<void>
}

/** Calls by `client`; `callers`: whom the limits count the calls of each `Authorization` for. */
export const createHand = (client: Client, callers: Callers, allowed = maxCalls): TidyingHand => {
  const until = Date.now() + maxMs
  let left = allowed
  return {
    pause: (ms) => client.sleep(ms),
    async call(earlier, operation, options) {
      const timeoutMs = until - Date.now()
      if (left <= 0 || timeoutMs <= 0) return undefined
      left -= 1
      const { authorization } = earlier.request.headers
      const bearer = bearerOf(earlier.request)
      const context = callers.get(authorization ?? '')
      const identity = context === undefined ? {} : { context }
      try {
        return await client.with(identity).call(operation, {
          ...(bearer && { bearer }),
          ...options,
          timeoutMs,
        })
      } catch (error) {
        // The thing stays on the list, and so do all others if the target does not answer.
        if (error instanceof Unreachable) left = 0
        return undefined
      }
    },
  }
}
