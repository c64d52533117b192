import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { couldNotRun } from './io.ts'
import { built, root } from './root.ts'

/**
 * How many checks the suite has for each rule, as the build counted them: asking Playwright for its list takes
 * seconds, and the text of the specs does not show what their loops make.
 * @throws {Explained} when there is no build
 */
export const registeredChecks = async (): Promise<ReadonlyMap<string, number>> => {
  // Run from sources, the numbers are those of the last build.
  for (const folder of [built, path.join(root, 'dist')]) {
    const text = await readFile(path.join(folder, 'checks.json'), 'utf8').catch(() => undefined)
    if (text !== undefined)
      return new Map(Object.entries(JSON.parse(text) as Record<string, number>))
  }
  throw couldNotRun('nobody has counted the checks: `npm run build` does')
}
