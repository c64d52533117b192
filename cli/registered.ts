import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { couldNotRun } from './io.ts'
import { built, root } from './root.ts'

/**
 * How many checks the suite has for each rule, as the build counted them: Playwright takes seconds to list them, and
 * the source text of the specs does not show the checks that loops register.
 * @throws {Explained} when there is no build
 */
export const registeredChecks = async (): Promise<ReadonlyMap<string, number>> => {
  // Run from sources, the numbers are those of the last build.
  for (const folder of [built, path.join(root, 'dist')]) {
    const text = await readFile(path.join(folder, 'checks.json'), 'utf8').catch(() => undefined)
    if (text !== undefined)
      return new Map(Object.entries(JSON.parse(text) as Record<string, number>))
  }
  throw couldNotRun('the check count is missing; run `npm run build`')
}
