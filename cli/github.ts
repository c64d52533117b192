import { appendFileSync } from 'node:fs'
import { rules } from '../contract/rules.ts'
import { annotationsOf, shownAnnotations, stepSummary, workflowCommand } from '../reports/github.ts'
import type { Annotation } from '../reports/github.ts'
import type { Run } from '../reports/run.ts'
import type { SarifResult } from '../reports/sarif.ts'
import type { Io } from './io.ts'
import { systemError } from './system-error.ts'

/** Workflow commands, where GitHub's runner reads the output. */

const inGitHub = ({ env }: Io): boolean => env['GITHUB_ACTIONS'] === 'true'

const print = (annotations: readonly Annotation[], say: (text: string) => void): void => {
  for (const annotation of annotations) say(`${workflowCommand(annotation)}\n`)
}

/** Remarks about files, at their places; those that do not count here are left out. */
export const annotateFiles = (results: readonly SarifResult[], io: Io): void => {
  if (!inGitHub(io)) return
  const annotations = results
    .filter(({ level, suppressed }) => level !== 'note' && suppressed === undefined)
    .map(({ rule, level, message, file, line, column }) => ({
      level: level === 'error' ? ('error' as const) : ('warning' as const),
      title: rule,
      message,
      file,
      ...(line === undefined ? {} : { line }),
      ...(column === undefined ? {} : { column }),
    }))
  print(shownAnnotations(annotations), io.out)
}

/**
 * Annotations of a run, and its summary in the file that GitHub names.
 * @param options.json standard output holds one JSON document: the annotations go to standard error
 */
export const tellGitHub = (run: Run, io: Io, { json }: { readonly json: boolean }): void => {
  if (!inGitHub(io)) return
  print(annotationsOf(run, rules), json ? io.err : io.out)
  const file = io.env['GITHUB_STEP_SUMMARY']
  if (file === undefined || file === '') return
  try {
    appendFileSync(file, stepSummary(run, rules))
  } catch (error) {
    io.err(
      `the summary of the step was not written: ${(systemError(error) ?? (error as Error)).message}\n`,
    )
  }
}
