import type fc from 'fast-check'
import { audit } from './audit.ts'
import type { Model } from './state.ts'
import type { World } from './world.ts'

export type ModelCommand = fc.AsyncCommand<Model, World>

/** One kind of step. */
export interface Plan<Found> {
  /** The step in a report where it was never run. */
  readonly name: string
  /** What the step needs from the state of the model; undefined when the step is not allowed. */
  readonly find: (model: Readonly<Model>) => Found | undefined
  /** The step in words. */
  readonly says: (model: Readonly<Model>, found: Found) => string
  /** Acts on the target, moves the model on, and compares the two. */
  readonly act: (model: Model, world: World, found: Found) => Promise<void>
}

/** A command of fast-check: its precondition, action with comparison, and text; then the audit of every step. */
export const command = <Found>({ name, find, says, act }: Plan<Found>): ModelCommand => {
  let said = name
  return {
    check: (model) => find(model) !== undefined,
    async run(model, world) {
      model.now = world.client.now()
      // Where time passes by itself, the precondition can have changed since it was checked.
      const found = find(model)
      if (found === undefined) return
      said = says(model, found)
      world.steps.push(said)
      await act(model, world, found)
      model.now = world.client.now()
      await audit(model, world)
    },
    toString: () => said,
  }
}

/** A piece of the model as a report names it, for example `invoice 2`. */
export const named = <T>(what: string, all: readonly T[], one: T): string =>
  `${what} ${all.indexOf(one) + 1}`
