import { titleOf } from '../../suites/support/checks/rule.ts'
import { matrix, shownMatrixIds } from '../../suites/support/coverage/shown-matrices.ts'
import type { RegisteredCheck } from '../registered.ts'

/**
 * The check that shows each cell of a matrix that no check names, by its title, as last measured (`npm run coverage`).
 * A run of these checks, and of those that name cells, shows everything that the suite shows.
 */
export type ShowingChecks = Readonly<Partial<Record<string, Readonly<Record<string, string>>>>>

/** Adds to each check the cells that it is known to show; the build keeps them in the list of checks. */
export const withShownCells = (
  checks: readonly RegisteredCheck[],
  showing: ShowingChecks,
): readonly RegisteredCheck[] => {
  const byTitle = new Map<string, { matrix: string; cells: number[] }[]>()
  for (const id of shownMatrixIds)
    for (const [place, cell] of matrix(id).cells.entries()) {
      const title = showing[id]?.[cell]
      if (title === undefined) continue
      const shown = byTitle.get(title) ?? []
      byTitle.set(title, shown)
      const own = shown.find((one) => one.matrix === id)
      if (own === undefined) shown.push({ matrix: id, cells: [place] })
      else own.cells.push(place)
    }
  return checks.map((check) => {
    const shown = byTitle.get(titleOf(check.rule, check.variant))
    return shown === undefined ? check : { ...check, covers: [...(check.covers ?? []), ...shown] }
  })
}
