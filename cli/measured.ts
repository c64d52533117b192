import { readFileSync } from 'node:fs'
import path from 'node:path'
import { built, root } from './root.ts'

/** A table below `suites/` that was measured in runs. */
export const readMeasured = <T>(file: string): T | undefined => {
  for (const folder of [built, root])
    try {
      const text = readFileSync(path.join(folder, 'suites', file), 'utf8')
      return JSON.parse(text) as T
    } catch {
      // Run from sources, it lies beside them.
    }
  return undefined
}
