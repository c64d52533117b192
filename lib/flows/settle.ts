import { stateOf } from '../../contract/lifecycles.ts'
import type { Lifecycle } from '../../contract/types.ts'
import type { Client } from '../client.ts'
import type { Exchange } from '../exchange.ts'
import { Inconclusive, expectOk, outcomeOf, withOutcome } from '../outcome.ts'
import { poll } from '../poll.ts'
import type { Polling, Sleep } from '../poll.ts'

/** Where a piece of asynchronous work stands. */
export interface Status {
  readonly code: number
  readonly description: string | undefined
  readonly details: readonly string[]
  /** What else is known of the outcome, by name. */
  readonly extensions: Readonly<Record<string, string>>
}

/** How a piece of asynchronous work ended. */
export interface Settled {
  readonly status: Status
  /** Whether it ended well, by the contract's lifecycle. */
  readonly succeeded: boolean
  /** The last answer's body, in the contract's words. */
  readonly body: Readonly<Record<string, unknown>>
  /** The exchange of every poll, in order. */
  readonly exchanges: readonly Exchange[]
}

/**
 * The status in the body of an answer.
 * @returns undefined when there is none
 */
export function statusOf(body: unknown): Status | undefined {
  const { status } = (body ?? {}) as { status?: unknown }
  const { code, description, details, extensions } = (status ?? {}) as Record<string, unknown>
  if (typeof code !== 'number') return undefined
  return {
    code,
    description: typeof description === 'string' ? description : undefined,
    details: Array.isArray(details) ? details.map(String) : [],
    extensions: (extensions ?? {}) as Record<string, string>,
  }
}

/**
 * Polls until the work has settled. It has settled when the contract's lifecycle does not call its code pending; a code
 * that the lifecycle does not know has settled from 200 on.
 * @throws {Inconclusive} when a poll fails or shows no status, or when the work does not settle within the polling
 */
export async function settle(
  client: Client,
  lifecycle: Lifecycle,
  step: string,
  look: () => Promise<Exchange>,
  polling: Polling = client.polling,
): Promise<Settled> {
  const { last, seen, done } = await poll(
    async () => {
      const exchange = expectOk(await look(), step)
      const status = statusOf(exchange.body)
      if (status === undefined) throw new Inconclusive(step, 'a body with `status.code`', exchange)
      return { exchange, status }
    },
    ({ status }) => !isPending(lifecycle, status.code),
    { ...polling, sleep: lasting(client, polling) },
  )
  if (!done) {
    const late = new Inconclusive(
      step,
      `a final status after ${seen.length} looks (still ${last.status.code})`,
      last.exchange,
    )
    if (polling.finallyMs === undefined) throw late
    throw withOutcome(late, { kind: 'inconclusive', ...outcomeOf(late), unended: lifecycle })
  }
  return {
    status: last.status,
    succeeded: stateOf(lifecycle, last.status.code)?.outcome === 'success',
    body: last.exchange.body as Record<string, unknown>,
    exchanges: seen.map(({ exchange }) => exchange),
  }
}

/** Waits; the last wait can be longer than an access token lasts. */
const lasting =
  ({ sleep, identity }: Client, { finallyMs }: Polling): Sleep =>
  async (ms) => {
    await sleep(ms)
    if (ms === finallyMs) await identity.outlast?.()
  }

const isPending = (lifecycle: Lifecycle, code: number): boolean => {
  const state = stateOf(lifecycle, code)
  return state === undefined ? code < 200 : state.outcome === 'pending'
}
