import type { OperationId } from '../../../contract/endpoints.ts'
import type { RuleId } from '../../../contract/rules.ts'
import type { Client } from '../../../lib/client.ts'
import { Inconclusive } from '../../../lib/outcome.ts'
import { calls, perform } from './calls.ts'
import type { Me } from '../service/contexts.ts'
import type { Fixtures } from '../harness/fixtures.ts'
import { offered } from '../service/offered.ts'
import { createStage } from '../callers/stage.ts'
import type { Stage } from '../callers/stage.ts'
import { expect } from '../judging/matchers.ts'

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

/** Expects that something that is done beside a thing leaves it as it was. */
const expectAsBefore = async (
  { look, use }: Neighbour,
  { sleep }: Client,
  what: string,
  act: () => Promise<unknown>,
): Promise<void> => {
  const before = await look?.()
  await act()
  await sleep(settling)
  const after = await look?.().catch(orLost)
  expect(after, `after ${what}`).toEqual(before)
  await use?.()
}

const stageOf = (me: Me, { api, login, another, invoice, rng, target }: Fixtures): Stage => {
  const again: typeof login = (options) => login({ context: me.context, ...options })
  return createStage({ me, api, login: again, another, invoice, rng, target })
}

/** Has one thing after another fail beside a new thing of a kind, which is unchanged each time. */
export const expectUnharmed = async (
  make: (stage: Stage) => Promise<Neighbour>,
  failures: Readonly<Record<string, (stage: Stage) => Promise<unknown>>>,
  fixtures: Fixtures,
): Promise<void> => {
  const stage = stageOf(await fixtures.login(), fixtures)
  for (const [what, fail] of Object.entries(failures))
    await expectAsBefore(await make(stage), stage.me.api, what, () => fail(stage))
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
  const owner = callers?.owner ?? (await fixtures.login())
  const actor = callers?.actor ?? owner
  const stage = stageOf(owner, fixtures)
  const beside = actor === owner ? stage : stageOf(actor, fixtures)
  for (const operation of offered(...kind.acts)) {
    const ready = await calls[operation](beside)
    const thing = await kind.make(stage, { operation, by: ready.by ?? owner.api })
    await expectAsBefore(thing, owner.api, operation, async () =>
      expect(await perform(actor.api, operation, ready), 'what is done beside it').toBeOk(),
    )
  }
}
