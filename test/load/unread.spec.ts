import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { findK6 } from '../../load/engine.ts'
import { invoices, isSubmission, spoiledAt } from './spoiled.ts'

/** Load runs whose invoices cannot be read afterwards: nothing is known about them, and reading stops. */

test.describe.configure({ mode: 'serial', timeout: 120_000 })

let folder = ''
test.beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'assay-unread-'))
})
test.afterAll(() => rmSync(folder, { recursive: true, force: true }))
test.beforeEach(async () => {
  const k6 = await findK6({ build: false })
  test.skip('missing' in k6, 'k6 is not installed')
})

for (const args of [[], ['--sessions', '2']])
  test(`a target that dies has lost nothing ${args.join(' ')}`, async () => {
    let submissions = 0
    const { exit, result } = await spoiledAt(
      folder,
      {
        instead: (call) => {
          if (isSubmission(call)) submissions += 1
          if (submissions > invoices / 2) throw new Error('the connection breaks')
          return undefined
        },
      },
      args,
    )
    const { account, verdict, reasons } = result
    expect(account.accepted).toBe(invoices / 2)
    expect(account.unread).toHaveLength(account.sent)
    expect([result.lost, account.unknown.notFound]).toEqual([0, []])
    expect(reasons.join()).toContain('sent to a session that could not be read after the run')
    expect(verdict).toBe('inconclusive')
    expect(exit).toBe(3)
  })

/** The continuation token on a page of a list of invoices that is not the last one. */
const endless = {
  'that repeats a token': () => 'again',
  'that never ends': (page: number) => `page-${page}`,
}

for (const [what, tokenOf] of Object.entries(endless))
  test(`a list ${what} is read only so far`, async () => {
    let pages = 0
    const { exit, result } = await spoiledAt(folder, {
      instead: ({ method, path: at }) => {
        if (method !== 'GET' || !/\/invoices\?pageSize/.test(at)) return undefined
        pages += 1
        const continuationToken = tokenOf(pages)
        return { status: 200, body: JSON.stringify({ invoices: [], continuationToken }) }
      },
    })
    expect(pages).toBeLessThanOrEqual(2 * invoices + 11)
    expect([result.lost, result.verdict, exit]).toEqual([0, 'inconclusive', 3])
    expect(result.reasons.join()).toContain('list the invoices: expected')
  })

test('a list that never ends is read no further when the run is interrupted', async () => {
  let pages = 0
  const stop = new AbortController()
  const { result } = await spoiledAt(
    folder,
    {
      instead: ({ method, path: at }) => {
        if (method !== 'GET' || !/\/invoices\?pageSize/.test(at)) return undefined
        pages += 1
        if (pages === 3) stop.abort()
        const body = JSON.stringify({ invoices: [], continuationToken: `page-${pages}` })
        return { status: 200, body }
      },
    },
    [],
    { signal: stop.signal },
  )
  expect(pages).toBeLessThan(6)
  expect(result.reasons.join()).toContain('was interrupted')
})
