import type { OperationId } from '../../contract/endpoints.ts'
import type { RuleId } from '../../contract/rules.ts'
import type { Client } from '../../lib/client.ts'
import { Inconclusive } from '../../lib/outcome.ts'
import { calls, perform } from './calls.ts'
import type { Fixtures } from './fixtures.ts'
import { offered } from './offered.ts'
import { createStage } from './stage.ts'
import type { Stage } from './stage.ts'
import { expect } from './matchers.ts'

/** Things that stand beside those to which something is done. */

export interface Neighbour {
  /** What the service says of it. */
  readonly look?: () => Promise<unknown>
  /** Checks that it still works: last, because that may use it up. */
  readonly use?: () => Promise<void>
}

export interface Act {
  readonly operation: OperationId
  readonly by: Client
}

export interface Kind {
  readonly rule: RuleId
  /** What is done to another of its kind. */
  readonly acts: readonly OperationId[]
  /** Creates it in the same way as for the act, by the same caller. */
  readonly make: (stage: Stage, act: Act) => Promise<Neighbour>
}

/** Time for what an act leaves to be done later, milliseconds. */
const settling = 2_000

/** A thing that could be read before is refused now; a service that fails or hangs up has not lost it. */
export const orLost = (error: unknown) => {
  const status = error instanceof Inconclusive ? error.exchange?.status : undefined
  if (status === undefined || status < 400 || status > 499 || status === 429) throw error
  return { lost: String(error) }
}

/** Performs every act on one thing of a kind, and expects each time that another one is unchanged. */
export const expectUntouched = async (kind: Kind, fixtures: Fixtures): Promise<void> => {
  const { api, login, another, invoice, rng, target } = fixtures
  const me = await login()
  const stage = createStage({ me, api, login, another, invoice, rng, target })
  for (const operation of offered(...kind.acts)) {
    const ready = await calls[operation](stage)
    const { look, use } = await kind.make(stage, { operation, by: ready.by ?? me.api })
    const before = await look?.()
    expect(await perform(me.api, operation, ready), 'what is done beside it').toBeOk()
    await me.api.sleep(settling)
    const after = await look?.().catch(orLost)
    expect(after, `after ${operation}`).toEqual(before)
    await use?.()
  }
}
