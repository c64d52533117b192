import { readFileSync } from 'node:fs'
import path from 'node:path'
import { built, root } from './root.ts'

/** A table below `suites/` that was measured in runs; empty where there is none. */
export const readMeasured = <T>(file: string): Readonly<Record<string, T>> => {
  for (const folder of [built, root])
    try {
      const text = readFileSync(path.join(folder, 'suites', file), 'utf8')
      return JSON.parse(text) as Readonly<Record<string, T>>
    } catch {
      // Run from sources, it lies beside them.
    }
  return {}
}
