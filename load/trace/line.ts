import type { Observation } from '../identify/experiments.ts'
import type { Measured } from '../probes/job.ts'

/**
 * What k6 reports while it runs, one JSON value per line. Everything that is stated about a run is computed from these
 * lines: progress, account, latency, charts. Times are Unix milliseconds.
 */

export interface CallLine {
  readonly t: 'call'
  readonly op: string
  /** Place of the invoice in the corpus, or of the part in its package. */
  readonly i: number
  /** When the call was to start. */
  readonly due: number
  readonly begun: number
  readonly ended: number
  /** 0 when no answer came. */
  readonly status: number
  /** Code of a refusal. */
  readonly code?: number | undefined
  /** Reference number that was given out. */
  readonly ref?: string | undefined
  /** What is wrong with what the service answered. */
  readonly problem?: string
  /** Session or package that the call belongs to. */
  readonly session?: number
}

/** An arrival that was not sent, because it would have been too late. */
export interface DropLine {
  readonly t: 'drop'
  readonly i: number
  readonly due: number
  readonly at: number
}

/** A process of several is ready for the moment at which all of them were to begin. */
export interface StartLine {
  readonly t: 'start'
  /** From 0. */
  readonly segment: number
  readonly appointed: number
  readonly ready: number
}

/** A session that was closed and followed to its end. */
export interface SessionLine {
  readonly t: 'session'
  readonly session: number
  readonly ref: string
  readonly opened: number
  readonly closed: number
  readonly settled: number
  /** Final status, 0 when it did not settle. */
  readonly status: number
  readonly invoices: number
  readonly succeeded: number
  readonly failed: number
}

/** Simultaneous calls of a probe; times are those of the target's clock. */
export interface BurstLine {
  readonly t: 'burst'
  readonly row: string
  readonly begun: number
  readonly ended: number
  readonly passed: number
  readonly limited: number
  readonly unanswered: number
}

/** What a probe saw. */
export interface ProbeLine {
  readonly t: 'probe'
  readonly lane: number
  readonly measured: Measured
}

/** What an experiment with a limiter saw. */
export interface ObservationLine extends Observation {
  readonly t: 'observation'
  readonly row: string
}

export type TraceLine =
  | CallLine
  | DropLine
  | StartLine
  | SessionLine
  | BurstLine
  | ProbeLine
  | ObservationLine

const mark = '@assay '

export const formatLine = (line: TraceLine): string => mark + JSON.stringify(line)

/** The line that a text holds; undefined when it is something else that k6 prints. */
export const parseLine = (text: string): TraceLine | undefined => {
  const at = text.indexOf(mark)
  if (at < 0) return undefined
  try {
    return JSON.parse(text.slice(at + mark.length)) as TraceLine
  } catch {
    return undefined
  }
}
