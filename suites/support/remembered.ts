import type { OperationId } from '../../contract/endpoints.ts'
import type { Client } from '../../lib/client.ts'
import type { CallOptions } from '../../lib/request.ts'
import { expectObject } from '../../lib/outcome.ts'
import { expect } from './matchers.ts'
import { meaningOf } from './meaning.ts'
import { offered } from './offered.ts'
import { sharesContext } from './own-work.ts'
import type { Row } from './paged-lists.ts'
import { granted } from './grants.ts'

/** What a caller can see of everything that a call may create or change. */
const looks: readonly (readonly [OperationId, CallOptions])[] = [
  ['sessions.list', { query: { sessionType: 'Online' } }],
  ['sessions.list', { query: { sessionType: 'Batch' } }],
  ['tokens.list', {}],
  ['auth.sessions', {}],
  ['permissions.queryPersons', { body: granted }],
  ['permissions.queryAuthorizations', { body: { queryType: 'Granted' } }],
  ['permissions.querySubunits', {}],
  ['permissions.queryEu', {}],
  ['permissions.attachmentStatus', {}],
  ['certificates.query', {}],
  ['certificates.limits', {}],
  ['limits.context', {}],
  ['limits.subject', {}],
  ['limits.rates', {}],
]

const seen = async (api: Client): Promise<Readonly<Record<string, unknown>>> => {
  const found: Record<string, unknown> = {}
  for (const [operation, call] of looks)
    if (offered(operation).length > 0)
      found[`${operation} ${JSON.stringify(call)}`] = meaningOf(
        operation,
        expectObject(await api.call(operation, call), `look at ${operation}`),
      )
  return found
}

/**
 * In a shared context what others made ends while a check waits: by itself, or because an earlier check revoked it at its
 * end. Of a list only new rows count there; how many certificates may still be asked for says nothing.
 */
const unsteady = /^certificates\.limits /

const listIn = (answer: unknown): readonly Row[] | undefined =>
  Object.values(answer ?? {}).find((field) => Array.isArray(field))

const rowsOf = (list: unknown): readonly Row[] => listIn(list) ?? []

const begunAt = ({ dateCreated, requestDate, startDate }: Row): number =>
  Date.parse(String(dateCreated ?? requestDate ?? startDate))

/** Rows of a list, sorted with the newest first, that began after those that it showed before. */
export const begunSince = (before: unknown, now: unknown): readonly Row[] => {
  const latest = Math.max(...rowsOf(before).map(begunAt))
  return rowsOf(now).filter((row) => begunAt(row) > latest)
}

/**
 * Makes calls that are refused, and looks whether they left anything behind.
 * @throws {Inconclusive} when it cannot look
 */
export const leavesNothing = async (api: Client, calls: () => Promise<void>): Promise<void> => {
  const before = await seen(api)
  await calls()
  const after = await seen(api)
  const text = 'what the caller sees after refused calls'
  if (!sharesContext()) return expect(after, text).toEqual(before)
  const names = Object.keys(before)
  const isList = (name: string) => listIn(before[name]) !== undefined
  for (const name of names.filter(isList))
    expect(begunSince(before[name], after[name]), `${text}: new in ${name}`).toEqual([])
  const lasting = names.filter((name) => !isList(name) && !unsteady.test(name))
  const pick = (all: typeof before) => lasting.map((name) => [name, all[name]])
  expect(pick(after), text).toEqual(pick(before))
}
