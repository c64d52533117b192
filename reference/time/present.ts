import type { Instant } from '../base/instants.ts'
import { asInstant } from '../base/instants.ts'

/** What the service takes for the present: real time with an offset, or an instant that stands still. */
export interface Present {
  now(): Instant
  isFrozen(): boolean
  freeze(on: boolean): void
  /** Lets the present pass the instants up to `to` while `work` runs, which reports them by `pass`. */
  move(to: Instant, work: () => Promise<void>): Promise<void>
  pass(instant: Instant): void
  /** Back to how it was created. */
  reset(): void
}

export interface PresentOptions {
  /** The initial instant; the real time when absent. */
  readonly startAt?: Instant
  /** Stands still from the start until it is set or thawed. */
  readonly manual?: boolean
}

export const createPresent = ({ startAt, manual }: PresentOptions): Present => {
  const { timeOrigin } = performance
  const real = (): number => Math.floor(timeOrigin + performance.now())
  if (startAt !== undefined) asInstant('startAt', startAt)
  let offset = 0
  let stopped: Instant | undefined
  let moving: Instant | undefined
  const now = (): Instant => moving ?? stopped ?? real() + offset
  const reset = (): void => {
    const at = real()
    offset = startAt === undefined ? 0 : startAt - at
    stopped = manual ? (startAt ?? at) : undefined
  }
  reset()
  return {
    now,
    isFrozen: () => stopped !== undefined,
    freeze(on) {
      if (on) stopped ??= now()
      else if (stopped !== undefined) {
        offset = stopped - real()
        stopped = undefined
      }
    },
    async move(to, work) {
      moving = now()
      await work()
      moving = undefined
      if (stopped === undefined) offset = to - real()
      else stopped = to
    },
    pass(instant) {
      if (moving !== undefined && instant > moving) moving = instant
    },
    reset,
  }
}
