import type { WorkKind } from '../model/work.ts'
import { workKinds } from '../model/work.ts'

/** Delays on request: the management port has asynchronous work take time, so that its intermediate states are seen. */
export interface Delays {
  /** Has all work of a kind that starts from now on take so many milliseconds more. */
  set(kind: DelayedKind, ms: number): void
  of(kind: WorkKind): number
  clear(): void
}

/** Kinds of work that can be delayed: all but what waits for a date. */
export type DelayedKind = Exclude<WorkKind, 'expiry'>

export const delayedKinds = workKinds.filter((kind): kind is DelayedKind => kind !== 'expiry')

export const isDelayed = (value: string): value is DelayedKind =>
  delayedKinds.some((kind) => kind === value)

export const createDelays = (): Delays => {
  const added = new Map<WorkKind, number>()
  return {
    set: (kind, ms) => void added.set(kind, ms),
    of: (kind) => added.get(kind) ?? 0,
    clear: () => added.clear(),
  }
}
