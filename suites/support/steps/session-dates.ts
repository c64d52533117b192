import type { Client } from '../../../lib/client.ts'
import { expectObject } from '../../../lib/outcome.ts'
import { expect } from '../judging/matchers.ts'
import { pagesByToken } from '../answers/paged-lists.ts'

/** The dates of a session, in its status and in the list. */

const names = ['dateCreated', 'dateUpdated', 'validUntil'] as const

type Dates = Readonly<Record<(typeof names)[number], number>>

const datesOf = (record: Readonly<Record<string, unknown>>): Dates =>
  Object.fromEntries(names.map((name) => [name, Date.parse(String(record[name]))])) as Dates

/** The dates of a session in its status; expects the list to report the same. */
export const datesTold = async (
  api: Client,
  referenceNumber: string,
  sessionType: 'Online' | 'Batch' = 'Online',
): Promise<Dates> => {
  const answer = await api.call('sessions.status', { path: { referenceNumber } })
  const dates = datesOf(expectObject(answer, 'look at the session'))
  const query = { sessionType, pageSize: 100 }
  const rows = (await pagesByToken(api, 'sessions.list', 'sessions', query)).flat()
  const row = rows.find((one) => one['referenceNumber'] === referenceNumber)
  expect(datesOf(row ?? {}), 'the dates in the list').toEqual(dates)
  return dates
}
