import { readFileSync } from 'node:fs'
import path from 'node:path'
import { built, root } from '../root.ts'

/** What a check of a rule costs on a target whose time cannot be turned, as it was measured (`npm run costs`). */
export interface Cost {
  /** Milliseconds of one check. */
  readonly ms: number
  /** Calls of one check, by what they are counted under. */
  readonly calls: Readonly<Record<string, number>>
}

const read = (): Readonly<Record<string, Cost>> => {
  for (const folder of [built, root])
    try {
      const text = readFileSync(path.join(folder, 'suites/costs.json'), 'utf8')
      return JSON.parse(text) as Readonly<Record<string, Cost>>
    } catch {
      // Run from sources, it lies beside them.
    }
  return {}
}

let known: Readonly<Record<string, Cost>> | undefined

/** A check of which nothing is known: a login and a call. */
const unmeasured: Cost = { ms: 500, calls: { public: 4 } }

export const costOf = (rule: string): Cost => {
  known ??= read()
  return known[rule] ?? unmeasured
}
