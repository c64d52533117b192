import type { Client } from '../../lib/client.ts'
import { openOnline } from '../../lib/flows/session.ts'
import { expectObject } from '../../lib/outcome.ts'
import { formCodes } from '../support/checks/forms.ts'
import { ifOffered } from '../support/run/not-offered.ts'
import { sharesContext } from '../support/run/own-work.ts'
import { packed, sendBatch } from '../support/steps/packages.ts'
import { rule } from '../support/checks/rule.ts'
import { accept, outcomeOfInvoice, finish } from '../support/steps/steps.ts'
import { expect, test } from '../support/harness/test.ts'

/** The filters of the list of sessions: type, reference, outcome and time. */

const minute = 60_000

interface ListedSession {
  readonly referenceNumber: string
  readonly [more: string]: unknown
}

test(...rule('sessions.list.complete', 'filters'), async ({ login, open, invoice, clock }) => {
  const me = await login()
  const list = async (query: Readonly<Record<string, string | readonly string[]>>) => {
    const answer = await me.api.call('sessions.list', { query: { pageSize: 100, ...query } })
    expect(answer, `a list filtered by ${JSON.stringify(query)}`).toBeOk()
    const { sessions } = expectObject(answer, 'list the sessions')
    return sessions as readonly ListedSession[]
  }
  const { referenceNumber: running } = await openOnline(me.api, { formCode: formCodes.fa3 })
  const desk = await open({ me })
  await accept(desk, invoice().bytes)
  await outcomeOfInvoice(desk, me.api.codec.utf8('<Faktura/>'))
  await finish(desk)
  const done = desk.session.referenceNumber
  const { referenceNumber: batch } = await sendBatch(me.api, await packed([invoice()]))
  const online = { sessionType: 'Online' }
  const around = (name: string, from: number, to: number) => ({
    ...online,
    [`${name}From`]: new Date(from).toISOString(),
    [`${name}To`]: new Date(to).toISOString(),
  })
  const now = clock.now()
  const recent = [now - 10 * minute, now + 10 * minute] as const
  const past = [now - 30 * minute, now - 20 * minute] as const
  const narrowed: readonly (readonly [
    Readonly<Record<string, string | readonly string[]>>,
    string[],
  ])[] = [
    [online, [running, done]],
    [{ sessionType: 'Batch' }, [batch]],
    [{ ...online, referenceNumber: done }, [done]],
    [{ ...online, statuses: 'InProgress' }, [running]],
    [{ ...online, statuses: 'Succeeded' }, [done]],
    [{ ...online, statuses: 'Failed' }, []],
    [{ ...online, statuses: ['Failed', 'Succeeded'] }, [done]],
    [{ ...online, statuses: ['Succeeded', 'InProgress'] }, [running, done]],
    [around('dateCreated', ...recent), [running, done]],
    [around('dateCreated', ...past), []],
    [around('dateClosed', ...recent), [done]],
    [around('dateClosed', ...past), []],
    [around('dateModified', ...recent), [running, done]],
    [around('dateModified', ...past), []],
  ]
  for (const [query, expected] of narrowed) {
    const found = (await list(query)).map(({ referenceNumber }) => referenceNumber)
    expect(found.toSorted(), `sessions filtered by ${JSON.stringify(query)}`).toEqual(
      expected.toSorted(),
    )
  }
  const [listed] = await list({ ...online, referenceNumber: done })
  expect(listed, 'the counts of the session in the list').toMatchObject({
    totalInvoiceCount: 2,
    successfulInvoiceCount: 1,
    failedInvoiceCount: 1,
  })
})

/** Every session of the caller's context that a filter finds, over all pages. */
const listSessions = async (
  api: Client,
  pageSize: number,
  filter: Readonly<Record<string, string>>,
): Promise<string[]> => {
  const all: string[] = []
  let token: string | undefined
  do {
    const page = await api.call('sessions.list', {
      query: { sessionType: 'Online', pageSize, ...filter },
      ...(token === undefined ? {} : { headers: { 'x-continuation-token': token } }),
    })
    const { sessions, continuationToken } = expectObject(page, 'list the sessions')
    const rows = sessions as { referenceNumber: string }[]
    expect(rows.length, 'sessions on one page').toBeLessThanOrEqual(pageSize)
    all.push(...rows.map(({ referenceNumber }) => referenceNumber))
    token = typeof continuationToken === 'string' ? continuationToken : undefined
  } while (token !== undefined && token !== '')
  return all
}

test(...rule('sessions.list.complete'), async ({ login, another, clock }) => {
  const { api } = await login()
  // In a shared context earlier checks have opened sessions too, thousands in time: recent ones suffice.
  const recent: Readonly<Record<string, string>> = sharesContext()
    ? { dateCreatedFrom: new Date(clock.now() - 2 * minute).toISOString() }
    : {}
  const before = new Set(sharesContext() ? await listSessions(api, 10, recent) : [])
  const opened: string[] = []
  for (let count = 0; count < 23; count += 1)
    opened.push((await openOnline(api, { formCode: formCodes.fa3 })).referenceNumber)
  const context = await ifOffered(another)
  if (context !== undefined) {
    const stranger = await login({ context })
    await openOnline(stranger.api, { formCode: formCodes.fa3 })
  }
  const listed = (await listSessions(api, 10, recent)).filter((one) => !before.has(one))
  expect(listed.toSorted(), 'own sessions, each once, over pages').toEqual(opened.toSorted())
})

test(...rule('sessions.list.complete', 'foreign continuation token'), async ({ login }) => {
  const { api } = await login()
  const answer = await api.call('sessions.list', {
    query: { sessionType: 'Online' },
    headers: { 'x-continuation-token': 'bm8gdG9rZW4=' },
  })
  expect(answer).toBeRefused('continuation-token-malformed')
})
