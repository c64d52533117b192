import { endpoint, operationIds } from '../../../contract/endpoints.ts'
import { refusals } from '../../../contract/errors.ts'
import { stateOf } from '../../../contract/lifecycles.ts'
import type { Lifecycle } from '../../../contract/types.ts'
import { actionCells, stateCells, transitionCells } from './lifecycle-cells.ts'
import { namedMatrices } from './matrices.ts'
import type { Matrix, NamedMatrixId } from './matrices.ts'

/**
 * What some exchange of a run has to show, whichever check makes it: states and transitions of the lifecycles, actions
 * that a state does not permit, and refusals. `suites/coverage.json` has a check for each cell that shows it.
 */

interface ShownMatrix extends Matrix {
  /** Where a check of a cell belongs, below `suites/`. */
  readonly fileOf: (cell: string) => string
}

const areaFile = (operation: string): string => `${operation.split('.')[0]}/*.spec.ts`

/** Failures have a file of their own; what passes through another state is seen while it is held there. */
const fileOfState = (cell: string): string => {
  const [lifecycle = '', ...codes] = cell.split(/ (?:-> )?/)
  const code = Number(codes.at(-1))
  return stateOf(lifecycle as Lifecycle, code)?.outcome === 'failure'
    ? 'families/work/failure-states.spec.ts'
    : 'families/work/pending-work.spec.ts or families/sessions/pending-sessions.spec.ts'
}

const refusalsOf = (operation: (typeof operationIds)[number]): readonly string[] =>
  endpoint(operation).refusals ?? []

const shownMatrices = {
  state: {
    title: 'each state of each lifecycle is reported',
    fileOf: fileOfState,
    cells: stateCells,
  },
  transition: {
    title: 'each step of each lifecycle, from a state to the next, is seen',
    fileOf: fileOfState,
    cells: transitionCells,
  },
  action: {
    title: 'each operation that needs a state is tried in each other state',
    fileOf: (cell) => areaFile(cell.split(' x ')[1] ?? ''),
    cells: actionCells,
  },
  refusal: {
    title: 'each refusal is answered, or ends work',
    fileOf: (cell) =>
      areaFile(operationIds.find((id) => refusalsOf(id).includes(cell)) ?? 'transport'),
    cells: Object.keys(refusals),
  },
  answer: {
    title: 'each operation answers each refusal of its own',
    fileOf: areaFile,
    cells: operationIds.flatMap((id) => refusalsOf(id).map((refusal) => `${id} x ${refusal}`)),
  },
} as const satisfies Readonly<Record<string, ShownMatrix>>
export type ShownMatrixId = keyof typeof shownMatrices

export type MatrixId = NamedMatrixId | ShownMatrixId

export const shownMatrixIds = Object.keys(shownMatrices) as ShownMatrixId[]
export const namedMatrixIds = Object.keys(namedMatrices) as NamedMatrixId[]
export const matrixIds: readonly MatrixId[] = [...namedMatrixIds, ...shownMatrixIds]

const isNamed = (id: MatrixId): id is NamedMatrixId => id in namedMatrices

export const matrix = (id: MatrixId): Matrix =>
  isNamed(id) ? namedMatrices[id] : shownMatrices[id]

/** Where a check of a cell belongs, below `suites/`. */
export const fileOfCell = (id: MatrixId, cell: string): string =>
  isNamed(id) ? namedMatrices[id].file : shownMatrices[id].fileOf(cell)
