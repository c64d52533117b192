import fc from 'fast-check'
import { Inconclusive } from '../../lib/outcome.ts'
import { auditAll } from './audit.ts'
import { commands } from './commands.ts'
import { Divergence } from './divergence.ts'
import type { ModelRule } from './rules.ts'
import { settleAll } from './settling.ts'
import { emptyModel } from './state.ts'
import type { World } from './world.ts'

/** Where a failing sequence is found again: fast-check's path, and which of its commands were run. */
export interface ReplayPath {
  readonly path: string
  readonly commands: string
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

interface Failure {
  readonly divergence: Divergence
  readonly steps: readonly string[]
}

const commandsPath = (counterexample: unknown): string =>
  /replayPath="([^"]*)"/.exec(fc.stringify(counterexample))?.[1] ?? ''

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

  const runSequence = async (
    sequence: Iterable<fc.AsyncCommand<ReturnType<typeof emptyModel>, World>>,
  ) => {
    const world = await open()
    const model = emptyModel({
      now: world.client.now(),
      clock: world.advance !== undefined,
      contexts: world.owners.length,
      person: world.visitor !== undefined,
    })
    try {
      await fc.asyncModelRun(() => ({ model, real: world }), sequence)
      await settleAll(model, world)
      await auditAll(model, world)
    } catch (error) {
      if (error instanceof Divergence) return { divergence: error, steps: [...world.steps] }
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

  while (findings.length < failures) {
    const known = new Set(findings.map(({ divergence }) => divergence.rule))
    const shortest: { failure?: Failure } = {}
    let shrunk = 0
    const property = fc.asyncProperty(
      fc.commands(commands(), {
        maxCommands: options.steps,
        size: 'max',
        ...(replay === undefined ? {} : { replayPath: replay.commands }),
      }),
      async (sequence) => {
        if (shortest.failure !== undefined && ++shrunk > options.shrinks) return
        const seen = await runSequence(sequence)
        if (seen === undefined || known.has(seen.divergence.rule)) return
        // A shorter sequence that goes wrong otherwise is not the same failure.
        const { failure } = shortest
        if (failure !== undefined && failure.divergence.rule !== seen.divergence.rule) return
        shortest.failure = seen
        throw seen.divergence
      },
    )
    const left = Math.max(1, options.sequences - counted.sequences)
    const details = await fc.check(property, {
      seed,
      numRuns: replay === undefined ? left : 1,
      ...(replay === undefined ? {} : { path: replay.path }),
    })
    const { failure } = shortest
    if (!details.failed || failure === undefined) {
      // What is neither a divergence nor a missing precondition is a fault of the tool.
      if (details.failed) throw details.errorInstance
      break
    }
    findings.push({
      ...failure,
      seed,
      replay: {
        path: details.counterexamplePath ?? '',
        commands: commandsPath(details.counterexample?.[0]),
      },
    })
    if (replay !== undefined || counted.sequences >= options.sequences) break
  }
  return { findings, ...counted, judged, reason }
}
