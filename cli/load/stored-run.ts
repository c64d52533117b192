import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { TraceLine } from '../../load/trace/line.ts'
import type { LoadResult } from './result.ts'

/** A run as it was stored. */
export interface StoredRun {
  readonly result: LoadResult
  readonly trace: readonly TraceLine[]
}

/** The run in a directory; undefined where there is none. */
export const storedRun = (folder: string): StoredRun | undefined => {
  try {
    const result = JSON.parse(readFileSync(path.join(folder, 'result.json'), 'utf8')) as LoadResult
    const trace = readFileSync(path.join(folder, 'trace.ndjson'), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as TraceLine)
    return { result, trace }
  } catch {
    return undefined
  }
}
