import { readMeasured } from '../measured.ts'

/** What a check of a rule costs on a target whose time cannot be turned, as it was measured (`npm run costs`). */
export interface Cost {
  /** Milliseconds of one check. */
  readonly ms: number
  /** Calls of one check, by what they are counted under. */
  readonly calls: Readonly<Record<string, number>>
}

let known: Readonly<Record<string, Cost>> | undefined

/** A check of which nothing is known: a login and a call. */
const unmeasured: Cost = { ms: 500, calls: { public: 4 } }

export const costOf = (rule: string): Cost => {
  known ??= readMeasured('costs.json')
  return known[rule] ?? unmeasured
}
