import type { Thresholds } from '../../lib/windows.ts'
import { spans, thresholdKeys } from '../probes/job.ts'
import type { WindowName } from '../probes/job.ts'
import type { ExperimentId, Observation } from './experiments.ts'
import { models, replay } from './models.ts'
import type { ModelId, Span } from './models.ts'

export type LimiterId = ModelId | 'concurrency-cap' | 'none' | 'replicas'

/** Which limiter a window has. */
export interface Identified {
  readonly window: WindowName
  readonly limiter: LimiterId
  /** Numbers of the limiter, for example `{ calls: 10, windowMs: 1000 }`. */
  readonly parameters: Readonly<Record<string, number>>
  /** From 0 to 1: how much better it explains the experiments than the next best limiter. */
  readonly confidence: number
  /** Mean difference between predicted and passed calls, as a fraction of the limit; 0 when all is explained. */
  readonly error: number
}

type Calls = Observation['calls']

const passedOf = (calls: Calls): number => calls.filter(([, passed]) => passed).length

/** Calls that passed after a call of the same experiment was refused. */
const passedAfterRefusal = (passed: readonly boolean[]): number => {
  const refused = passed.indexOf(false)
  return refused < 0 ? 0 : passed.slice(refused).filter(Boolean).length
}

const windowsOf = (
  window: WindowName,
  thresholds: Required<Thresholds>,
  own: Span,
): readonly Span[] =>
  (Object.keys(spans) as WindowName[]).map((name) =>
    name === window ? own : { ms: spans[name], calls: thresholds[thresholdKeys[name]] },
  )

/** Mean difference between what a limiter would let through and what passed. */
const errorOf = (
  model: ModelId,
  windows: readonly Span[],
  observations: readonly Observation[],
  maximum: number,
): number => {
  const errors = observations.map(({ calls }) => {
    const predicted = replay(
      model,
      windows,
      calls.map(([at]) => at),
    )
    return Math.abs(predicted.filter(Boolean).length - passedOf(calls)) / maximum
  })
  return errors.reduce((sum, error) => sum + error, 0) / Math.max(1, errors.length)
}

/** Lengths of the window to try, as fractions of the one in the contract. */
const lengths = [1, 0.5] as const

interface Candidate {
  readonly model: ModelId
  readonly own: Span
  readonly error: number
}

const candidatesOf = (
  window: WindowName,
  thresholds: Required<Thresholds>,
  observations: readonly Observation[],
  burst: number,
): readonly Candidate[] => {
  const maximum = thresholds[thresholdKeys[window]]
  const numbers = [...new Set([maximum, burst])].filter((calls) => calls > 0)
  return (Object.keys(models) as ModelId[])
    .flatMap((model) =>
      lengths.flatMap((part) =>
        numbers.map((calls) => {
          const own = { ms: spans[window] * part, calls }
          const windows = windowsOf(window, thresholds, own)
          return { model, own, error: errorOf(model, windows, observations, maximum) }
        }),
      ),
    )
    .toSorted((a, b) => a.error - b.error)
}

/** Names the limiter of a window from what the experiments saw. */
export const classify = (
  window: WindowName,
  thresholds: Required<Thresholds>,
  observations: readonly Observation[],
): Identified => {
  const maximum = thresholds[thresholdKeys[window]]
  const own = observations.filter((one) => one.window === window)
  const callsOf = (id: ExperimentId): Calls =>
    own.find(({ experiment }) => experiment === id)?.calls ?? []
  const burst = passedOf(callsOf('burst'))
  const turn = callsOf('in-turn')
  const sure = { window, confidence: 1, error: 0 }

  const inTurn = passedOf(turn)
  if (burst === callsOf('burst').length && (turn.length === 0 || inTurn === turn.length))
    return { ...sure, limiter: 'none', parameters: {} }
  if (turn.length > 0 && inTurn === turn.length)
    return { ...sure, limiter: 'concurrency-cap', parameters: { simultaneous: burst } }

  const single = own.filter(({ experiment }) => experiment !== 'in-turn')
  const candidates = candidatesOf(window, thresholds, single, burst)
  const [best] = candidates
  if (best === undefined) throw new Error('there is no limiter to compare with')
  const rival = candidates.find(({ model }) => model !== best.model)
  const explained = replay(
    best.model,
    windowsOf(window, thresholds, best.own),
    turn.map(([at]) => at),
  )
  const surplus =
    passedAfterRefusal(turn.map(([, passed]) => passed)) - passedAfterRefusal(explained)
  // A single counter lets nothing through after a refusal, unless time has passed; and it explains every experiment.
  if ((surplus >= 1 || best.error > 0.01) && inTurn >= 1.5 * maximum)
    return {
      window,
      limiter: 'replicas',
      parameters: { replicas: Math.max(2, Math.round(inTurn / maximum)), calls: maximum },
      confidence: Math.min(1, (inTurn - maximum) / maximum),
      error: 0,
    }
  const other = rival?.error ?? 1
  return {
    window,
    limiter: best.model,
    parameters: { calls: best.own.calls, windowMs: best.own.ms },
    confidence: other === 0 ? 0 : (other - best.error) / (other + best.error),
    error: best.error,
  }
}
