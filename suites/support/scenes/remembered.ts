import { isDeepStrictEqual } from 'node:util'
import type { OperationId } from '../../../contract/endpoints.ts'
import type { Client } from '../../../lib/client.ts'
import type { CallOptions } from '../../../lib/request.ts'
import { expectObject } from '../../../lib/outcome.ts'
import { expect } from '../judging/matchers.ts'
import { meaningOf } from '../answers/meaning.ts'
import { offered } from '../service/offered.ts'
import { sharesContext } from '../run/own-work.ts'
import { notOffered } from '../run/not-offered.ts'
import type { Row } from '../answers/paged-lists.ts'
import { granted } from '../callers/grants.ts'

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

/** What a caller saw, by the look at it. */
type Seen = Readonly<Record<string, unknown>>

const seen = async (api: Client): Promise<Seen> => {
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

const named = ({ referenceNumber, certificateSerialNumber, id }: Row): unknown =>
  referenceNumber ?? certificateSerialNumber ?? id

/** Rows of a list, sorted with the newest first, that began since it showed other ones. */
export const begunSince = (before: unknown, now: unknown): readonly Row[] => {
  const latest = Math.max(...rowsOf(before).map(begunAt))
  const known = new Set(rowsOf(before).map(named))
  return rowsOf(now).filter((row) => begunAt(row) >= latest && !known.has(named(row)))
}

/** What differs between two looks: an answer, or a row that is new in it. */
interface Change {
  readonly at: string
  readonly was?: unknown
  readonly is: unknown
}

/** All that differs between two looks. */
const allChanges = (before: Seen, after: Seen): readonly Change[] =>
  Object.entries(before)
    .filter(([name, was]) => !isDeepStrictEqual(after[name], was))
    .map(([name, was]) => ({ at: name, was, is: after[name] }))

/** What differs between them in a context that others use too. */
const lastingChanges = (before: Seen, after: Seen): readonly Change[] =>
  allChanges(before, after).flatMap((change): readonly Change[] => {
    if (unsteady.test(change.at)) return []
    if (listIn(change.was) === undefined) return [change]
    return begunSince(change.was, change.is).map((row) => ({ at: change.at, is: row }))
  })

/** How long nothing is called at least, ms: others who are at work show it within seconds. */
const shortestControl = 5_000

/**
 * What calls made appear. In a context that others use too, something may appear that is not theirs: then the calls are
 * made again, and after them nothing is called for a time.
 * @throws {NotOffered} when something appears without the calls too
 */
const appearedBy = async <Look, Found>(
  { now, sleep }: Pick<Client, 'now' | 'sleep'>,
  calls: () => Promise<void>,
  {
    look,
    changes,
  }: { look: () => Promise<Look>; changes: (before: Look, after: Look) => readonly Found[] },
): Promise<readonly Found[]> => {
  const before = await look()
  await calls()
  const after = await look()
  const found = changes(before, after)
  if (found.length === 0 || !sharesContext()) return found
  const since = now()
  await calls()
  const afterAgain = await look()
  const again = changes(after, afterAgain)
  if (again.length === 0) return []
  await sleep(Math.max(now() - since, shortestControl))
  if (changes(afterAgain, await look()).length > 0)
    throw notOffered('fresh', 'others work in the context at the same time')
  return again
}

/**
 * Makes calls that are refused, and looks whether they left anything behind.
 * @throws {Inconclusive} when it cannot look
 * @throws {NotOffered} when others leave too much behind at the same time
 */
export const leavesNothing = async (api: Client, calls: () => Promise<void>): Promise<void> => {
  const changes = await appearedBy(api, calls, {
    look: () => seen(api),
    changes: sharesContext() ? lastingChanges : allChanges,
  })
  expect(changes, 'what the caller sees after refused calls').toEqual([])
}

/**
 * Makes calls that are refused, and looks whether any of them opened a session.
 * @throws {Inconclusive} when it cannot look
 * @throws {NotOffered} when others open sessions all the time
 */
export const opensNothing = async (
  api: Client,
  sessionType: 'Online' | 'Batch',
  calls: () => Promise<void>,
): Promise<void> => {
  // The newest come first: in a context that others use there may be thousands.
  const look = async () =>
    expectObject(await api.call('sessions.list', { query: { sessionType } }), 'list the sessions')
  const opened = await appearedBy(api, calls, { look, changes: begunSince })
  expect(opened, 'sessions after the rejection').toEqual([])
}
