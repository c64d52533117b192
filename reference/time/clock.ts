/**
 * The one clock of the service, with its schedule. Everything that expires or happens later reads this clock, so
 * setting it moves the whole service.
 */

import type { Instant } from '../base/instants.ts'
import { asInstant } from '../base/instants.ts'
import type { Work } from './queue.ts'
import { createQueue } from './queue.ts'
import type { PresentOptions } from './present.ts'
import { createPresent } from './present.ts'

/** Methods, not getters: V8 keeps an object that has own getters as a dictionary, which is slow to read. */
export interface Clock {
  /** The service's own time. */
  now(): Instant
  isFrozen(): boolean
  /** Runs `work` when the service's time reaches `due`; equal instants run in the order of their scheduling. */
  at(due: Instant, work: Work): void
  /**
   * Sets the clock to an instant; work that falls due on the way runs at its own instant, one after the other.
   * @throws {RangeError} when it is not a whole number of milliseconds between 2000 and 2199
   */
  set(to: Instant): Promise<void>
  /**
   * Moves the clock forward by milliseconds, rounded up so that no wait is too short.
   * @throws {RangeError} when negative, not a number, or leading beyond 2199
   */
  advance(ms: number): Promise<void>
  freeze(on: boolean): void
  /** Runs what is due now; resolves when nothing due is left. */
  settle(): Promise<void>
  /** Whether work has fallen due that has not run yet. */
  isDue(): boolean
  /** Number of scheduled pieces of work. */
  waiting(): number
  /** Drops all waiting work and restores the initial time. */
  reset(): void
  /** Drops all waiting work and starts no more. */
  close(): void
}

export interface ClockOptions extends PresentOptions {
  /** Receives errors that work threw; work is expected to handle its own failures. */
  readonly onFailure?: (error: unknown) => void
}

const longestTimer = 2 ** 31 - 1

/** A ticking or standing clock with its schedule. */
export const createClock = (options: ClockOptions = {}): Clock => {
  const present = createPresent(options)
  const now = (): Instant => present.now()
  let order = 0
  let closed = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  const queue = createQueue()

  const drain = async (until: () => Instant): Promise<void> => {
    for (;;) {
      const next = queue.first()
      if (closed || next === undefined || next.due > until()) return
      queue.pop()
      present.pass(next.due)
      try {
        await next.work()
      } catch (error) {
        options.onFailure?.(error)
      }
    }
  }
  // One drain at a time, so that work never overlaps and its order is the order of the instants.
  const exclusively = (run: () => Promise<void>): Promise<void> => {
    const mine = (running ?? Promise.resolve()).then(run)
    // A rejected run does not block the next.
    running = mine.catch(() => {})
    return mine
  }
  const arm = (): void => {
    clearTimeout(timer)
    const next = queue.first()
    if (closed || present.isFrozen() || next === undefined) return
    const wait = Math.min(Math.max(next.due - now(), 0), longestTimer)
    timer = setTimeout(() => void exclusively(() => drain(now)).then(arm), wait)
    timer.unref()
  }
  const drop = (): void => {
    queue.clear()
    clearTimeout(timer)
  }
  const moveTo = (target: () => Instant): Promise<void> =>
    exclusively(async () => {
      const to = asInstant('the instant to set the clock to', target())
      await present.move(to, () => drain(() => to))
      arm()
    })

  return {
    now,
    isFrozen: () => present.isFrozen(),
    at(due, work) {
      const whole = Math.ceil(due)
      queue.push({ due: whole, order: order++, work })
      if (queue.first()?.due === whole) arm()
    },
    set: (to) => moveTo(() => to),
    async advance(ms) {
      if (!(ms >= 0))
        throw new RangeError(`clock.advance: expected milliseconds from 0, received ${ms}`)
      await moveTo(() => now() + Math.ceil(ms))
    },
    freeze(on) {
      present.freeze(on)
      arm()
    },
    settle: () => exclusively(() => drain(now)).then(arm),
    isDue: () => (queue.first()?.due ?? Number.POSITIVE_INFINITY) <= now(),
    waiting: () => queue.size(),
    reset() {
      drop()
      present.reset()
    },
    close() {
      closed = true
      drop()
    },
  }
}
