import { readFileSync } from 'node:fs'
import path from 'node:path'
import { built, root } from './root.ts'

/** A table below `suites/` that was measured in runs; undefined where there is none. */
export const readMeasured = (file: string): unknown => {
  for (const folder of [built, root])
    try {
      const text = readFileSync(path.join(folder, 'suites', file), 'utf8')
      return JSON.parse(text)
    } catch {
      // Run from sources, it lies beside them.
    }
  return undefined
}
