import type { OutcomeKind } from '../lib/outcome.ts'

/** Counts lost checks in a row: after too many of them, the rest of a run would show nothing either. */

/** A run ends after this number of checks in a row that got no answer or that the tool could not run. */
export const maxLost = 3

/** How a check ended. */
export interface EndedCheck {
  readonly outcome: OutcomeKind
  /** No answer came. */
  readonly unreachable?: string | undefined
}

export interface LostChecks {
  /** Counts a check that ended; true when it is the last one of too many in a row that were lost. */
  readonly after: (ended: EndedCheck) => boolean
}

/** A check that does not run says nothing about whether the target still answers. */
const silent: ReadonlySet<OutcomeKind> = new Set(['not-verifiable', 'not-applicable'])

export const createLostChecks = (): LostChecks => {
  let inARow = 0
  return {
    after({ outcome, unreachable }) {
      const lost = outcome === 'broken' || (outcome === 'inconclusive' && unreachable !== undefined)
      if (lost) inARow += 1
      else if (!silent.has(outcome)) inARow = 0
      return lost && inARow === maxLost
    },
  }
}
