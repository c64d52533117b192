import { createWindows } from '../../lib/windows.ts'
import type { Windows } from '../../lib/windows.ts'
import type { Answer, Bench } from './bench.ts'
import { countLimited, isLimited, marginOf } from './bench.ts'
import { spans } from './job.ts'
import type { Subject, WindowName } from './job.ts'

/** Calls against one row, beside the exact oracle of what the row lets through. */
export interface Rated {
  /** Counts each call at its latest possible time, when its answer had arrived: room here is certain room. */
  readonly windows: Windows
  /** Until when the row certainly has no room: counts each call at its earliest possible time, when it left. */
  readonly fullUntil: () => number
  /** Simultaneous calls; those that pass count. */
  readonly call: (count: number) => Promise<readonly Answer[]>
  /** As many simultaneous calls as the row lets through now. */
  readonly takeAll: () => Promise<readonly Answer[]>
  /**
   * Calls as early as the row lets them through, until one window is full and the shorter ones have room again: the
   * next call exceeds that window alone. Stops at the first refusal.
   */
  readonly fill: (window: WindowName) => Promise<readonly Answer[]>
}

/** How long the shorter windows take to empty. */
const settleMs: Readonly<Record<WindowName, number>> = { second: 0, minute: 1000, hour: 60_000 }

export const createRated = (bench: Bench, { call, thresholds, already }: Subject): Rated => {
  const windows = createWindows(thresholds)
  const early = createWindows(thresholds)
  for (const [begun, ended] of already) {
    early.count(begun)
    windows.count(ended)
  }

  const send = async (count: number): Promise<readonly Answer[]> => {
    const answers = await bench.burst(call, count)
    for (const answer of answers.filter((one) => !isLimited(one))) {
      early.count(answer.begun)
      windows.count(answer.ended)
    }
    return answers
  }
  const takeAll = async (): Promise<readonly Answer[]> => {
    const now = bench.now()
    let room = 0
    while (windows.admit(now)) room += 1
    // The places were taken only to count them.
    for (let place = 0; place < room; place += 1) windows.forget(now)
    return room === 0 ? [] : send(room)
  }
  return {
    windows,
    fullUntil: () => early.nextFree(bench.now()),
    call: send,
    takeAll,
    async fill(window) {
      const answers: Answer[] = []
      for (;;) {
        const excess = windows.exceeded(bench.now())
        if (excess === undefined) {
          const taken = await takeAll()
          answers.push(...taken)
          if (countLimited(taken) > 0) return answers
        } else if (excess.window === window) {
          if (settleMs[window] > 0)
            await bench.until(bench.now() + settleMs[window] + marginOf(bench))
          return answers
        } else {
          // A longer window has to be empty, or it may stay full after the one under test.
          const longer = spans[excess.window] > spans[window]
          const free = longer ? bench.now() + spans[excess.window] : excess.until
          await bench.until(free + marginOf(bench))
        }
      }
    },
  }
}
