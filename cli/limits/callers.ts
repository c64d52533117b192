import { dialectOf, dialects } from '../../contract/dialects.ts'
import { makeInvoice } from '../../generators/invoice/invoice.ts'
import { createClient } from '../../lib/client.ts'
import type { Client } from '../../lib/client.ts'
import type { Exchange } from '../../lib/exchange.ts'
import { fetchChallenge } from '../../lib/flows/login.ts'
import { drawNip } from '../../lib/identifiers/nip.ts'
import { nodeCodec } from '../../lib/node/codec.ts'
import { loginAs } from '../../lib/node/context-login.ts'
import { sendToTarget } from '../../lib/node/target-send.ts'
import { takesOwnContexts } from '../../lib/node/target.ts'
import type { TargetContext } from '../../lib/node/target.ts'
import { createPacer } from '../../lib/pacer.ts'
import { rngFor } from '../../lib/random.ts'
import type { AssignedLogin } from '../../load/assignment.ts'
import type { Management } from '../../suites/support/service/management.ts'
import { interrupted, usageError } from '../io.ts'
import type { Place } from '../load/target.ts'
import { managementPort } from '../management-port.ts'

/** A context that probes call for. */
export interface Caller {
  /** Logged in. */
  readonly api: Client
  readonly login: AssignedLogin
  readonly seller: string
  /** A fresh valid invoice of the context. */
  readonly invoice: () => Uint8Array
  /** Every exchange so far. */
  readonly exchanges: readonly Exchange[]
  /** The context was used by an earlier caller. */
  readonly isUsed: boolean
}

export interface Callers {
  /** A caller in its own context, where the target has one left. */
  readonly next: () => Promise<Caller>
  /** Milliseconds that the target's clock is ahead of this machine's. */
  readonly offsetMs: () => number
  readonly management: Management | undefined
  readonly close: () => void
}

/** Logs callers in: at a management port, by self-signed seals, or from the pool of the profile in turn. */
export const createCallers = async (
  place: Place,
  seed: number,
  signal: AbortSignal,
): Promise<Callers> => {
  const { profile } = place
  const dialect = dialectOf(profile.dialect ?? 'svc') ?? dialects.svc
  const sender = sendToTarget(profile, { dialect, work: 'load' })
  const port = managementPort(profile)
  const pool = profile.contexts ?? []
  const rng = rngFor({ seed, rule: 'limits' })
  let given = 0
  let offset = 0

  const contextFor = async (): Promise<{ context: TargetContext; isUsed: boolean }> => {
    given += 1
    if (port?.newContext !== undefined) return { context: await port.newContext(), isUsed: false }
    if (takesOwnContexts(profile))
      return { context: { kind: 'Nip', value: drawNip(rng) }, isUsed: false }
    const context = pool[(given - 1) % Math.max(1, pool.length)]
    if (context === undefined)
      throw usageError(
        'expected a context in the profile, received none; add one with a credential to `contexts`',
      )
    return { context, isUsed: given > pool.length }
  }
  const sleep = (ms: number) =>
    new Promise<void>((resolve) => {
      setTimeout(resolve, ms)
    })
  const pace = createPacer({ now: Date.now, sleep })

  return {
    management: port?.management,
    offsetMs: () => offset,
    async next() {
      if (signal.aborted) throw interrupted('interrupted before the probes began')
      const { context, isUsed } = await contextFor()
      const exchanges: Exchange[] = []
      const anonymous = createClient({
        send: sender.send,
        baseUrl: profile.url,
        dialect,
        codec: nodeCodec,
        pace,
        record: (exchange) => void exchanges.push(exchange),
      })
      const { timestamp } = await fetchChallenge(anonymous)
      offset = timestamp - Date.now()
      const { accessToken, refreshToken } = await loginAs(anonymous, context)
      const name = `${context.kind} ${context.value}`
      const seller = context.value.slice(0, 10)
      const issueDate = new Date(timestamp).toISOString().slice(0, 10)
      let made = 0
      return {
        api: anonymous.with({ bearer: accessToken, context: name }),
        login: { refreshToken, context: name },
        seller,
        exchanges,
        isUsed,
        invoice() {
          made += 1
          const number = `L/${seed}/${given}/${made}`
          return makeInvoice({ seller, number, issueDate, profile: 'services' }, seed + made)
        },
      }
    },
    close() {
      sender.close()
      port?.close()
    },
  }
}
