import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { expect, test } from '@playwright/test'
import { main } from '../../cli/main.ts'
import type { LoadResult } from '../../cli/load/result.ts'
import { findK6 } from '../../load/engine.ts'
import { startServer } from '../../reference/server/server.ts'
import { serve } from '../served.ts'
import { startProxy } from './lossy-proxy.ts'
import type { Call, Spoiler } from './lossy-proxy.ts'

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

const load = async (
  profile: object,
  ...args: string[]
): Promise<{ readonly exit: number; readonly result: LoadResult; readonly err: string }> => {
  const target = path.join(folder, 'target.json')
  writeFileSync(target, JSON.stringify(profile))
  const said = { out: '', err: '' }
  const exit = await main(
    [
      'load',
      '--target',
      target,
      '--limits',
      'off',
      '--out',
      folder,
      '--json',
      '--seed',
      '7',
      ...args,
    ],
    {
      out: (text) => void (said.out += text),
      err: (text) => void (said.err += text),
      env: process.env,
      cwd: folder,
      interactive: false,
      signal: new AbortController().signal,
    },
  )
  expect(said.out, said.err).not.toBe('')
  return { exit, result: JSON.parse(said.out) as LoadResult, err: said.err }
}

/** Runs 40 invoices at a reference behind a proxy. */
const spoiled = async (spoiler: Spoiler, ...args: string[]) => {
  const server = await startServer({ port: 0, managementPort: 0, seed: 3, limits: 'off' })
  const proxy = await startProxy(server.origin, spoiler)
  try {
    const url = server.url.replace(server.origin, proxy.origin)
    const { contexts } = server.profile
    return await load({ url, contexts }, '--count', '40', '--rate', '40', ...args)
  } finally {
    await proxy.close()
    await server.close()
  }
}

const isSubmission = ({ method, path: at }: Call): boolean =>
  method === 'POST' && at.endsWith('/invoices')

/** Picks one submission, by its place. */
const nth = (place: number) => {
  let seen = 0
  return (call: Call): boolean => isSubmission(call) && (seen += 1) === place
}

const accepted = JSON.stringify({ referenceNumber: '20260615-EE-2F6A9B0C1D-0E3F4A5B6C-7D' })

test('a service without defects passes, and the run is stored', async () => {
  const { exit, result, err } = await spoiled({}, '--sessions', '2')
  expect(result.reasons).toEqual([])
  expect(result).toMatchObject({ verdict: 'pass', accepted: 40, sessions: 2, lost: 0, doubled: 0 })
  expect(exit).toBe(0)
  expect(err).toMatch(/seed 7; preparing 40 invoices for 2 sessions/)
  expect(result.id).toContain('session-throughput-smoke')
  expect(readdirSync(folder).toSorted()).toEqual(
    expect.arrayContaining(['result.json', 'trace.ndjson']),
  )
  const trace = readFileSync(path.join(folder, 'trace.ndjson'), 'utf8').trim().split('\n')
  expect(trace).toHaveLength(42)
})

test('an invoice that is accepted and then lost is named', async () => {
  const pick = nth(17)
  const { exit, result } = await spoiled({
    instead: (call) => (pick(call) ? { status: 202, body: accepted } : undefined),
  })
  expect(result.account.lost).toHaveLength(1)
  expect(result.reasons.join()).toContain(
    `1 invoice accepted and in no session: ${result.account.lost[0]}`,
  )
  expect(exit).toBe(5)
})

test('an invoice that arrives twice is named', async () => {
  const pick = nth(9)
  const { exit, result } = await spoiled({ times: (call) => (pick(call) ? 2 : 1) })
  expect(result.account.doubled).toHaveLength(1)
  expect(result.reasons.join()).toContain('in a session more than once')
  expect(exit).toBe(5)
})

test('an invoice that is listed with a wrong hash is named', async () => {
  const { exit, result } = await spoiled({
    answer: ({ method, path: at }, body) => {
      if (method !== 'GET' || !/\/invoices\?pageSize/.test(at)) return body
      const list = JSON.parse(body) as { invoices: { invoiceHash: string }[] }
      const [first, second] = list.invoices
      if (first !== undefined && second !== undefined) first.invoiceHash = second.invoiceHash
      return JSON.stringify(list)
    },
  })
  expect(result.account.wrongHash).toHaveLength(1)
  expect(exit).toBe(5)
})

test('a lost response leaves the outcome unknown until the list contains the invoice', async () => {
  const pick = nth(5)
  const server = await startServer({ port: 0, managementPort: 0, seed: 3, limits: 'off' })
  const proxy = await startProxy(server.origin, {
    answer: (call, body) => {
      if (pick(call)) throw new Error('the connection breaks')
      return body
    },
  })
  try {
    const url = server.url.replace(server.origin, proxy.origin)
    const { contexts } = server.profile
    const { exit, result } = await load({ url, contexts }, '--count', '40', '--rate', '40')
    expect(result.account.unknown.found).toHaveLength(1)
    expect(result.account.unknown.notFound).toEqual([])
    expect(result.verdict).toBe('pass')
    expect(exit).toBe(0)
  } finally {
    await proxy.close()
    await server.close()
  }
})

test('a batch that is uploaded in parts is accounted for by number', async () => {
  const { exit, result } = await spoiled(
    {},
    'batch-upload',
    '--sessions',
    '2',
    '--part-bytes',
    '9000',
  )
  expect(result.reasons).toEqual([])
  expect(result).toMatchObject({ scenario: 'batch-upload', accepted: 40, sessions: 2 })
  expect(result.requests, 'parts').toBeGreaterThan(2)
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
    const { exit, result } = await load({ url, contexts }, '--count', '400', '--rate', '50')
    expect(result.fromIntendedStart.max, 'the stall shows').toBeGreaterThan(2000)
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
  const said: string[] = []
  const target = path.join(folder, 'elsewhere.json')
  const profile = { url: 'http://192.0.2.1/api/v2', environment: 'test', capabilities: [] }
  writeFileSync(target, JSON.stringify(profile))
  const exit = await main(['load', '--target', target], {
    out: () => undefined,
    err: (text) => void said.push(text),
    env: {},
    cwd: folder,
    interactive: false,
    signal: new AbortController().signal,
  })
  expect(said.join('')).toContain('expected a consent file that names load')
  expect(exit).toBe(2)
})
