import fc from 'fast-check'
import { Inconclusive } from '../../lib/outcome.ts'
import { auditAll } from './audit.ts'
import { createChoices } from './choices.ts'
import type { ModelCommand } from './command.ts'
import { commands } from './commands.ts'
import { Divergence } from './divergence.ts'
import { minimize } from './minimize.ts'
import type { ModelRule } from './rules.ts'
import { settleAll } from './settling.ts'
import { emptyModel } from './state.ts'
import { divergenceOf } from './unreached.ts'
import type { World } from './world.ts'

/** Where a failing sequence is found again: its place among those of the seed, and which of its commands are made. */
export interface ReplayPath {
  readonly sequence: number
  readonly commands: readonly number[]
}

export interface ExploreOptions {
  /** int32. */
  readonly seed: number
  /** Sequences at most. */
  readonly sequences: number
  /** Sequences of shrinking one failure at most. No limit here is one of time, so that a seed shows the same anywhere. */
  readonly shrinks: number
  /** Steps of a sequence at most. */
  readonly steps: number
  /** A target at which nothing has happened yet. */
  readonly open: () => Promise<World>
  /** Failures to look for, each under another rule. */
  readonly failures?: number
  /** Makes one failing sequence again. */
  readonly replay?: ReplayPath
}

/** A divergence, and the shortest sequence that was found to lead to it. */
export interface Finding {
  readonly divergence: Divergence
  readonly steps: readonly string[]
  readonly seed: number
  readonly replay: ReplayPath
}

export interface Exploration {
  readonly findings: readonly Finding[]
  /** Sequences that were made, those of shrinking among them; steps of all. */
  readonly sequences: number
  readonly steps: number
  /** How often each rule was compared. */
  readonly judged: ReadonlyMap<ModelRule, number>
  /** Sequences that came to no end, because a precondition was not reached, and the last reason. */
  readonly cutShort: number
  readonly reason: string | undefined
}

type Sequence = readonly ModelCommand[]

/**
 * Makes sequences of commands at a target and compares it with the model after every step. A divergence is shrunk to
 * a short sequence; then the search goes on for those under other rules.
 */
export const explore = async (options: ExploreOptions): Promise<Exploration> => {
  const { seed, open, replay, failures = 3 } = options
  const judged = new Map<ModelRule, number>()
  const findings: Finding[] = []
  const counted = { sequences: 0, steps: 0, cutShort: 0 }
  let reason: string | undefined

  const run = async (
    sequence: Sequence,
    chosen: readonly number[],
    before?: ReadonlyMap<string, string>,
  ) => {
    const world = await open()
    const choices = createChoices(before)
    const model = emptyModel({
      now: world.client.now(),
      clock: world.advance !== undefined,
      contexts: world.owners.length,
      person: world.visitor !== undefined,
      choices,
    })
    choices.note(model)
    const made: number[] = []
    const steps = chosen.flatMap((place) => {
      const one = sequence[place]
      if (one === undefined) return []
      const watched: ModelCommand = {
        check(state) {
          choices.begin(place)
          return one.check(state)
        },
        async run(state, real) {
          made.push(place)
          choices.begin(place)
          await one.run(state, real)
          choices.note(state)
        },
        toString: String,
      }
      return [watched]
    })
    try {
      await fc.asyncModelRun(() => ({ model, real: world }), steps)
      await settleAll(model, world)
      await auditAll(model, world)
    } catch (error) {
      const divergence = error instanceof Inconclusive ? divergenceOf(world, error) : error
      if (divergence instanceof Divergence)
        return { divergence, steps: [...world.steps], made, choices: choices.made }
      // What is neither a divergence nor a missing precondition is a fault of the tool.
      if (!(error instanceof Inconclusive)) throw error
      counted.cutShort += 1
      reason = error.message
    } finally {
      counted.sequences += 1
      counted.steps += world.steps.length
      for (const [rule, times] of world.judged) judged.set(rule, (judged.get(rule) ?? 0) + times)
    }
    return undefined
  }

  const drawn = fc.sample(fc.commands(commands(), { maxCommands: options.steps, size: 'max' }), {
    seed,
    numRuns: replay === undefined ? options.sequences : replay.sequence + 1,
  })
  for (const [place, iterable] of drawn.entries()) {
    if (findings.length >= failures) break
    if (replay !== undefined && place !== replay.sequence) continue
    const sequence: Sequence = [...iterable]
    const whole = await run(sequence, [...sequence.keys()])
    if (whole === undefined) continue
    const again = (fewer: readonly number[]) => run(sequence, fewer, whole.choices)
    const first = replay === undefined ? whole : await again(replay.commands)
    const rule = first?.divergence.rule
    if (first === undefined || findings.some(({ divergence }) => divergence.rule === rule)) continue
    const shortest =
      replay !== undefined
        ? first
        : await minimize(first, options.shrinks, async (fewer) => {
            const seen = await again(fewer)
            // A shorter sequence that goes wrong otherwise is not the same failure.
            return seen?.divergence.rule === rule ? seen : undefined
          })
    const { divergence, steps, made } = shortest
    findings.push({ divergence, steps, seed, replay: { sequence: place, commands: made } })
  }
  return { findings, ...counted, judged, reason }
}
