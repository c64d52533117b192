import { matrix, matrixIds } from '../../suites/support/coverage/shown-matrices.ts'
import type { MatrixId } from '../../suites/support/coverage/shown-matrices.ts'
import { exits, printJson } from '../io.ts'
import type { Exit, Io } from '../io.ts'
import { listedChecks } from '../registered.ts'
import type { RegisteredCheck } from '../registered.ts'
import { cellsOf } from './responsible.ts'

interface Hole {
  readonly cell: string
  /** Where its check belongs, below `suites/`. */
  readonly file: string
  /** The check that showed it and is gone. */
  readonly gone?: string
}

/** What of a matrix the checks cover. */
interface MatrixCoverage {
  readonly matrix: MatrixId
  readonly title: string
  readonly cells: number
  readonly checks: number
  readonly holes: readonly Hole[]
}

/** What some checks cover of every matrix. */
export const coverageOf = (checks: readonly RegisteredCheck[]): readonly MatrixCoverage[] => {
  const all = cellsOf(checks)
  return matrixIds.map((id) => {
    const cells = all.filter((one) => one.matrix === id)
    return {
      matrix: id,
      title: matrix(id).title,
      cells: cells.length,
      checks: new Set(cells.flatMap((one) => one.checks)).size,
      holes: cells
        .filter((one) => one.checks.length === 0)
        .map(({ cell, file, gone }) => ({ cell, file, ...(gone !== undefined && { gone }) })),
    }
  })
}

/**
 * What the checks of the suite cover, as Playwright lists them.
 * @throws {Explained} when there is no build
 */
export const coverageOfChecks = async (): Promise<readonly MatrixCoverage[]> =>
  coverageOf(await listedChecks())

/** Prints coverage; holes are not conformant. */
export const listCoverage = (coverage: readonly MatrixCoverage[], json: boolean, io: Io): Exit => {
  const holes = coverage.reduce((sum, one) => sum + one.holes.length, 0)
  if (json) printJson(io, { coverage, holes })
  else {
    for (const { matrix: id, title, cells, checks, holes: open } of coverage) {
      io.out(
        `${id.padEnd(13)} ${String(cells - open.length).padStart(4)} of ${String(cells).padEnd(4)} ${title} (${checks} checks)\n`,
      )
      for (const { cell, file, gone } of open)
        io.out(
          `  hole: ${cell}; its check belongs in suites/${file}${gone === undefined ? '' : `; until now: ${gone}`}\n`,
        )
    }
    io.out(`\n${holes} holes\n`)
  }
  return holes === 0 ? exits.conformant : exits.failed
}
