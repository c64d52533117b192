import fc from 'fast-check'
import { Inconclusive } from '../../lib/outcome.ts'
import { auditAll } from './audit.ts'
import { auditEverything } from './audit-found.ts'
import { createChoices } from './choices.ts'
import type { Choices } from './choices.ts'
import type { ModelCommand } from './command.ts'
import { commands } from './commands.ts'
import { Divergence } from './divergence.ts'
import { minimize } from './minimize.ts'
import type { ModelRule } from './rules.ts'
import { settleAll } from './settling.ts'
import { emptyModel } from './state.ts'
import { divergenceOf } from './unreached.ts'
import type { World } from './world.ts'

/** How to reproduce a failing sequence: its place among those of the seed, and which of its commands run. */
export interface ReplayPath {
  readonly sequence: number
  readonly commands: readonly number[]
}

export interface ExploreOptions {
  /** int32. */
  readonly seed: number
  /** Maximum number of sequences. */
  readonly sequences: number
  /** Maximum number of sequences to shrink one failure. No limit is a time, so a seed shows the same anywhere. */
  readonly shrinks: number
  /** Maximum number of steps in a sequence. */
  readonly steps: number
  /** A target at which nothing has happened yet. */
  readonly open: () => Promise<World>
  /** Failures to look for, each under another rule. */
  readonly failures?: number
  /** Runs only this failing sequence, again. */
  readonly replay?: ReplayPath
}

/** A divergence, and the shortest sequence that was found to lead to it. */
export interface Finding {
  readonly divergence: Divergence
  readonly steps: readonly string[]
  readonly seed: number
  readonly replay: ReplayPath
}

/** What was run and compared so far. */
interface Tally {
  /** Sequences that were run, including those of shrinking; steps of all of them. */
  sequences: number
  steps: number
  /** How often each rule was compared. */
  readonly judged: Map<ModelRule, number>
  /** Sequences that ended early because a precondition was not reached, and the last reason. */
  cutShort: number
  reason: string | undefined
}

export interface Exploration extends Readonly<Tally> {
  readonly findings: readonly Finding[]
}

type Sequence = readonly ModelCommand[]

/** A run that ended in a divergence. */
interface Failure {
  readonly divergence: Divergence
  readonly steps: readonly string[]
  /** Places of the commands that were run. */
  readonly made: readonly number[]
  readonly choices: ReadonlyMap<string, string>
}

/** The chosen commands of a sequence, each reporting its place to `choices`. */
const watched = (
  sequence: Sequence,
  chosen: readonly number[],
  choices: Choices,
  made: number[],
): ModelCommand[] =>
  chosen.flatMap((place) => {
    const command = sequence[place]
    if (command === undefined) return []
    return [
      {
        check(state) {
          choices.begin(place)
          return command.check(state)
        },
        async run(state, real) {
          made.push(place)
          choices.begin(place)
          await command.run(state, real)
          choices.note(state)
        },
        toString: String,
      },
    ]
  })

/**
 * Runs the chosen commands of a sequence at a new target.
 * @param before choices of an earlier run of the sequence, to be repeated
 */
async function run(
  open: ExploreOptions['open'],
  tally: Tally,
  sequence: Sequence,
  chosen: readonly number[],
  before?: ReadonlyMap<string, string>,
): Promise<Failure | undefined> {
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
  try {
    const steps = watched(sequence, chosen, choices, made)
    await fc.asyncModelRun(() => ({ model, real: world }), steps)
    await settleAll(model, world)
    await auditAll(model, world)
    await auditEverything(model, world)
  } catch (error) {
    const divergence = error instanceof Inconclusive ? divergenceOf(world, error) : error
    if (divergence instanceof Divergence)
      return { divergence, steps: [...world.steps], made, choices: choices.made }
    // What is neither a divergence nor a missing precondition is a fault of the tool.
    if (!(error instanceof Inconclusive)) throw error
    tally.cutShort += 1
    tally.reason = error.message
  } finally {
    tally.sequences += 1
    tally.steps += world.steps.length
    for (const [rule, times] of world.judged)
      tally.judged.set(rule, (tally.judged.get(rule) ?? 0) + times)
  }
  return undefined
}

/**
 * Runs sequences of commands at a target and compares it with the model after every step. A divergence is shrunk to
 * a short sequence; then the search continues for divergences under other rules.
 */
export const explore = async (options: ExploreOptions): Promise<Exploration> => {
  const { seed, open, replay, failures = 3 } = options
  const tally: Tally = { sequences: 0, steps: 0, judged: new Map(), cutShort: 0, reason: undefined }
  const findings: Finding[] = []
  const drawn = fc.sample(fc.commands(commands(), { maxCommands: options.steps, size: 'max' }), {
    seed,
    numRuns: replay === undefined ? options.sequences : replay.sequence + 1,
  })
  for (const [place, iterable] of drawn.entries()) {
    if (findings.length >= failures) break
    if (replay !== undefined && place !== replay.sequence) continue
    const sequence: Sequence = [...iterable]
    const whole = await run(open, tally, sequence, [...sequence.keys()])
    if (whole === undefined) continue
    const again = (fewer: readonly number[]) => run(open, tally, sequence, fewer, whole.choices)
    const first = replay === undefined ? whole : await again(replay.commands)
    const rule = first?.divergence.rule
    if (first === undefined || findings.some(({ divergence }) => divergence.rule === rule)) continue
    const shortest =
      replay !== undefined
        ? first
        : await minimize(first, options.shrinks, async (fewer) => {
            const seen = await again(fewer)
            // A shorter sequence that fails under another rule is not the same failure.
            return seen?.divergence.rule === rule ? seen : undefined
          })
    const { divergence, steps, made } = shortest
    findings.push({ divergence, steps, seed, replay: { sequence: place, commands: made } })
  }
  return { findings, ...tally }
}
