import type { Thresholds } from '../../lib/windows.ts'
import { createWindows } from '../../lib/windows.ts'
import type { Answer, Bench } from '../probes/bench.ts'
import { countLimited, isLimited, marginOf } from '../probes/bench.ts'
import { spans, thresholdKeys } from '../probes/job.ts'
import type { Subject, WindowName } from '../probes/job.ts'

/**
 * Experiments that distinguish limiters. Each begins with empty windows and ends at its first refusals, so that a block
 * which a refusal starts disturbs none of them.
 */

/** What one experiment saw. */
export interface Observation {
  readonly experiment: ExperimentId
  readonly window: WindowName
  /** Each call in order: when it was made (ms of the target's clock), and whether it passed. */
  readonly calls: readonly (readonly [at: number, passed: boolean])[]
}

interface Scene {
  readonly bench: Bench
  readonly subject: Subject
  readonly window: WindowName
  readonly span: number
  readonly maximum: number
  /** The longest interval between calls that are spaced evenly within every window, ms. */
  readonly interval: number
  /** Waits until the clock shows this part of the window, when it has changed. */
  readonly phase: (part: number) => Promise<void>
  /** Up to `count` calls as fast as the shorter windows let them through, until one is refused. */
  readonly volley: (count: number) => Promise<boolean>
}

/** Shorter windows than the one under test: they limit how fast a volley may go. */
const shorter = (window: WindowName, { perSecond, perMinute }: Required<Thresholds>): Thresholds =>
  window === 'second' ? {} : window === 'minute' ? { perSecond } : { perSecond, perMinute }

const pairAfter =
  (parts: number) =>
  async ({ bench, span, phase, volley }: Scene): Promise<void> => {
    await phase(0.1)
    const begun = bench.now()
    if (!(await volley(1))) return
    await bench.until(begun + parts * span)
    await volley(1)
  }

export const experiments = {
  /** How many concurrent calls pass, from empty windows. */
  burst: async ({ phase, volley, maximum }) => {
    await phase(0.1)
    await volley(2 * maximum + 2)
  },
  /** Filled late in a window of the clock: is there room early in the next? */
  'across-the-boundary': async ({ bench, span, phase, volley, maximum }) => {
    await phase(0.75)
    const begun = bench.now()
    if (await volley(maximum)) await bench.until(begun + span / 2)
    await volley(2 * maximum + 2)
  },
  /** One call, the others half a window later: how many places are free when the first call leaves? */
  staggered: async ({ bench, span, phase, volley, maximum }) => {
    await phase(0.25)
    const begun = bench.now()
    if (!(await volley(1))) return
    await bench.until(begun + span / 2)
    if (!(await volley(maximum - 1))) return
    await bench.until(begun + span + marginOf(bench) / 2)
    await volley(2 * maximum + 2)
  },
  /** Filled: is there room again half a window later, in the same window of the clock? */
  'half-a-window': async ({ bench, span, phase, volley, maximum }) => {
    await phase(0.1)
    const begun = bench.now()
    if (!(await volley(maximum))) return
    await bench.until(begun + span / 2)
    await volley(2 * maximum + 2)
  },
  /** Filled: how much room is there one whole window later? */
  'whole-window': async ({ bench, span, phase, volley, maximum }) => {
    await phase(0.6)
    if (!(await volley(maximum))) return
    await bench.until(bench.now() + span + marginOf(bench))
    await volley(2 * maximum + 2)
  },
  /** Calls at even intervals, as slow as the slowest window requires. */
  spaced: async ({ bench, interval, phase, volley, maximum }) => {
    await phase(0.1)
    const begun = bench.now()
    for (let call = 0; call < Math.min(maximum, 8); call += 1) {
      await bench.until(begun + 1.02 * call * interval)
      if (!(await volley(1))) return
    }
  },
  /** One call, then another when it has left the window: does a longer interval hold? */
  'window-later': pairAfter(1.2),
  'two-windows-later': pairAfter(2.2),
  /** One call after the other, many more than pass. */
  'in-turn': async ({ bench, subject, phase, maximum }) => {
    await phase(0.1)
    for (let call = 0; call < 4 * maximum + 4; call += 1) await bench.burst(subject.call, 1)
  },
} as const satisfies Record<string, (scene: Scene) => Promise<unknown>>

export type ExperimentId = keyof typeof experiments

/** Milliseconds without a call after which no limiter remembers any, and no block holds. */
const restOf = (bench: Bench, window: WindowName, lastWait: number): number =>
  bench.virtual ? spans.hour + spans.minute : 2 * spans[window] + lastWait * 1000 + 500

/** Carries out every experiment for one window of one row. */
export const observe = async (
  bench: Bench,
  subject: Subject,
  window: WindowName,
  chosen: readonly ExperimentId[] = experimentsOf(window),
): Promise<readonly Observation[]> => {
  const observations: Observation[] = []
  for (const experiment of chosen) {
    const answers: Answer[] = []
    const recorded: Bench = {
      virtual: bench.virtual,
      now: () => bench.now(),
      until: (instant) => bench.until(instant),
      async burst(call, count) {
        const given = await bench.burst(call, count)
        answers.push(...given)
        return given
      },
    }
    await experiments[experiment](sceneOf(recorded, subject, window))
    observations.push({
      experiment,
      window,
      calls: answers.map((answer) => [answer.begun, !isLimited(answer)] as const),
    })
    const longest = Math.max(0, ...answers.map(({ retryAfter }) => retryAfter ?? 0))
    await bench.until(bench.now() + restOf(bench, window, longest))
  }
  return observations
}

/** Calls in turn show nothing more about the longer windows. */
const experimentsOf = (window: WindowName): readonly ExperimentId[] =>
  (Object.keys(experiments) as ExperimentId[]).filter(
    (id) => window === 'second' || id !== 'in-turn',
  )

const allWindows = Object.keys(spans) as WindowName[]

const sceneOf = (bench: Bench, subject: Subject, window: WindowName): Scene => {
  const { thresholds, call } = subject
  const span = spans[window]
  const windows = bench.virtual || window === 'hour' ? allWindows : allWindows.slice(0, -1)
  const pace = createWindows(shorter(window, thresholds))
  return {
    bench,
    subject,
    window,
    span,
    maximum: thresholds[thresholdKeys[window]],
    interval: Math.max(...windows.map((name) => spans[name] / thresholds[thresholdKeys[name]])),
    phase: (part) => bench.until(Math.ceil(bench.now() / span) * span + span * part),
    async volley(count) {
      for (let left = count; left > 0;) {
        await bench.until(
          pace.nextFree(bench.now()) + (pace.free(bench.now()) ? 0 : marginOf(bench)),
        )
        const now = bench.now()
        let room = 0
        while (room < left && pace.admit(now)) room += 1
        const answers = await bench.burst(call, room)
        if (countLimited(answers) > 0) return false
        left -= room
      }
      return true
    },
  }
}
