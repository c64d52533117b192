/**
 * The one clock of the service, and the schedule that hangs on it. Everything that expires or happens later asks
 * this clock, so turning it turns the whole service. Source: interface page "Time".
 */

import type { Instant } from '../base/instants.ts'
import { asInstant } from '../base/instants.ts'
import type { Work } from './queue.ts'
import { createQueue } from './queue.ts'

/** Methods, no getters: an object with getters of its own is a dictionary to the engine, and slow to look into. */
export interface Clock {
  /** The service's own time. */
  now(): Instant
  isFrozen(): boolean
  /** Runs `work` when the service's time reaches `due`; equal instants run in the order of their scheduling. */
  at(due: Instant, work: Work): void
  /**
   * Turns the clock to an instant; whatever falls due on the way runs at its own instant, one after the other.
   * @throws {RangeError} when it is no whole number of milliseconds between 2000 and 2199
   */
  set(to: Instant): Promise<void>
  /**
   * Turns the clock forward by milliseconds; a part of one counts as a whole, so that no wait is too short.
   * @throws {RangeError} when they are negative, no number, or lead beyond 2199
   */
  advance(ms: number): Promise<void>
  freeze(on: boolean): void
  /** Runs what is due now; resolves when nothing due is left. */
  settle(): Promise<void>
  /** Whether work has fallen due that has not run yet. */
  isDue(): boolean
  /** Number of pieces of work that wait. */
  waiting(): number
  /** Forgets all waiting work and goes back to how it was made. */
  reset(): void
  /** Forgets all waiting work and starts no more. */
  close(): void
}

export interface ClockOptions {
  /** Where the clock starts; the real time when absent. */
  readonly startAt?: Instant
  /** Stands still from the start until it is turned or thawed. */
  readonly manual?: boolean
  /** Told of work that threw; work is expected to deal with its own failures. */
  readonly onFailure?: (error: unknown) => void
}

const longestTimer = 2 ** 31 - 1

/** A ticking or standing clock with its schedule. */
export const createClock = (options: ClockOptions = {}): Clock => {
  const { timeOrigin } = performance
  const real = (): number => Math.floor(timeOrigin + performance.now())
  if (options.startAt !== undefined) asInstant('startAt', options.startAt)
  let offset = options.startAt === undefined ? 0 : options.startAt - real()
  let stopped: Instant | undefined = options.manual ? real() + offset : undefined
  let turning: Instant | undefined
  let order = 0
  let closed = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  const queue = createQueue()

  const now = (): Instant => turning ?? stopped ?? real() + offset

  const drain = async (until: () => Instant): Promise<void> => {
    for (;;) {
      const next = queue.first()
      if (closed || next === undefined || next.due > until()) return
      queue.pop()
      if (turning !== undefined && next.due > turning) turning = next.due
      try {
        const work = next.work()
        // Most work is done by then: a wait for nothing has its price too.
        if (work instanceof Promise) await work
      } catch (error) {
        options.onFailure?.(error)
      }
    }
  }
  // One drain at a time, so that work never overlaps and its order is the order of the instants.
  const exclusively = (run: () => Promise<void>): Promise<void> => {
    const mine = (running ?? Promise.resolve()).then(run)
    // One that was refused holds up none of the next.
    running = mine.catch(() => {})
    return mine
  }
  const arm = (): void => {
    clearTimeout(timer)
    const next = queue.first()
    if (closed || stopped !== undefined || next === undefined) return
    const wait = Math.min(Math.max(next.due - now(), 0), longestTimer)
    timer = setTimeout(() => void exclusively(() => drain(now)).then(arm), wait)
    timer.unref()
  }
  const turnTo = (target: () => Instant): Promise<void> =>
    exclusively(async () => {
      const to = asInstant('the instant to turn the clock to', target())
      turning = now()
      await drain(() => to)
      turning = undefined
      if (stopped === undefined) offset = to - real()
      else stopped = to
      arm()
    })

  return {
    now,
    isFrozen: () => stopped !== undefined,
    at(due, work) {
      const whole = Math.ceil(due)
      queue.push({ due: whole, order: order++, work })
      if (queue.first()?.due === whole) arm()
    },
    set: (to) => turnTo(() => to),
    async advance(ms) {
      if (!(ms >= 0))
        throw new RangeError(`clock.advance: expected milliseconds from 0, received ${ms}`)
      await turnTo(() => now() + Math.ceil(ms))
    },
    freeze(on) {
      if (on) stopped ??= now()
      else if (stopped !== undefined) {
        offset = stopped - real()
        stopped = undefined
      }
      arm()
    },
    settle: () => exclusively(() => drain(now)).then(arm),
    isDue() {
      const next = queue.first()
      return next !== undefined && next.due <= now()
    },
    waiting: () => queue.size(),
    reset() {
      queue.clear()
      clearTimeout(timer)
      offset = options.startAt === undefined ? 0 : options.startAt - real()
      stopped = options.manual ? real() + offset : undefined
    },
    close() {
      closed = true
      queue.clear()
      clearTimeout(timer)
    },
  }
}
