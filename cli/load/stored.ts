import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { TraceLine } from '../../load/trace/line.ts'

/** Where runs are stored, one directory each, unless `--out` names another. */
export const runsFolder = 'reports/out/load'

/**
 * Stores a run: its result, its trace and its page.
 * @returns path of the page
 */
export const storeRun = async (
  folder: string,
  result: unknown,
  trace: readonly TraceLine[],
  page: string,
): Promise<string> => {
  await mkdir(folder, { recursive: true })
  await writeFile(path.join(folder, 'result.json'), `${JSON.stringify(result, undefined, 2)}\n`)
  const lines = trace.map((line) => `${JSON.stringify(line)}\n`).join('')
  await writeFile(path.join(folder, 'trace.ndjson'), lines)
  const file = path.join(folder, 'report.html')
  await writeFile(file, page)
  return file
}
