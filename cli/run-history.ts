import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { makeDirectory } from '../lib/node/make-directory.ts'
import { noHistory, withRun } from '../reports/history.ts'
import type { History } from '../reports/history.ts'
import type { Run } from '../reports/run.ts'

/** The runs before this one, carried in the directory of `--history` beside what Allure keeps there. */

const fileName = 'assay-runs.json'

type Histories = Readonly<Record<string, History>>

const read = (file: string): Histories => {
  if (!existsSync(file)) return {}
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Histories
  } catch {
    // A cache that was cut short holds nothing to compare with; this run begins a new one.
    return {}
  }
}

/** Adds a run to the history of its target, and gives that history. */
export const keepRun = (directory: string, run: Run): History => {
  makeDirectory(directory)
  const file = path.join(directory, fileName)
  const histories = read(file)
  const { target } = run.facts
  const history = withRun(histories[target] ?? noHistory, run)
  writeFileSync(file, `${JSON.stringify({ ...histories, [target]: history }, undefined, 1)}\n`)
  return history
}
