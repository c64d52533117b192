import { expect, test } from '@playwright/test'
import type { Client } from '../../lib/client.ts'
import { openOnline } from '../../lib/flows/session.ts'
import { selfSigned } from '../../suites/support/service/contexts.ts'
import { formCodes } from '../../suites/support/checks/forms.ts'
import { startOwnWork } from '../../suites/support/run/own-work.ts'
import { opensNothing } from '../../suites/support/scenes/remembered.ts'
import { pages } from '../../suites/support/steps/searches.ts'
import { openInProcess } from '../../suites/support/service/target.ts'
import { clientInProcess, loginBy } from '../client-in-process.ts'

/** Where a target has one context, a check finds what earlier checks and runs left there. */

test.afterEach(() => startOwnWork(false))

/** Looks for sessions that a call opened, in a context where another one had been opened before. */
const look = async (work: (open: () => Promise<unknown>) => Promise<void>): Promise<void> => {
  const inProcess = await openInProcess({ seed: 7, dialect: 'svc' })
  try {
    const { me } = await loginBy(
      clientInProcess(inProcess),
      selfSigned('5265877635', inProcess.now),
    )
    const open = () => openOnline(me, { formCode: formCodes.fa3 })
    await open()
    startOwnWork(true)
    const sleep = () => work(open)
    await opensNothing({ ...me, sleep }, 'Online', () => work(open))
  } finally {
    await inProcess.close()
  }
}

test('sessions that were there before a check, or that another opened once, are none that its calls opened', async () => {
  await look(async () => {})
  let calls = 0
  await look(async (open) => {
    calls += 1
    if (calls === 1) await open()
  })
  expect(calls, 'made once more').toBe(2)
})

test('a session that appears each time, and only with the calls, was opened by them', async () => {
  let calls = 0
  const twice = look(async (open) => {
    calls += 1
    if (calls < 3) await open()
  })
  await expect(twice).rejects.toThrow('sessions after the rejection')
  await expect(look(async (open) => void (await open()))).rejects.toThrow(
    'others work in the context at the same time',
  )
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
