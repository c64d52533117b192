import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { makeDirectory } from '../../lib/node/make-directory.ts'
import type { TraceLine } from '../../load/trace/line.ts'
import type { Figure } from '../../reports/charts/page.ts'

/** Where runs are stored, one directory each, unless `--out` names another. */
export const runsFolder = 'reports/out/load'

/** The page of a run, and its pictures. */
export interface RunPage {
  readonly html: string
  readonly figures: readonly Figure[]
}

/** Where a run is stored. */
export interface Places {
  readonly folder: string
  /** Directory for the pictures as files; none when absent. */
  readonly svg?: string | undefined
}

const fileOf = ({ title }: Figure): string =>
  `${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.svg`

/**
 * Stores a run: its result, its trace, its page, and its pictures where they are wanted.
 * @returns path of the page
 */
export const storeRun = async (
  { folder, svg }: Places,
  result: unknown,
  trace: readonly TraceLine[],
  { html, figures }: RunPage,
): Promise<string> => {
  makeDirectory(folder)
  await writeFile(path.join(folder, 'result.json'), `${JSON.stringify(result, undefined, 2)}\n`)
  const lines = trace.map((line) => `${JSON.stringify(line)}\n`).join('')
  await writeFile(path.join(folder, 'trace.ndjson'), lines)
  if (svg !== undefined) {
    makeDirectory(svg)
    for (const figure of figures) await writeFile(path.join(svg, fileOf(figure)), figure.svg)
  }
  const file = path.join(folder, 'report.html')
  await writeFile(file, html)
  return file
}
