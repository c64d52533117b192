import { endpoint, operationIds } from '../../../contract/endpoints.ts'
import type { OperationId } from '../../../contract/endpoints.ts'
import { refusal, refusals } from '../../../contract/errors.ts'
import type { RefusalId } from '../../../contract/errors.ts'
import type { Dialect } from '../../../contract/dialect.ts'
import { readError } from '../../../lib/errors.ts'
import { refused, succeeded } from '../../../lib/exchange.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import { wireField, wireOperation, wireWords } from '../../../lib/wire.ts'
import { covered, namedMatrices } from './matrices.ts'
import type { NamedMatrixId } from './matrices.ts'
import { mediaOf } from '../answers/conformity.ts'
import { offered } from '../service/offered.ts'
import { reachedIn } from './reached.ts'
import type { SeenRefusal } from './refusals-seen.ts'
import type { MatrixId } from './shown-matrices.ts'

/** What the exchanges of one check show of the contract; one line of names each, for `coverage.json`. */
export interface Shown {
  /** Cells of the matrices. */
  readonly cells: Readonly<Partial<Record<MatrixId, readonly string[]>>>
  /** Operation, status and code of each answer. */
  readonly answers: readonly string[]
  /** Steps that no lifecycle permits. */
  readonly illegal: readonly string[]
  /** Cells that the check names, and that the target or its dialect does not have. */
  readonly absent: readonly string[]
}

/** A cell of a matrix that a check names, in its parts, with the calls of its operation. */
interface NamedCell {
  readonly operation: OperationId
  readonly column: string
  readonly calls: readonly Exchange[]
  readonly dialect: Dialect
}

/** Whether calls bear out that a check covers a cell. */
const bornOut: Readonly<Record<NamedMatrixId, (cell: NamedCell) => boolean>> = {
  success: ({ calls }) => calls.some(succeeded),
  // A change of permissions is taken in first, and refused as it is done.
  bearer: ({ operation, calls }) =>
    calls.some((one) => refused(one) || (operation.startsWith('permissions.') && succeeded(one))),
  permission: ({ calls }) => calls.length > 0,
  method: ({ column, calls }) => calls.some((one) => one.request.method === column && refused(one)),
  media: ({ operation, calls }) =>
    calls.some(
      (one) =>
        refused(one) &&
        mediaOf(one.request.headers['content-type']) !== endpoint(operation).request?.media,
    ),
  body: ({ calls }) => calls.some(refused),
  path: ({ calls }) => calls.some(refused),
  query: ({ column, calls, dialect }) =>
    calls.some((one) => refused(one) && one.request.url.includes(`${wireField(column, dialect)}=`)),
  continuation: ({ calls, dialect }) =>
    calls.some(
      (one) =>
        refused(one) &&
        one.request.headers[wireWords('x-continuation-token', dialect)] !== undefined,
    ),
}

/** Whether a call outside the contract goes to where an operation is, with anything for the parameters of its path. */
const goesTo = (operation: OperationId, dialect: Dialect): ((exchange: Exchange) => boolean) => {
  const { method, path } = wireOperation(operation, dialect)
  const place = new RegExp(`${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`)
  return ({ operation: named, request }) =>
    named === undefined &&
    request.method === method &&
    place.test(request.url.split('?', 1)[0] ?? '')
}

interface NamedCells {
  readonly matrix: NamedMatrixId
  readonly cells: readonly number[]
}

type Annotations = readonly { readonly type: string; readonly description?: string }[]

/** Whether a cell is one in the words of the dialect: some of its operations take another method, or no token. */
const applies = (matrix: NamedMatrixId, { operation, column, dialect }: NamedCell): boolean => {
  if (offered(operation).length === 0) return false
  const { method, bearer } = wireOperation(operation, dialect)
  if (matrix === 'bearer') return bearer !== 'link'
  return matrix !== 'method' || method !== column
}

interface NamedAndShown {
  readonly cells: Shown['cells']
  readonly absent: readonly string[]
}

/** The cells that a check names, as far as its exchanges bear them out. */
const namedAndShown = (
  annotations: Annotations,
  exchanges: readonly Exchange[],
  dialect: Dialect,
): NamedAndShown => {
  const byOperation = new Map<OperationId | undefined, Exchange[]>()
  for (const one of exchanges)
    byOperation.set(one.operation, [...(byOperation.get(one.operation) ?? []), one])
  const absent: string[] = []
  const cells: Record<string, readonly string[]> = {}
  for (const { description = '' } of annotations.filter(({ type }) => type === covered)) {
    const named = JSON.parse(description) as NamedCells
    const names: readonly string[] = namedMatrices[named.matrix].cells
    cells[named.matrix] = named.cells.flatMap((place) => {
      const name = names[place] ?? ''
      const [row, column = ''] = name.split(' x ')
      const operation = row as OperationId
      const cell = { operation, column, dialect, calls: byOperation.get(operation) ?? [] }
      if (!applies(named.matrix, cell)) {
        absent.push(`${named.matrix} ${name}`)
        return []
      }
      const outside = byOperation.get(undefined)?.filter(goesTo(operation, dialect)) ?? []
      const calls = [...cell.calls, ...outside]
      return bornOut[named.matrix]({ ...cell, calls }) ? [name] : []
    })
  }
  return { cells, absent }
}

const codesOf = (id: RefusalId): readonly number[] => refusal(id).answer?.codes ?? []

const ownRefusals = (operation: OperationId): readonly RefusalId[] =>
  (endpoint(operation).refusals ?? []) as readonly RefusalId[]

const listed = new Set(operationIds.flatMap(ownRefusals))

/** Codes of refusals that any operation may give. */
const general = new Set(
  (Object.keys(refusals) as RefusalId[]).filter((id) => !listed.has(id)).flatMap(codesOf),
)

/** The refusal that an answer is by its code alone, where only one of its operation has that. */
const refusalByCode = (exchange: Exchange, dialect: Dialect): SeenRefusal | undefined => {
  const { operation } = exchange
  const code = refused(exchange) ? readError(exchange, dialect)?.code : undefined
  if (operation === undefined || code === undefined || general.has(code)) return undefined
  const [only, ...others] = ownRefusals(operation).filter((id) => codesOf(id).includes(code))
  return only === undefined || others.length > 0 ? undefined : { id: only, operation }
}

const answerOf = (exchange: Exchange, dialect: Dialect): string[] => {
  const { operation, status } = exchange
  if (operation === undefined) return []
  const code = status < 400 ? undefined : readError(exchange, dialect)?.code
  return [[operation, status, ...(code === undefined || code === status ? [] : [code])].join(' ')]
}

const unique = <T>(values: Iterable<T>): readonly T[] => [...new Set(values)]

/** What the exchanges of a check show, and the refusals that its assertions found in them. */
export const shownBy = (
  { annotations }: { readonly annotations: Annotations },
  exchanges: readonly Exchange[],
  asserted: readonly SeenRefusal[],
  dialect: Dialect,
): Shown => {
  const { states, transitions, actions, illegal } = reachedIn(exchanges)
  const seen = [...asserted, ...exchanges.flatMap((one) => refusalByCode(one, dialect) ?? [])]
  const named = namedAndShown(annotations, exchanges, dialect)
  return {
    cells: {
      ...named.cells,
      state: [...states],
      transition: [...transitions],
      action: [...actions],
      refusal: unique(seen.map(({ id }) => id)),
      answer: unique(
        seen.flatMap(({ id, operation }) => (operation ? [`${operation} x ${id}`] : [])),
      ),
    },
    answers: unique(exchanges.flatMap((one) => answerOf(one, dialect))),
    illegal: [...illegal],
    absent: named.absent,
  }
}
