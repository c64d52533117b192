import type { OperationId } from '../../../contract/endpoints.ts'
import type { Client } from '../../../lib/client.ts'
import { meaningOfRow } from '../answers/meaning.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import { outcomeOfOperation, revoke } from './grants.ts'
import { expect } from '../judging/matchers.ts'
import type { Row } from '../answers/paged-lists.ts'
import { pagesByNumber } from '../answers/paged-lists.ts'

/** The lists of permissions: the operation, and the field of its answer. */

export const grantLists = {
  personal: ['permissions.queryPersonal', 'permissions'],
  persons: ['permissions.queryPersons', 'permissions'],
  subunits: ['permissions.querySubunits', 'permissions'],
  entities: ['permissions.queryEntities', 'permissions'],
  authorizations: ['permissions.queryAuthorizations', 'authorizationGrants'],
  eu: ['permissions.queryEu', 'permissions'],
  subordinateRoles: ['permissions.querySubordinateRoles', 'roles'],
  roles: ['permissions.queryRoles', 'roles'],
} as const satisfies Readonly<Record<string, readonly [OperationId, string]>>
export type GrantListName = keyof typeof grantLists

/**
 * Everything that a list of permissions shows.
 * @throws {Inconclusive} when it is refused
 */
export const listOf = async (
  api: Client,
  list: GrantListName,
  body: Readonly<Record<string, unknown>> = {},
): Promise<readonly Row[]> => {
  const [operation, field] = grantLists[list]
  return (await pagesByNumber(api, operation, field, { body, pageSize: 100 })).flat()
}

/** Asks for the first hundred rows of a list of permissions. */
export const askFor =
  (api: Client, list: GrantListName, always: Row = {}) =>
  (given: Row): Promise<Exchange> =>
    api.call(grantLists[list][0], { query: { pageSize: 100 }, body: { ...always, ...given } })

/** The rows in the answer of a list of permissions. */
export const rowsIn =
  (list: GrantListName) =>
  ({ body }: Exchange): readonly Row[] =>
    ((body ?? {}) as Readonly<Record<string, readonly Row[] | undefined>>)[grantLists[list][1]] ??
    []

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** The value of an identifier. */
export const valueOf = (identifier: unknown): string | undefined =>
  text((identifier as { readonly value?: unknown } | undefined)?.value)

/** A permission in short: what it is, and whose. */
export const inShort = (row: Row): string => {
  const scope = row['permissionScope'] ?? row['authorizationScope'] ?? row['role']
  const holder =
    valueOf(row['authorizedIdentifier']) ??
    valueOf(row['authorizedEntityIdentifier']) ??
    text(row['authorizedFingerprintIdentifier']) ??
    valueOf(row['subordinateEntityIdentifier']) ??
    ''
  return `${String(scope)} ${holder}`.trim()
}

/** A list in short, sorted. */
export const shortList = async (...args: Parameters<typeof listOf>): Promise<string[]> =>
  (await listOf(...args)).map(inShort).toSorted()

/** Filters, and what each of them leaves of a list, in short. */
export type Narrowed = readonly (readonly [
  filter: Readonly<Record<string, unknown>>,
  left: readonly string[],
])[]

/** Expects each filter of a list with fewer than a hundred rows to keep the right ones; `always` is sent with each. */
export const expectNarrowed = async (
  api: Client,
  list: GrantListName,
  narrowed: Narrowed,
  always: Readonly<Record<string, unknown>> = {},
): Promise<void> => {
  const ask = askFor(api, list, always)
  for (const [filter, left] of narrowed) {
    const [answer, what] = [await ask(filter), JSON.stringify({ ...always, ...filter })]
    expect(answer, what).toBeOk()
    expect(rowsIn(list)(answer).map(inShort).toSorted(), what).toEqual(left.toSorted())
    const { hasMore = false } = answer.body as { readonly hasMore?: unknown }
    expect(hasMore, `more beyond the page, ${what}`).toBe(false)
  }
}

const described = ({ description }: Row): string => String(description)

/** Reads a list again and again. */
interface ReadRows {
  readonly operation: OperationId
  /** The field of the rows. */
  readonly field: string
  readonly read: () => Promise<readonly Row[]>
}

/** Reads one of the lists of permissions. */
export const reading = (api: Client, list: GrantListName, body: Row = {}): ReadRows => {
  const [operation, field] = grantLists[list]
  return { operation, field, read: () => listOf(api, list, body) }
}

/** A row as a list is to show it. */
export type ExpectedRow = Row & {
  /** Unix milliseconds between which the permission began. */
  readonly began?: readonly [from: number, to: number]
}

/** Expects exactly one row for each description, with what was granted, and the same rows whenever the list is read. */
export const expectRows = async (
  { operation, field, read }: ReadRows,
  expected: readonly ExpectedRow[],
): Promise<void> => {
  const look = async () => {
    const rows = await read()
    return rows
      .map((row) => meaningOfRow(operation, field, row))
      .toSorted((a, b) => described(a).localeCompare(described(b)))
  }
  const rows = await look()
  expect(rows.map(described), 'the descriptions').toEqual(expected.map(described).toSorted())
  for (const { began, ...one } of expected) {
    const row = rows.find((found) => described(found) === described(one))
    expect(row, `the row of "${described(one)}"`).toMatchObject(one)
    if (began === undefined) continue
    const start = Date.parse(String(row?.['startDate']))
    expect(start, `the start of "${described(one)}"`).toBeGreaterThanOrEqual(began[0])
    expect(start, `the start of "${described(one)}"`).toBeLessThanOrEqual(began[1])
  }
  const ids = rows.flatMap(({ id }) => (id === undefined ? [] : [id]))
  expect(new Set(ids).size, 'ids that differ').toBe(ids.length)
  expect(await look(), 'the rows, asked for once more').toEqual(rows)
}

/** Expects that the id of the last row revokes that row and no other. */
export const expectRevocable = async (
  { read }: ReadRows,
  api: Client,
  take: (id: string) => Promise<Exchange> = (id) => revoke(api, id),
): Promise<void> => {
  const rows = await read()
  const outcome = await outcomeOfOperation(api, await take(String(rows.at(-1)?.['id'])))
  expect(outcome, 'the revocation by the listed id').toHaveSucceeded('operation')
  expect((await read()).map(described), 'the rows that are left').toEqual(
    rows.slice(0, -1).map(described),
  )
}
