import { matrices } from '../../suites/support/matrices.ts'
import type { MatrixId } from '../../suites/support/matrices.ts'
import { exits, printJson } from '../io.ts'
import type { Exit, Io } from '../io.ts'
import { listedChecks } from '../registered.ts'
import type { RegisteredCheck } from '../registered.ts'

/** What of a matrix the checks cover. */
export interface MatrixCoverage {
  readonly matrix: MatrixId
  readonly title: string
  /** Where a check of a hole belongs, below `suites/`. */
  readonly file: string
  readonly cells: number
  readonly checks: number
  readonly holes: readonly string[]
}

/** What some checks cover of every matrix. */
export const coverageOf = (checks: readonly RegisteredCheck[]): readonly MatrixCoverage[] =>
  (Object.keys(matrices) as MatrixId[]).map((matrix) => {
    const covering = checks.filter(({ covers = [] }) => covers.some((one) => one.matrix === matrix))
    const covered = new Set(
      covering.flatMap(({ covers = [] }) =>
        covers.filter((one) => one.matrix === matrix).flatMap(({ cells }) => cells),
      ),
    )
    const { title, file, cells } = matrices[matrix]
    const holes = cells.filter((_, place) => !covered.has(place))
    return { matrix, title, file, cells: cells.length, checks: covering.length, holes }
  })

/**
 * What the checks of the suite cover, as Playwright lists them.
 * @throws {Explained} when there is no build
 */
export const coverageOfChecks = async (): Promise<readonly MatrixCoverage[]> =>
  coverageOf(await listedChecks())

/** Prints coverage; holes are not conformant. */
export const listCoverage = (coverage: readonly MatrixCoverage[], json: boolean, io: Io): Exit => {
  const holes = coverage.reduce((sum, matrix) => sum + matrix.holes.length, 0)
  if (json) printJson(io, { coverage, holes })
  else {
    for (const { matrix, title, cells, checks, holes: open, file } of coverage) {
      io.out(
        `${matrix.padEnd(13)} ${String(cells - open.length).padStart(4)} of ${String(cells).padEnd(4)} ${title} (${checks} checks)\n`,
      )
      for (const hole of open) io.out(`  hole: ${hole}; its check belongs in suites/${file}\n`)
    }
    io.out(`\n${holes} holes\n`)
  }
  return holes === 0 ? exits.conformant : exits.failed
}
