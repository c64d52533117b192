import type { TraceLine } from '../../load/trace/line.ts'
import { formatDuration } from '../plan/duration.ts'

/** Progress of a run, from what k6 reports. */
export interface Progress {
  see(line: TraceLine): void
  /** One line: what was done, what is under way, how long it takes. */
  text(now: number): string
}

export interface ProgressOptions {
  readonly planned: number
  /** Due times of the arrivals, milliseconds from the start; empty where there is no schedule. */
  readonly due: readonly number[]
  /** The calls that are counted; submissions when absent. */
  readonly op?: string
}

export const createProgress = ({
  planned,
  due,
  op = 'invoices.submit',
}: ProgressOptions): Progress => {
  const counts = { ended: 0, accepted: 0, limited: 0, refused: 0, unanswered: 0, dropped: 0 }
  let start: number | undefined
  let parts = 0
  return {
    see(line) {
      if (line.t === 'drop') counts.dropped += 1
      if (line.t !== 'call') return
      if (line.op !== op) {
        parts += 1
        return
      }
      start ??= line.due - (due[line.i] ?? 0)
      counts.ended += 1
      if (line.status === 0) counts.unanswered += 1
      else if (line.status === 429) counts.limited += 1
      else if (line.status < 300) counts.accepted += 1
      else counts.refused += 1
    },
    text(now) {
      if (due.length === 0) return `${parts} parts uploaded`
      if (start === undefined) return 'waiting for the first answer'
      const elapsed = now - start
      const called = countUntil(due, elapsed)
      const inFlight = Math.max(0, called - counts.ended - counts.dropped)
      const left = Math.max(0, (due.at(-1) ?? 0) - elapsed)
      return [
        `sent ${Math.min(planned, counts.ended + inFlight)} of ${planned}`,
        `accepted ${counts.accepted}`,
        `429 ${counts.limited}`,
        `in flight ${inFlight}`,
        ...(counts.refused > 0 ? [`refused ${counts.refused}`] : []),
        ...(counts.unanswered > 0 ? [`unanswered ${counts.unanswered}`] : []),
        ...(counts.dropped > 0 ? [`dropped ${counts.dropped}`] : []),
        ...(left > 0 ? [`${formatDuration(Math.ceil(left / 1000) * 1000)} left`] : []),
      ].join(', ')
    },
  }
}

/** How many of ascending numbers are at most `limit`. */
const countUntil = (sorted: readonly number[], limit: number): number => {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) <= limit) low = middle + 1
    else high = middle
  }
  return low
}
