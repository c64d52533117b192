import type { OperationId } from '../../contract/endpoints.ts'
import type { RuleId } from '../../contract/rules.ts'
import type { Client } from '../../lib/client.ts'
import { Inconclusive } from '../../lib/outcome.ts'
import { calls, perform } from './calls.ts'
import type { Me } from './contexts.ts'
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
  /** The rule that is broken when the act of another caller affects it, if that is another one. */
  readonly ofOthers?: RuleId
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

/** Who owns the thing, and who does something to another of its kind. */
export interface Callers {
  readonly owner: Me
  readonly actor: Me
}

/**
 * Performs every act on one thing of a kind, and expects each time that another one is unchanged.
 * @param callers one caller for both things when absent
 */
export const expectUntouched = async (
  kind: Kind,
  fixtures: Fixtures,
  callers?: Callers,
): Promise<void> => {
  const { api, login, another, invoice, rng, target } = fixtures
  const owner = callers?.owner ?? (await login())
  const actor = callers?.actor ?? owner
  const stageOf = (me: Me) => {
    const again: typeof login = (options) => login({ context: me.context, ...options })
    return createStage({ me, api, login: again, another, invoice, rng, target })
  }
  const stage = stageOf(owner)
  const beside = actor === owner ? stage : stageOf(actor)
  for (const operation of offered(...kind.acts)) {
    const ready = await calls[operation](beside)
    const { look, use } = await kind.make(stage, { operation, by: ready.by ?? owner.api })
    const before = await look?.()
    expect(await perform(actor.api, operation, ready), 'what is done beside it').toBeOk()
    await owner.api.sleep(settling)
    const after = await look?.().catch(orLost)
    expect(after, `after ${operation}`).toEqual(before)
    await use?.()
  }
}
