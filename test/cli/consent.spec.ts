import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { expect, test } from '@playwright/test'
import { startServer } from '../../reference/server/server.ts'
import type { Server } from '../../reference/server/server.ts'
import { run, runInProcess } from './in-process.ts'
import { startRecorder } from './recorder.ts'
import type { Recorder } from './recorder.ts'

/**
 * Commands at a production service that has not consented: a recorder in front of it sees reading calls and logins,
 * and nothing else.
 */

const folder = mkdtempSync(path.join(tmpdir(), 'assay-consent-'))
let service: Server
let url = ''
let recorder: Recorder

test.beforeAll(async () => {
  service = await startServer({ environment: 'production', limits: 'off', seed: 7 })
  recorder = await startRecorder(service.url)
  url = recorder.url
})
test.afterAll(async () => {
  recorder.close()
  await service.close()
  rmSync(folder, { recursive: true })
})
test.beforeEach(() => void (recorder.seen.length = 0))

const writes = () => recorder.writes()

const profile = (name: string, more: object): string => {
  const file = path.join(folder, name)
  writeFileSync(file, JSON.stringify({ url, contexts: service.profile.contexts, ...more }))
  return file
}

const everything = ['token', 'second', 'provoke', 'hostile', 'bulk', 'testdata']

const check = (target: string, ...selectors: string[]) =>
  runInProcess(
    ['check', ...selectors, '--target', target, '--json', '--out', path.join(folder, 'out')],
    { env: { ...process.env, ASSAY_SEQUENCE: 'none' } },
  )

test('check writes nothing at a service that nobody declared', async () => {
  test.setTimeout(180_000)
  const { exit, out } = await check(profile('plain.json', {}), 'sessions.online.close', 'keys.list')
  expect(writes()).toEqual([])
  expect(JSON.parse(out)).toHaveProperty('totals.fail', 0)
  expect(recorder.seen.length, 'it reads').toBeGreaterThan(5)
  expect([0, 3]).toContain(exit)
})

test('a sibling receives reading calls and no burst, whatever the target may do', async () => {
  test.setTimeout(180_000)
  const target = await startServer({ limits: 'off', seed: 8 })
  try {
    const file = path.join(folder, 'sibling.json')
    const given = everything.filter((capability) => !['provoke', 'second'].includes(capability))
    const sibling = { url, contexts: service.profile.contexts, capabilities: given }
    const capabilities = [...everything, 'env']
    const elsewhere = { demo: sibling, production: sibling }
    writeFileSync(file, JSON.stringify({ ...target.profile, capabilities, elsewhere }))
    const { out } = await check(
      file,
      'testdata.only-in-test',
      'auth.xades.self-signed-by-environment',
      'keys.list.production-calendar',
      'limits.rate.by-environment',
    )
    expect(JSON.parse(out)).toHaveProperty('totals.pass')
    expect(JSON.parse(out)).toHaveProperty('totals.fail', 0)
    expect(recorder.seen.filter((one) => one.url.includes('/sessions'))).toEqual([])
    expect(writes()).toEqual([])
    expect(recorder.seen.length).toBeGreaterThan(0)
  } finally {
    await target.close()
  }
})

for (const command of ['load', 'load limit-edge', 'limits identify', 'limits tune'])
  test(`${command} refuses a service that did not consent, before any call is counted`, async () => {
    const provoking = { environment: 'production', capabilities: everything }
    for (const more of [{}, provoking]) {
      const target = profile('load.json', more)
      const { exit, err } = await runInProcess([...command.split(' '), '--target', target])
      expect(err).toContain('expected a consent file that names load')
      expect(exit).toBe(2)
    }
    expect(writes()).toEqual([])
  })

test('doctor reads and logs in, and says that the service is read only', async () => {
  const { out } = await runInProcess(['doctor', '--target', profile('doctor.json', {})])
  expect(out).toContain('production: read only')
  expect(writes()).toEqual([])
})

test('plan reads the limits, and init looks at the service: neither writes', async () => {
  const target = profile('plan.json', {})
  const planned = await run(`plan --invoices 10 --limits ${target} --json`)
  expect(planned.exit, planned.err).toBe(0)
  expect(recorder.seen.length).toBeGreaterThan(0)
  recorder.seen.length = 0
  const written = path.join(folder, 'written.json')
  const begun = await run(`init ${url} --file ${written}`)
  expect(begun.exit, begun.err).toBe(0)
  expect(recorder.seen.length).toBeGreaterThan(0)
  expect(writes()).toEqual([])
})

/** What a client sees behind `assay record`, and how the recording ends. */
const recorded = async (target: string) => {
  const stop = new AbortController()
  let printed = ''
  const ended = runInProcess(
    ['record', '--target', target, '--history', path.join(folder, 'history.json')],
    { signal: stop.signal, err: (text) => void (printed += text) },
  )
  await expect.poll(() => printed).toContain('point the client at')
  const proxy = /point the client at (\S+);/.exec(printed)?.[1] ?? ''
  const read = await fetch(`${proxy}/security/public-key-certificates`)
  const written = await fetch(`${proxy}/sessions/online`, { method: 'POST', body: '{}' })
  const answer = await written.text()
  stop.abort()
  const { exit } = await ended
  return { read: read.status, written: written.status, answer, printed, exit }
}

test('record withholds the writing calls of a client at a service that did not consent', async () => {
  const { read, written, answer, printed, exit } = await recorded(profile('record.json', {}))
  expect(read).toBe(200)
  expect(written).toBe(403)
  expect(answer).toContain('Withheld by assay record')
  expect(printed).toContain('withheld: no consent to write')
  expect(exit).toBe(3)
  expect(writes()).toEqual([])
})

test('record forwards the writing calls that a consent names', async () => {
  const consent = { address: url, contexts: ['*'], operations: ['sessions.*'], until: '2099-12-31' }
  writeFileSync(path.join(folder, 'consent.json'), JSON.stringify(consent))
  const { answer, printed } = await recorded(profile('agreed.json', { consent: 'consent.json' }))
  expect(answer).not.toContain('Withheld')
  expect(printed).not.toContain('withheld')
  expect(writes().map((one) => new URL(one.url).pathname)).toEqual(['/api/v2/sessions/online'])
})
