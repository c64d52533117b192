import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { OrdealResult } from '../../suites/client/examiner.ts'
import type { OrdealId } from '../../suites/client/ordeals.ts'
import type { Io } from '../io.ts'
import { usageError } from '../io.ts'
import { typedPath } from '../paths.ts'

/** What an examination stores while it runs, so that it can be continued after an interruption. */

export interface Examined {
  readonly command: readonly string[]
  readonly cwd: string
  readonly dialect: string
  readonly seed: number
  readonly ordeals: readonly OrdealId[]
}

const examinationFile = 'examination.json'
const resultsFile = 'ordeals.ndjson'

export const keepExamination = (out: string, examined: Examined): void =>
  writeFileSync(path.join(out, examinationFile), `${JSON.stringify(examined, undefined, 2)}\n`)

export const keepResult = (out: string, result: OrdealResult): void =>
  appendFileSync(path.join(out, resultsFile), `${JSON.stringify(result)}\n`)

const textOf = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** What an interrupted examination was about, and the ordeals that reported. */
export function keptIn(
  named: string,
  io: Io,
): { readonly examined: Examined; readonly results: readonly OrdealResult[] } {
  const folder = path.resolve(io.cwd, named)
  const text = textOf(path.join(folder, examinationFile))
  if (text === undefined)
    throw usageError(
      `--resume: ${typedPath(folder, io.cwd)} holds no ${examinationFile}: expected the directory of an interrupted examination, which it prints at its end`,
    )
  const file = path.join(folder, resultsFile)
  // A line that the interruption cut short is the last one, and is taken away.
  const lines = (textOf(file) ?? '').split('\n').slice(0, -1)
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''))
  return {
    examined: JSON.parse(text) as Examined,
    results: lines.map((line) => JSON.parse(line) as OrdealResult),
  }
}
