import type { OperationId } from '../../contract/endpoints.ts'
import type { Client } from '../../lib/client.ts'
import type { CallOptions } from '../../lib/request.ts'
import type { Exchange } from '../../lib/exchange.ts'
import type { Unreachable } from '../../lib/node/fetch.ts'
import { createPacer, thresholdsOf } from '../../lib/pacer.ts'
import type { Thresholds } from '../../lib/windows.ts'
import { retryAfterMs } from '../../lib/retry-after.ts'
import { wireOperation } from '../../lib/wire.ts'
import type { Conduct } from './conduct.ts'
import { sleep } from '../../lib/poll.ts'

/**
 * Calls that cope with the network and the limits: they wait for room in the windows, obey Retry-After, and repeat what
 * may be repeated. What they cannot repair they hand back.
 */

/** A call that got no complete answer: the service may have carried it out, or not. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
}

/** Whether a call may be repeated when nobody knows if it was carried out. */
export type Repeat = 'safe' | 'unsafe'

export interface Connection {
  readonly client: Client
  /**
   * One call, repeated while that helps.
   * @throws {NoAnswer} when no answer came: at once for unsafe calls, after the last attempt for safe ones
   */
  call(operation: OperationId, options: CallOptions, repeat: Repeat): Promise<Exchange>
  /** The same for an address that the service gave. */
  follow(
    operation: OperationId,
    send: (client: Client) => Promise<Exchange>,
    repeat: Repeat,
  ): Promise<Exchange>
  /** Limits that the service states, which take the place of the table. */
  useLimits(limits: Readonly<Record<string, Thresholds>>): void
}

/** What a 5xx means for a call: a gateway may have lost the answer of a service that acted. */
const isServerFault = ({ status }: Exchange): boolean => status >= 500

/** How often the limits may refuse one call before it is given up. */
const refusalsAtMost = 20

/** A connection for one context. */
export function createConnection(client: Client, context: string, conduct: Conduct): Connection {
  const pacer = createPacer({ now: Date.now, sleep })
  let stated: Readonly<Record<string, Thresholds>> = {}

  const room = async (operation: OperationId): Promise<() => void | Promise<void>> => {
    const { rate } = wireOperation(operation, client.dialect)
    const thresholds = stated[rate] ?? thresholdsOf(rate, client.dialect)
    if (!conduct.paces || thresholds === undefined) return () => undefined
    const subject = rate === 'public' ? 'address' : context
    const rule = rate === 'default' ? operation : rate
    const ticket = await pacer.wait(subject, rule, thresholds)
    return () => void pacer.answered(ticket)
  }

  async function repeated(
    operation: OperationId,
    run: () => Promise<Exchange>,
    repeat: Repeat,
  ): Promise<Exchange> {
    let failures = 0
    let refusals = 0
    for (;;) {
      const answered = await room(operation)
      let exchange: Exchange | undefined
      try {
        exchange = await run()
      } catch (error) {
        if ((error as Unreachable).name !== 'Unreachable') throw error
      }
      await answered()
      if (exchange?.status === 429 && refusals < refusalsAtMost) {
        refusals += 1
        const retryAfter = retryAfterMs(exchange.headers['retry-after'], Date.now()) ?? 1000
        await sleep(conduct.waitAfterLimit(retryAfter))
        continue
      }
      if (exchange !== undefined && !isServerFault(exchange)) {
        if (exchange.status < 300 && !conduct.understands(exchange.body))
          throw new Error(`${operation}: an answer with unknown fields`)
        return exchange
      }
      failures += 1
      const again =
        exchange === undefined ? repeat === 'safe' && conduct.repeatsUnanswered : repeat === 'safe'
      const wait = again ? conduct.waitAfterFailure(failures, exchange) : undefined
      if (wait === undefined) {
        throw new NoAnswer(
          exchange === undefined
            ? `${operation}: no answer`
            : `${operation}: ${exchange.status} from a gateway or the service`,
        )
      }
      const retryAfter = exchange && retryAfterMs(exchange.headers['retry-after'], Date.now())
      await sleep(Math.max(wait, retryAfter === undefined ? 0 : conduct.waitAfterLimit(retryAfter)))
    }
  }

  return {
    client,
    call: (operation, options, repeat) =>
      repeated(operation, () => client.call(operation, options), repeat),
    follow: (operation, send, repeat) => repeated(operation, () => send(client), repeat),
    useLimits(limits) {
      stated = limits
    },
  }
}
