import { conclude } from '../lib/verdict.ts'
import type { Conclusion } from '../lib/verdict.ts'
import { totalsOf } from './finding.ts'
import type { Finding } from './finding.ts'
import type { PlannedCheck } from './plan.ts'

/** Facts of a run that every report shows. */
export interface RunFacts {
  readonly started: string
  readonly finished: string
  readonly seed: number
  readonly namespace: string
  readonly target: string
  readonly version: string
  /** Stopped by the user. */
  readonly interrupted?: boolean
}

/** A run as the reports see it: what was found, and which planned checks did not report. */
export interface Run {
  readonly facts: RunFacts
  readonly findings: readonly Finding[]
  readonly planned: number
  readonly notRun: readonly PlannedCheck[]
}

export const conclusionOf = ({ facts, findings, notRun }: Run): Conclusion =>
  conclude(totalsOf(findings), {
    notRun: notRun.length,
    interrupted: facts.interrupted === true,
  })

/** The verdict in a sentence, with what is missing. */
export const verdictLine = (run: Run): string => {
  const { verdict } = conclusionOf(run)
  if (verdict !== 'incomplete') return verdict
  const why = run.facts.interrupted === true ? 'interrupted' : 'the run ended early'
  return `incomplete (${why}): ${run.notRun.length} of ${run.planned} planned checks did not report`
}
