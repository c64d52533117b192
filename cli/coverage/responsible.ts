import type { RuleId } from '../../contract/rules.ts'
import { fileOf } from '../../suites/support/checks/homes.ts'
import { fileOfCell, matrix, matrixIds } from '../../suites/support/coverage/shown-matrices.ts'
import type { MatrixId } from '../../suites/support/coverage/shown-matrices.ts'
import { readMeasured } from '../measured.ts'
import type { RegisteredCheck } from '../registered.ts'
import type { ShowingChecks } from './showing.ts'

/** A cell with what should show it. */
export interface Cell {
  readonly matrix: MatrixId
  readonly cell: string
  /** Where its check is or belongs, below `suites/`. */
  readonly file: string
  readonly checks: readonly RegisteredCheck[]
  /** Title of the check that showed it and is gone. */
  readonly gone?: string
}

/** The table as it was measured; in the package only the list of checks has it. */
export const showingChecks = (): ShowingChecks =>
  (readMeasured('coverage.json') ?? {}) as ShowingChecks

/** The file of a check that may be gone, by its title. */
const fileOfTitle = (title: string): string => {
  const [rule = '', variant] = title.slice(title.indexOf(' ') + 1).split(' / ')
  return fileOf(rule as RuleId, variant)
}

/** Every cell of every matrix, with the checks that should show it. */
export const cellsOf = (checks: readonly RegisteredCheck[]): readonly Cell[] => {
  const showing = showingChecks()
  return matrixIds.flatMap((id) => {
    const covering = new Map<number, RegisteredCheck[]>()
    for (const check of checks)
      for (const { cells } of (check.covers ?? []).filter((one) => one.matrix === id))
        for (const place of cells) covering.set(place, [...(covering.get(place) ?? []), check])
    return matrix(id).cells.map((cell, place): Cell => {
      const own = covering.get(place) ?? []
      const gone = own.length === 0 ? showing[id]?.[cell] : undefined
      return {
        matrix: id,
        cell,
        file: own[0]?.file ?? (gone === undefined ? fileOfCell(id, cell) : fileOfTitle(gone)),
        checks: own,
        ...(gone !== undefined && { gone }),
      }
    })
  })
}

/** The checks without which a run leaves holes. */
export const checksOfCells = (checks: readonly RegisteredCheck[]): ReadonlySet<RegisteredCheck> =>
  new Set(cellsOf(checks).flatMap((cell) => cell.checks))
