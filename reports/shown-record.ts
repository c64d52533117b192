import { readFileSync } from 'node:fs'
import path from 'node:path'

/** What the exchanges of the checks of a run showed of the contract, kept as `coverage.json` in its directory. */

/** Of one check, as the fixtures leave it. */
export interface ShownByCheck {
  /** Names of cells, by the matrix that they are in. */
  readonly cells: Readonly<Record<string, readonly string[]>>
  readonly answers: readonly string[]
  readonly illegal: readonly string[]
  readonly absent: readonly string[]
}

/** The checks that showed something, by their places in the list of checks. */
type Showing = Readonly<Record<string, readonly number[]>>

export interface ShownRecord {
  /** Titles of the checks. */
  readonly checks: readonly string[]
  /** Cells of the matrices, by matrix. */
  readonly cells: Readonly<Record<string, Showing>>
  /** What was answered: an operation, a status, and the code of a refusal. */
  readonly answers: Showing
  /** Steps from state to state that no lifecycle permits. */
  readonly illegal: Showing
  /** Matrix and cell of what the target, or its dialect, does not have. */
  readonly absent: readonly string[]
}

export const shownFile = (out: string): string => path.join(out, 'coverage.json')

/** Collects what checks show. */
export const createShownRecord = () => {
  const checks: string[] = []
  const cells: Record<string, Record<string, number[]>> = {}
  const answers: Record<string, number[]> = {}
  const illegal: Record<string, number[]> = {}
  const absent = new Set<string>()
  return {
    add(check: string, shown: ShownByCheck): void {
      const place = checks.push(check) - 1
      const note = (showing: Record<string, number[]>, names: readonly string[]): void => {
        for (const name of names) (showing[name] ??= []).push(place)
      }
      for (const [matrix, names] of Object.entries(shown.cells)) note((cells[matrix] ??= {}), names)
      note(answers, shown.answers)
      note(illegal, shown.illegal)
      for (const cell of shown.absent) absent.add(cell)
    },
    all: (): ShownRecord => ({ checks, cells, answers, illegal, absent: [...absent] }),
  }
}

/** What a run showed; undefined where its directory does not say, or half of it was written. */
export const readShown = (out: string): ShownRecord | undefined => {
  try {
    return JSON.parse(readFileSync(shownFile(out), 'utf8')) as ShownRecord
  } catch {
    return undefined
  }
}

/** What several runs showed together, each by other checks. */
export const mergeShown = (records: readonly ShownRecord[]): ShownRecord => {
  const merged = createShownRecord()
  for (const { checks, cells, answers, illegal, absent } of records)
    for (const [place, check] of checks.entries()) {
      const shownIn = (showing: Showing): string[] =>
        Object.keys(showing).filter((name) => showing[name]?.includes(place))
      const own = Object.entries(cells).map(([matrix, showing]) => [matrix, shownIn(showing)])
      merged.add(check, {
        cells: Object.fromEntries(own) as ShownByCheck['cells'],
        answers: shownIn(answers),
        illegal: shownIn(illegal),
        absent,
      })
    }
  return merged.all()
}
