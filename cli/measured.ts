import { readFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { built, root } from './root.ts'

const textOf = (file: string): string => {
  try {
    return gunzipSync(readFileSync(`${file}.gz`)).toString()
  } catch {
    return readFileSync(file, 'utf8')
  }
}

/** A table below `suites/` that was measured in runs; undefined where there is none. A build may have it compressed. */
export const readMeasured = (file: string): unknown => {
  for (const folder of [built, root])
    try {
      return JSON.parse(textOf(path.join(folder, 'suites', file)))
    } catch {
      // Run from sources, it lies beside them.
    }
  return undefined
}
