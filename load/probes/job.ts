import type { Thresholds } from '../../lib/windows.ts'
import type { ExceededThreshold } from '../../lib/windows.ts'
import type { ProbeCall } from './bench.ts'

export type WindowName = ExceededThreshold['window']

export const spans = { second: 1000, minute: 60_000, hour: 3_600_000 } as const

/** The span in words. */
export const spanWords = { second: 'a second', minute: 'a minute', hour: 'an hour' } as const

export const thresholdKeys = { second: 'perSecond', minute: 'perMinute', hour: 'perHour' } as const

/** A row of the rate table with a call that counts against it. */
export interface Subject {
  readonly row: string
  readonly thresholds: Required<Thresholds>
  readonly call: ProbeCall
  /** When calls of this row left and were answered before, Unix milliseconds of the target's clock. */
  readonly already: readonly (readonly [begun: number, ended: number])[]
}

/** One probe to carry out for one context. */
export interface Job {
  readonly probe: string
  readonly subjects: readonly Subject[]
  readonly window?: WindowName
}

/** What a probe saw of one aspect of the limits. */
export interface Measured {
  readonly probe: string
  readonly row: string
  readonly window?: WindowName
  readonly verdict: 'pass' | 'fail' | 'observed' | 'inconclusive' | 'not-verifiable'
  readonly expected: string
  readonly actual: string
  /** Calls that passed, where the probe looks for their number, and how many should have. */
  readonly passed?: number
  readonly maximum?: number
}

/** The only subject of a job about one row. */
export const subjectOf = ({ probe, subjects }: Job): Subject => {
  const [subject] = subjects
  if (subject === undefined) throw new Error(`the probe ${probe} has no row`)
  return subject
}

/** The longer window that is full no later than this one, so that this one is never seen alone. */
export const hiddenBy = (
  window: WindowName,
  { perSecond, perMinute, perHour }: Required<Thresholds>,
): WindowName | undefined => {
  if (window === 'second' && perMinute <= perSecond) return 'minute'
  if (window !== 'hour' && perHour <= (window === 'second' ? perSecond : perMinute)) return 'hour'
  return undefined
}
