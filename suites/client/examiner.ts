import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { performance } from 'node:perf_hooks'
import type { Dialect } from '../../contract/dialect.ts'
import { rngFor } from '../../lib/random.ts'
import type { Condition } from './conditions/condition.ts'
import type { Driver } from './driver.ts'
import type { History, HistoryEvent, Step } from './history.ts'
import { notInTime } from './history.ts'
import { judgeHistory, needsTime } from './judge.ts'
import type { Manners } from './manners.ts'
import { mannersOf } from './manners.ts'
import type { Opinion } from './opinion.ts'
import type { Ordeal } from './ordeal.ts'
import { overloaded, watchStalls } from './pressure.ts'
import { openStage } from './stage.ts'
import { createWorld } from './world.ts'

/** Runs one ordeal: a fresh service, the conditions before it, the client, and the judge over what happened. */

export interface OrdealResult {
  readonly id: string
  readonly title: string
  readonly seed: number
  readonly conditions: readonly Condition[]
  readonly opinions: readonly Opinion[]
  readonly history: History
  readonly manners: Manners
  readonly ms: number
  /** The longest time for which the examiner itself was stalled, ms: a measure of how busy the machine was. */
  readonly stallMs: number
  /** Why there is no verdict: the client never called, or the machine was overloaded. */
  readonly inconclusive?: string | undefined
  /** How each run of the client ended, and the end of its standard error. */
  readonly ends: readonly string[]
}

export interface ExamineOptions {
  /** How the client is run. */
  readonly drive: Driver
  readonly dialect: Dialect
  readonly seed: number
  /** The whole time that a client has for one ordeal, ms; 58 s when absent. */
  readonly deadline?: number | undefined
  readonly onStep?: ((step: Step) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

const defaultDeadline = 58_000

/** How often an ordeal is run when the machine was too busy for its verdict. */
const attempts = 2

export async function runOrdeal(
  id: string,
  ordeal: Ordeal,
  options: ExamineOptions,
): Promise<OrdealResult> {
  for (let attempt = 1; ; attempt += 1) {
    const stalls = watchStalls()
    const once = await runOnce(id, ordeal, options)
    const result = { ...once, stallMs: stalls() }
    if (result.stallMs < overloaded || !result.opinions.some(needsTime)) return result
    if (attempt === attempts || options.signal?.aborted === true) return withheld(result)
  }
}

/** A result without the convictions that an overloaded machine may have caused. */
const withheld = (result: OrdealResult): OrdealResult => ({
  ...result,
  opinions: result.opinions.filter((opinion) => !needsTime(opinion)),
  inconclusive: `the machine was overloaded: it stopped the examiner for ${(result.stallMs / 1000).toFixed(1)} s. Run the ordeal again with --workers 1`,
})

async function runOnce(
  id: string,
  ordeal: Ordeal,
  options: ExamineOptions,
): Promise<Omit<OrdealResult, 'stallMs'>> {
  const begun = performance.now()
  const { deadline = defaultDeadline } = options
  const draw = rngFor({ seed: options.seed, rule: ordeal.rules[0], variant: id })
  const seed = draw.int32()
  const conditions = ordeal.conditions?.(draw) ?? []
  const described = { id, title: ordeal.title, seed, conditions }
  const folder = mkdtempSync(path.join(tmpdir(), `assay-${id}-`))
  const world = await createWorld(options.dialect, ordeal, seed)
  const ms = () => Math.round(performance.now() - begun)
  try {
    const stage = await openStage({ ...options, ordeal, seed, conditions, folder, world })
    try {
      const ends = await options.drive(stage, {
        runs: ordeal.runs ?? 1,
        until: performance.now() + deadline,
        signal: options.signal,
      })
      const history = await stage.history()
      const { steps } = history
      return {
        ...described,
        history,
        opinions: isSilent(history) ? [] : judgeHistory(history),
        manners: mannersOf(steps),
        ms: ms(),
        ends,
        ...withoutVerdict(history, ends, deadline),
      }
    } finally {
      await stage.close()
    }
  } catch (error) {
    // One ordeal that cannot be set up says nothing about the client, and nothing about the other ordeals.
    return {
      ...described,
      opinions: [],
      history: { source: 'journal', steps: [], events: [] },
      manners: mannersOf([]),
      ms: ms(),
      inconclusive: `the ordeal itself failed: ${error instanceof Error ? error.message : String(error)}`,
      ends: [],
    }
  } finally {
    await world.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const hasEnded = ({ kind, words }: HistoryEvent): boolean =>
  kind === 'client-ended' && words.startsWith('exit')

/** No call arrived. The exception is a client that gave up while the service refused connections. */
const isSilent = ({ steps, events, listensAfterMs }: History): boolean =>
  steps.length === 0 &&
  !(listensAfterMs !== undefined && events.some((one) => hasEnded(one) && one.at < listensAfterMs))

/** Why an ordeal has no verdict, where it has none. */
function withoutVerdict(
  history: History,
  ends: readonly string[],
  deadline: number,
): { inconclusive?: string } {
  if (isSilent(history))
    return { inconclusive: `the client made no call (${ends.at(-1) ?? 'it was not started'})` }
  if (history.events.some(({ words }) => words === notInTime))
    return { inconclusive: `the client did not end within ${deadline / 1000} s` }
  return {}
}
