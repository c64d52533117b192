import { expect, test } from '@playwright/test'
import type { Client } from '../../lib/client.ts'
import { openOnline } from '../../lib/flows/session.ts'
import { selfSigned } from '../../suites/support/contexts.ts'
import { formCodes } from '../../suites/support/forms.ts'
import { startOwnWork } from '../../suites/support/own-work.ts'
import { sessionsFromNowOn } from '../../suites/support/paged-lists.ts'
import { pages } from '../../suites/support/searches.ts'
import { openInProcess } from '../../suites/support/target.ts'
import { clientInProcess, loginBy } from '../client-in-process.ts'

/** Where a target has one context, a check finds what earlier checks and runs left there. */

test.afterEach(() => startOwnWork(false))

test('sessions that were there before a check are none that it opened', async () => {
  const inProcess = await openInProcess({ seed: 7, dialect: 'svc' })
  try {
    const { me } = await loginBy(
      clientInProcess(inProcess),
      selfSigned('5265877635', inProcess.now),
    )
    await openOnline(me, { formCode: formCodes.fa3 })
    startOwnWork(true)
    const opened = await sessionsFromNowOn(me, 'Online')
    expect(await opened()).toEqual([])
    const { referenceNumber } = await openOnline(me, { formCode: formCodes.fa3 })
    expect(await opened()).toMatchObject([{ referenceNumber }])
  } finally {
    await inProcess.close()
  }
})

/** A client of a service whose search answers each page alike, but for the last ones. */
const searching = (pageOf: (offset: number) => object) => {
  let calls = 0
  const client = {
    call: () => {
      const body = { hasMore: true, isTruncated: false, invoices: [], ...pageOf(calls++) }
      return Promise.resolve({ status: 200, headers: {}, body })
    },
  } as unknown as Client
  return { client, calls: () => calls }
}

const filters = { subjectType: 'subject1' } as never

test('a search ends where the service truncates it', async () => {
  const { client, calls } = searching((offset) => ({ isTruncated: offset === 3 }))
  expect(await pages(client, filters)).toHaveLength(4)
  expect(calls()).toBe(4)
})

test('a search that never ends is given up', async () => {
  const { client, calls } = searching(() => ({}))
  await expect(pages(client, filters)).rejects.toThrow('a last page')
  expect(calls()).toBeLessThanOrEqual(1_001)
})
