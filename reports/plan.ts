import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Finding } from './finding.ts'
import { parseFindings } from './finding.ts'

/**
 * The checks that a run planned, written before the first one starts. The verdict covers the whole list: a check that
 * did not report makes the run incomplete.
 */

export interface PlannedCheck {
  readonly rule: string
  /** Title of the check. */
  readonly check: string
  readonly variant?: string
  /** In mutate mode: the mutant that the check is run against. */
  readonly mutant?: string
}

export const planFile = (out: string): string => path.join(out, 'plan.json')
export const findingsFile = (out: string): string => path.join(out, 'findings.ndjson')
export const endFile = (out: string): string => path.join(out, 'end.json')
/** Titles of checks against mutants that were left out, because the mutant was dead already; one a line. */
export const skippedFile = (out: string): string => path.join(out, 'skipped.txt')

const keyOf = ({ rule, check }: { readonly rule: string; readonly check: string }): string =>
  `${rule} ${check}`

/** The planned checks that did not report, each as often as it is missing. */
export const notRunOf = <Planned extends PlannedCheck>(
  planned: readonly Planned[],
  reported: readonly { readonly rule: string; readonly check: string }[],
): Planned[] => {
  const left = new Map<string, number>()
  for (const one of reported) left.set(keyOf(one), (left.get(keyOf(one)) ?? 0) + 1)
  return planned.filter((one) => {
    const times = left.get(keyOf(one)) ?? 0
    left.set(keyOf(one), times - 1)
    return times <= 0
  })
}

/** What a run of the suite left behind, whether it ended or was killed. */
export interface SuiteRecord {
  readonly findings: readonly Finding[]
  readonly planned: number
  readonly plan: readonly PlannedCheck[]
  readonly notRun: readonly PlannedCheck[]
  /** Errors outside any check, for example a spec that does not load. */
  readonly errors: readonly string[]
  /** The runner finished. */
  readonly ended: boolean
}

const read = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Reads what a run left behind.
 * @returns undefined when it ended before it had a plan
 */
export const readSuiteRecord = (out: string): SuiteRecord | undefined => {
  const plan = read(planFile(out))
  if (plan === undefined) return undefined
  const { planned } = JSON.parse(plan) as { readonly planned: readonly PlannedCheck[] }
  const findings = parseFindings(wholeLines(read(findingsFile(out)) ?? ''))
  const end = read(endFile(out))
  const { errors = [] } = JSON.parse(end ?? '{}') as { readonly errors?: readonly string[] }
  const skipped = (read(skippedFile(out)) ?? '').split('\n').filter((line) => line !== '')
  const left = skipped.map((line) => JSON.parse(line) as PlannedCheck)
  return {
    findings,
    planned: planned.length,
    plan: planned,
    notRun: notRunOf(planned, [...findings, ...left]),
    errors,
    ended: end !== undefined,
  }
}

/** The complete lines: the last line of a run that was killed may be cut short. */
const wholeLines = (text: string): string => text.slice(0, text.lastIndexOf('\n') + 1)
