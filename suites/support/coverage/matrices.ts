import { endpoint, operationIds } from '../../../contract/endpoints.ts'
import type { OperationId } from '../../../contract/endpoints.ts'
import { permissions } from '../../../contract/types.ts'
import type { Permission } from '../../../contract/types.ts'

/**
 * What the checks have to cover, derived from the rows of the contract: each matrix is a list of cells. A check names
 * the cells that it covers with `covering`, and its exchanges have to bear it out; a cell that no check names is a hole.
 * What no check names, because any exchange may show it, is in `shown-matrices.ts`.
 */

/** Methods that some path supports, and one that none does. */
export const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'] as const
export type TriedMethod = (typeof methods)[number]

/** Bearers that are wrong for an operation. */
const wrongBearers = [
  'no token',
  'wrong stage',
  'invalid token',
  'expired',
  'forged payload',
  'algorithm none',
  'other key',
  'HMAC with the public key',
  'no signature',
  'other context',
  'revoked',
] as const
export type WrongBearer = (typeof wrongBearers)[number]

/** Permissions that only some contexts or some dialects know. */
export const heldSpecially = [
  'CollectiveIdentifierManage',
  'EnforcementOperations',
  'VatUeManage',
] as const satisfies readonly Permission[]

/** Permissions that nobody grants: they follow from what a caller is. */
const derived = ['PefInvoiceWrite'] as const satisfies readonly Permission[]

const special: ReadonlySet<Permission> = new Set([...heldSpecially, ...derived])

/** Permissions that a person can hold alone in any context. */
export const heldAlone = permissions.filter(
  (
    permission,
  ): permission is Exclude<Permission, (typeof heldSpecially)[number] | (typeof derived)[number]> =>
    !special.has(permission),
)

/** What is wrong with a body as a whole. */
export const wrongBodies = {
  'truncated JSON': '{"a": "',
  'not JSON': 'a=1',
  'JSON null': 'null',
  'JSON array': '[]',
  'JSON text': '"text"',
  'JSON number': '7',
} as const
export type WrongBody = keyof typeof wrongBodies

export const pathNames = (operation: OperationId): string[] =>
  [...endpoint(operation).path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

/** Operations that take a token. */
export const withBearer = operationIds.filter(
  (id) => endpoint(id).bearer !== 'none' && endpoint(id).bearer !== 'link',
)
/** Operations with a resource in their path that belongs to a context. */
export const ofResource = withBearer.filter((id) => pathNames(id).length > 0)
/** Operations with a body of JSON. */
export const withJson = operationIds.filter((id) => endpoint(id).request?.schema !== undefined)
/** Operations that read a body. */
export const withBody = operationIds.filter((id) => {
  const media = endpoint(id).request?.media
  return media !== undefined && media !== 'application/octet-stream'
})
/** Operations that read, and need no permission; not `certificates.data`, which a login by token cannot call. */
export const withoutPermission = operationIds.filter((id) => {
  const { bearer, permissions: needed, method } = endpoint(id)
  const reads = method === 'GET' || /\.(query|retrieve)/.test(id)
  return bearer === 'access' && needed === undefined && reads && id !== 'certificates.data'
})
/** Operations that need a permission. */
export const withPermission = operationIds.filter((id) => endpoint(id).permissions !== undefined)
/** Query parameters that must be more than just text. */
export const typedParameters = operationIds.flatMap((operation) =>
  (endpoint(operation).parameters ?? [])
    .filter(({ in: place, schema }) => place === 'query' && Object.keys(schema).length > 1)
    .map((parameter) => ({ operation, parameter })),
)
/** Lists that go on by a continuation token. */
export const withContinuation = operationIds.filter((id) =>
  endpoint(id).parameters?.some(({ name }) => name === 'x-continuation-token'),
)

/** Matches what a path may look like: its parameters can have any value. */
export const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}/?$`)

/** Whether some operation may understand a method on a path. */
const understood = (method: string, path: string): boolean =>
  operationIds.some((id) => {
    const row = endpoint(id)
    return (
      row.method === method &&
      [row.path, ...(row.aliases ?? [])].some((each) => patternOf(each).test(path))
    )
  })

/** Operations whose path does not support a method. */
export const withoutMethod = (method: TriedMethod): OperationId[] =>
  operationIds.filter((id) => !understood(method, endpoint(id).path))

/** Whether a wrong bearer exists for an operation. */
const applies = (operation: OperationId, wrong: WrongBearer): boolean => {
  const { bearer } = endpoint(operation)
  if (wrong === 'other context') return ofResource.includes(operation)
  // Access and authentication tokens cannot be revoked; they only expire.
  if (wrong === 'revoked') return bearer === 'refresh'
  return true
}

/** Operations for which a wrong bearer exists. */
export const refusing = (wrong: WrongBearer): OperationId[] =>
  withBearer.filter((id) => applies(id, wrong))

const crossed = <Column extends string>(
  columns: readonly Column[],
  rowsOf: (column: Column) => readonly string[],
): string[] => columns.flatMap((column) => rowsOf(column).map((row) => `${row} x ${column}`))

export interface Matrix {
  readonly title: string
  readonly cells: readonly string[]
}

interface NamedMatrix extends Matrix {
  /** Where a check of it belongs, below `suites/`. */
  readonly file: string
}

export const namedMatrices = {
  success: {
    title: 'each operation succeeds',
    file: 'families/operations/every-operation.spec.ts',
    cells: operationIds,
  },
  bearer: {
    title: 'each operation refuses each wrong bearer',
    file: 'auth/access-token.spec.ts, auth/*.spec.ts or families/operations/foreign-resources.spec.ts',
    cells: crossed(wrongBearers, refusing),
  },
  permission: {
    title: 'each operation x each permission, sufficient or not',
    file: 'permissions/matrix.spec.ts',
    cells: crossed([...heldAlone, ...heldSpecially], () => withPermission),
  },
  method: {
    title: 'each path refuses each method that it does not support',
    file: 'transport/wrong-method.spec.ts',
    cells: crossed(methods, withoutMethod),
  },
  media: {
    title: 'each operation with a body refuses another media type',
    file: 'transport/media-type.spec.ts',
    cells: withBody,
  },
  body: {
    title: 'each operation with a JSON body refuses a body that is not JSON',
    file: 'transport/malformed-body.spec.ts',
    cells: crossed(Object.keys(wrongBodies), () => withJson),
  },
  path: {
    title: 'each operation with a resource in its path refuses a malformed one',
    file: 'transport/malformed-parameter.spec.ts',
    cells: ofResource,
  },
  query: {
    title: 'each typed parameter of the query refuses a value of no such type',
    file: 'transport/malformed-parameter.spec.ts',
    cells: typedParameters.map(({ operation, parameter }) => `${operation} x ${parameter.name}`),
  },
  continuation: {
    title: 'each list refuses a continuation token that it did not issue',
    file: 'transport/malformed-parameter.spec.ts',
    cells: withContinuation,
  },
} as const satisfies Readonly<Record<string, NamedMatrix>>
export type NamedMatrixId = keyof typeof namedMatrices

/** The annotation of a check that covers cells of a matrix. */
export const covered = 'covers'

/** States which cells a check covers: all of a matrix, those of a column, or the named rows. */
export const covering = (
  matrix: NamedMatrixId,
  { column, rows }: { readonly column?: string; readonly rows?: readonly string[] } = {},
) => {
  const { cells } = namedMatrices[matrix] as NamedMatrix
  // By their places: the list of all checks holds them, and their names would be a third of it.
  const wanted = cells.flatMap((cell, place) => {
    const [row = '', of] = cell.split(' x ')
    const isNamed = rows === undefined || rows.includes(row)
    return (column === undefined || of === column) && isNamed ? place : []
  })
  return { type: covered, description: JSON.stringify({ matrix, cells: wanted }) }
}
