import { readFileSync } from 'node:fs'
import path from 'node:path'
import { built, root } from '../root.ts'

/**
 * The title of the quickest check that noticed each mutant when it was last measured (`npm run killers`). It saves
 * putting a mutant to checks that do not notice it; whatever this check does not notice is put to all of them.
 */
export const knownKillers = (): Readonly<Record<string, string>> => {
  for (const folder of [built, root])
    try {
      const text = readFileSync(path.join(folder, 'suites/killers.json'), 'utf8')
      return JSON.parse(text) as Readonly<Record<string, string>>
    } catch {
      // Run from sources, it lies beside them.
    }
  return {}
}
