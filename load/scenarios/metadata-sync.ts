import type { Client } from '../../lib/client.ts'
import { Inconclusive, expectObject } from '../../lib/outcome.ts'
import type { TaskAssignment } from '../assignment.ts'
import { onSchedule } from '../tasks.ts'
import type { Task } from '../tasks.ts'

/** Service numbers that a filter finds, page after page. */
const syncedNumbers = async (
  client: Client,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<readonly string[]> => {
  const numbers: string[] = []
  for (let pageOffset = 0; ; pageOffset += 1) {
    const exchange = await client.call('queries.metadata', {
      body: { subjectType: 'subject1', dateRange: { dateType: 'permanentStorage', from, to } },
      query: { pageOffset, pageSize: 100, sortOrder: 'Asc' },
    })
    const { invoices, hasMore } = expectObject(exchange, 'query the metadata')
    if (!Array.isArray(invoices))
      throw new Inconclusive('query the metadata', 'a list `invoices`', exchange)
    for (const { svcNumber } of invoices as { svcNumber: string }[]) numbers.push(svcNumber)
    if (hasMore !== true) return numbers
  }
}

/** What a complete synchronization got wrong: the set received must be the set issued. */
const differences = (received: readonly string[], { issued }: TaskAssignment): string[] => {
  const known = new Set(received)
  const expected = new Set(issued.invoices.map(({ svcNumber }) => svcNumber))
  const missing = [...expected].filter((number) => !known.has(number))
  return [
    ...(missing.length > 0 ? [`missing ${missing.slice(0, 5).join(', ')}`] : []),
    ...(known.size < received.length ? [`${received.length - known.size} received twice`] : []),
  ]
}

/** Every other synchronization is incremental: it begins in the middle and may find no more than the complete one. */
export const syncTask: Task = async (client, assignment, i) => {
  const { from, to } = assignment.issued
  const received = await syncedNumbers(client, { from, to })
  const wrong = differences(received, assignment)
  if (i % 2 === 1) {
    const middle = new Date((Date.parse(from) + Date.parse(to)) / 2).toISOString()
    const halves = [
      ...(await syncedNumbers(client, { from, to: middle })),
      ...(await syncedNumbers(client, { from: middle, to })),
    ]
    wrong.push(
      ...differences([...new Set(halves)], assignment).map((what) => `incremental: ${what}`),
    )
  }
  return wrong.length > 0 ? wrong.join('; ') : undefined
}

export const metadataSync = onSchedule(() => syncTask)
