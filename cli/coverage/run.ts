import type { Dialect } from '../../contract/dialect.ts'
import { dialectOf, dialects } from '../../contract/dialects.ts'
import { operationIds } from '../../contract/endpoints.ts'
import { absence } from '../../lib/wire.ts'
import type { Finding, Verdict } from '../../reports/finding.ts'
import type { MatrixOfRun, RunCoverage } from '../../reports/run-coverage.ts'
import { readShown } from '../../reports/shown-record.ts'
import type { ShownRecord } from '../../reports/shown-record.ts'
import { titleOf } from '../../suites/support/checks/rule.ts'
import { matrix, matrixIds } from '../../suites/support/coverage/shown-matrices.ts'
import { listedChecks } from '../registered.ts'
import type { RegisteredCheck } from '../registered.ts'
import { cellsOf } from './responsible.ts'
import type { Cell } from './responsible.ts'

type Outcome = 'shown' | 'missed' | 'unverified' | 'notRun'

const verified: ReadonlySet<Verdict> = new Set(['pass', 'observed', 'warn'])

const titlesOf = ({ checks }: Cell): string[] =>
  checks.map(({ rule, variant }) => titleOf(rule, variant))

/** What the exchanges of a run showed of the matrices, and what those of its checks should have shown. */
export const compareWithRun = (
  { cells: shown, checks, illegal, absent }: ShownRecord,
  findings: readonly Pick<Finding, 'check' | 'verdict'>[],
  listed: readonly RegisteredCheck[],
  dialect: Dialect,
): RunCoverage => {
  const verdicts = new Map(findings.map(({ check, verdict }) => [check, verdict]))
  const outcomeOf = (cell: Cell): Outcome => {
    if (shown[cell.matrix]?.[cell.cell] !== undefined) return 'shown'
    const [operation = ''] = cell.cell.split(' x ')
    const isAbsent =
      operationIds.some((id) => id === operation && absence(id, dialect) !== undefined) ||
      absent.includes(`${cell.matrix} ${cell.cell}`)
    if (isAbsent) return 'unverified'
    const ended = titlesOf(cell).flatMap((title) => verdicts.get(title) ?? [])
    if (ended.length === 0) return 'notRun'
    return ended.some((verdict) => verified.has(verdict)) ? 'missed' : 'unverified'
  }
  const all = cellsOf(listed).map((cell) => ({ cell, outcome: outcomeOf(cell) }))
  const matrices = matrixIds.map((id): MatrixOfRun => {
    const own = all.filter(({ cell }) => cell.matrix === id)
    const withOutcome = (wanted: Outcome) => own.filter(({ outcome }) => outcome === wanted)
    return {
      matrix: id,
      title: matrix(id).title,
      shown: withOutcome('shown').length,
      unverified: withOutcome('unverified').length,
      notRun: withOutcome('notRun').length,
      missed: withOutcome('missed').map(({ cell }) => ({
        matrix: id,
        cell: cell.cell,
        file: cell.file,
        checks: titlesOf(cell),
      })),
    }
  })
  return {
    matrices,
    illegal: Object.entries(illegal).map(([step, places]) => ({
      step,
      checks: places.flatMap((place) => checks[place] ?? []),
    })),
  }
}

/** The same of a run in a directory; undefined where it was stopped before it could say. */
export const coverageOfRun = async (
  out: string,
  findings: readonly Finding[],
  dialectId = 'svc',
): Promise<RunCoverage | undefined> => {
  const shown = readShown(out)
  return (
    shown &&
    compareWithRun(shown, findings, await listedChecks(), dialectOf(dialectId) ?? dialects.svc)
  )
}
