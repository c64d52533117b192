import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { expect, test } from '@playwright/test'
import type { LoadResult } from '../../cli/load/result.ts'
import { makeInvoice } from '../../generators/invoice/invoice.ts'
import { findK6 } from '../../load/engine.ts'
import { runInProcess } from '../cli/in-process.ts'
import { serve } from '../served.ts'
import { startProxy } from './lossy-proxy.ts'
import type { Call, Spoiler } from './lossy-proxy.ts'
import { invoices, isSubmission, loadAt, seed, sized, spoiledAt } from './spoiled.ts'

/** Load runs against services with a defect: each is named, with the number of its invoice. */

test.describe.configure({ mode: 'serial', timeout: 120_000 })

let folder = ''
test.beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'assay-litmus-'))
})
test.afterAll(() => rmSync(folder, { recursive: true, force: true }))
test.beforeEach(async () => {
  const k6 = await findK6({ build: false })
  test.skip('missing' in k6, 'k6 is not installed')
})

const load = (profile: object, args: readonly string[]) => loadAt(folder, profile, args)
const spoiled = (spoiler: Spoiler, args?: readonly string[], ofSize?: readonly string[]) =>
  spoiledAt(folder, spoiler, args, { ofSize })

/** Picks one submission, by its place. */
const nth = (place: number) => {
  let seen = 0
  return (call: Call): boolean => isSubmission(call) && (seen += 1) === place
}

const hashIn = ({ body }: Call): string =>
  (JSON.parse(body.toString('utf8')) as { invoiceHash: string }).invoiceHash

/** The number of the invoice with this hash: every document of the run is generated again to find it. */
const numberOf = (hash: string, seller: string, { started }: LoadResult): string | undefined => {
  const issueDate = started.slice(0, 10)
  const numbers = Array.from({ length: invoices }, (_, i) => `litmus/${i + 1}`)
  return numbers.find((number, i) => {
    const xml = makeInvoice({ seller, number, issueDate, profile: 'services' }, seed + i)
    return createHash('sha256').update(xml).digest('base64') === hash
  })
}

const accepted = JSON.stringify({ referenceNumber: '20260615-EE-2F6A9B0C1D-0E3F4A5B6C-7D' })

/** Lists of the account that are not empty. */
const foundIn = ({ account }: LoadResult): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(account).filter(([, numbers]) => Array.isArray(numbers) && numbers.length > 0),
  )

test('a service without defects passes, and the run is stored', async () => {
  const { exit, result, err } = await spoiled({}, ['--sessions', '2'])
  expect(result.reasons).toEqual([])
  expect(foundIn(result)).toEqual({})
  expect(result).toMatchObject({ verdict: 'pass', accepted: invoices, sessions: 2 })
  expect(exit).toBe(0)
  expect(err).toContain(`seed 7; preparing ${invoices} invoices for 2 sessions`)
  expect(result.id).toContain('session-throughput-smoke')
  expect(readdirSync(folder).toSorted()).toEqual(
    expect.arrayContaining(['result.json', 'trace.ndjson']),
  )
  const trace = readFileSync(path.join(folder, 'trace.ndjson'), 'utf8').trim().split('\n')
  expect(trace).toHaveLength(invoices + 2)
})

/** Defects that show in one invoice: the list of the account that contains it, and how the reason begins. */
const defects: Readonly<
  Record<
    string,
    {
      readonly list: 'lost' | 'doubled' | 'wrongHash'
      readonly reason: string
      readonly spoil: (picks: (call: Call) => boolean, hash: () => string) => Spoiler
    }
  >
> = {
  'accepted and then lost': {
    list: 'lost',
    reason: '1 invoice accepted and in no session: ',
    spoil: (picks) => ({
      instead: (call) => (picks(call) ? { status: 202, body: accepted } : undefined),
    }),
  },
  doubled: {
    list: 'doubled',
    reason: '1 invoice in a session more than once: ',
    spoil: (picks) => ({ times: (call) => (picks(call) ? 2 : 1) }),
  },
  'accepted with a wrong hash': {
    list: 'wrongHash',
    reason: '1 invoice listed with the hash of another document: ',
    spoil: (picks, hash) => ({
      answer: (call, body) => {
        picks(call)
        if (call.method !== 'GET' || !/\/invoices\?pageSize/.test(call.path)) return body
        return body.replace(hash(), createHash('sha256').update('another').digest('base64'))
      },
    }),
  },
}

for (const [what, { list, reason, spoil }] of Object.entries(defects))
  test(`one invoice that is ${what} is named`, async () => {
    const isPicked = nth(Math.ceil(invoices / 3))
    let hash = ''
    const picks = (call: Call): boolean => {
      const picked = isPicked(call)
      if (picked) hash = hashIn(call)
      return picked
    }
    const { exit, result, seller } = await spoiled(
      spoil(picks, () => hash),
      ['--namespace', 'litmus'],
    )
    const number = numberOf(hash, seller, result)
    expect(number, 'the invoice that was spoiled').toBeDefined()
    expect(foundIn(result)).toEqual({ [list]: [number] })
    expect(result.reasons).toContain(`${reason}${number}`)
    expect(exit).toBe(5)
  })

test('a lost response leaves the outcome unknown until the list contains the invoice', async () => {
  const pick = nth(5)
  const { exit, result } = await spoiled({
    answer: (call, body) => {
      if (pick(call)) throw new Error('the connection breaks')
      return body
    },
  })
  expect(result.account.unknown.found).toHaveLength(1)
  expect(result.account.unknown.notFound).toEqual([])
  expect(result.verdict).toBe('pass')
  expect(exit).toBe(0)
})

test('a batch that is uploaded in parts is accounted for by number', async () => {
  const { exit, result } = await spoiled({}, [
    'batch-upload',
    '--sessions',
    '2',
    '--part-bytes',
    '9000',
  ])
  expect(result.reasons).toEqual([])
  expect(result).toMatchObject({ scenario: 'batch-upload', accepted: invoices, sessions: 2 })
  expect(result.requests, 'parts').toBeGreaterThan(2)
  expect(exit).toBe(0)
})

test('access tokens that expire within seconds are renewed in time', async () => {
  const lifeMs = 5000
  const ends = new Map<string, number>()
  const { exit, result } = await spoiled(
    {
      answer: ({ path: at }, body) => {
        if (!at.endsWith('/auth/token/refresh')) return body
        const { accessToken } = JSON.parse(body) as { accessToken: { token: string } }
        const end = Date.now() + lifeMs
        ends.set(`Bearer ${accessToken.token}`, end)
        const validUntil = new Date(end).toISOString()
        return JSON.stringify({ accessToken: { ...accessToken, validUntil } })
      },
      instead: ({ headers }) =>
        Date.now() < (ends.get(headers.authorization ?? '') ?? Infinity)
          ? undefined
          : { status: 401, body: '{}' },
    },
    [],
    sized(5),
  )
  expect(result.reasons).toEqual([])
  expect(result).toMatchObject({ accepted: invoices })
  expect(exit).toBe(0)
})

test('a frozen service is not reported as fast', async () => {
  const served = await serve()
  const { origin } = new URL(served.profile.url)
  const pick = nth(60)
  const proxy = await startProxy(origin, {
    instead: (call) => {
      if (!pick(call)) return undefined
      process.kill(served.pid, 'SIGSTOP')
      setTimeout(() => process.kill(served.pid, 'SIGCONT'), 5000)
      return undefined
    },
  })
  try {
    const url = served.profile.url.replace(origin, proxy.origin)
    const { contexts } = served.profile
    const { exit, result } = await load({ url, contexts }, ['--count', '400', '--rate', '50'])
    expect(result.fromIntendedStart.p95, 'the stall shows').toBeGreaterThan(2000)
    expect(result.dropped, 'arrivals that came too late').toBeGreaterThan(0)
    expect(result.account.notSent).toHaveLength(result.dropped)
    expect(result.verdict).toBe('inconclusive')
    expect(exit).toBe(3)
  } finally {
    await proxy.close()
    await served.stop()
  }
})

test('load needs the consent of the operator on other machines', async () => {
  const target = path.join(folder, 'elsewhere.json')
  const profile = { url: 'http://192.0.2.1/api/v2', environment: 'test', capabilities: [] }
  writeFileSync(target, JSON.stringify(profile))
  const { exit, err } = await runInProcess(['load', '--target', target], { cwd: folder })
  expect(err).toContain('expected a consent file that names load')
  expect(exit).toBe(2)
})
