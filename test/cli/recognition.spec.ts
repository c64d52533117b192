import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { expect, test } from '@playwright/test'
import { startServer } from '../../reference/server/server.ts'
import type { Server } from '../../reference/server/server.ts'
import { runInProcess } from './in-process.ts'
import { startRecorder } from './recorder.ts'
import type { Recorder } from './recorder.ts'

/** Production is recognized, whatever its profile or a gateway says, before anything is written there. */

const folder = mkdtempSync(path.join(tmpdir(), 'assay-recognition-'))
let service: Server
let recorder: Recorder

test.beforeAll(async () => {
  service = await startServer({ environment: 'production', limits: 'off', seed: 7 })
  recorder = await startRecorder(service.url)
})
test.afterAll(async () => {
  recorder.close()
  await service.close()
  rmSync(folder, { recursive: true })
})
test.beforeEach(() => {
  recorder.seen.length = 0
  recorder.unknownPaths = undefined
})

const profile = (name: string, more: object): string => {
  const file = path.join(folder, name)
  const { contexts } = service.profile
  writeFileSync(file, JSON.stringify({ url: recorder.url, contexts, ...more }))
  return file
}

const gateways = {
  'wants credentials': { status: 401, body: '{}' },
  'allows no GET': { status: 405, body: '{}' },
  'refuses in the form of the contract': {
    status: 401,
    body: JSON.stringify({ code: 401, description: 'no' }),
  },
} as const

for (const [what, answer] of Object.entries(gateways))
  test(`production that nobody declared is no test environment behind a gateway that ${what}`, async () => {
    recorder.unknownPaths = answer
    const target = profile('gateway.json', {})
    const { exit, err } = await runInProcess(['load', '--target', target], { env: process.env })
    expect(err).toContain('expected a consent file that names load')
    expect(exit).toBe(2)
    expect(recorder.writes()).toEqual([])
  })

test('load at an address that no service answers at names that, not a missing consent', async () => {
  const page = createServer((_, answer) => {
    answer.writeHead(200, { 'content-type': 'text/html' }).end('<!DOCTYPE html><title>Sign in')
  })
  await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve))
  try {
    const url = `http://127.0.0.1:${(page.address() as AddressInfo).port}/api/v2`
    for (const [target, fault] of [
      [url, 'target.html: '],
      ['http://127.0.0.1:1/api/v2', 'target.tcp: '],
    ] as const) {
      const { exit, err } = await runInProcess(['load', '--target', target])
      expect(err).toContain(`the target cannot be checked; nothing was run\n  ${fault}`)
      expect(err).not.toContain('consent')
      expect(exit).toBe(3)
    }
  } finally {
    page.close()
  }
})

test('check sends no test data to production behind a gateway', async () => {
  test.setTimeout(180_000)
  recorder.unknownPaths = gateways['wants credentials']
  const { out, err } = await runInProcess(
    [
      'check',
      'testdata.permissions',
      'keys.list',
      '--target',
      profile('gateway.json', {}),
      '--json',
      '--out',
      path.join(folder, 'out'),
    ],
    { env: { ...process.env, ASSAY_SEQUENCE: 'none' } },
  )
  expect(out, err).not.toBe('')
  expect(JSON.parse(out)).toHaveProperty('totals.pass')
  expect(recorder.writes()).toEqual([])
})

test('a profile that calls production a test environment is refused before anything is sent', async () => {
  const target = profile('wrong.json', {
    environment: 'test',
    capabilities: ['provoke', 'testdata'],
  })
  for (const line of [
    ['check', 'sessions.online.close', 'keys.list', '--out', path.join(folder, 'out')],
    ['load'],
    ['record', '--history', path.join(folder, 'history.json')],
    ['limits', 'identify'],
    ['limits', 'tune'],
    ['load', 'limit-edge'],
  ]) {
    const { exit, err } = await runInProcess([...line, '--target', target], { env: process.env })
    expect(err, line.join(' ')).toContain('the profile names the environment test, but')
    expect(exit, err).toBe(3)
  }
  expect(recorder.writes()).toEqual([])
  expect(recorder.seen.filter((one) => one.url.includes('/auth/token/redeem'))).toEqual([])
})

test('the management port of another service is no consent', async () => {
  const other = await startServer({ limits: 'off', managementPort: 0, seed: 10 })
  try {
    const { managementUrl: management } = other
    const own = profile('port.json', { environment: 'production', management })
    const sibling = { url: recorder.url, management, contexts: service.profile.contexts }
    const beside = path.join(folder, 'beside.json')
    writeFileSync(beside, JSON.stringify({ ...other.profile, elsewhere: { demo: sibling } }))
    for (const target of [own, beside])
      for (const line of [['check', 'sessions.online.close', 'keys.list'], ['load'], ['record']]) {
        const { exit, err } = await runInProcess([...line, '--target', target], {
          env: process.env,
          signal: AbortSignal.timeout(20_000),
        })
        expect(err, line.join(' ')).toContain(`states that it belongs to ${other.url}, not to`)
        expect(exit, err).toBe(3)
      }
    expect(recorder.writes()).toEqual([])
  } finally {
    await other.close()
  }
})

test('production whose keys were replaced is recognized by its refusal of a self-signed seal', async () => {
  const later = await startServer({
    environment: 'production',
    limits: 'off',
    managementPort: 0,
    seed: 9,
  })
  try {
    for (const usage of ['SvcTokenEncryption', 'SymmetricKeyEncryption']) {
      const rotated = await fetch(`${later.managementUrl}/keys/rotate`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ usage }),
      })
      expect(rotated.status).toBe(200)
    }
    const file = path.join(folder, 'later.json')
    writeFileSync(file, JSON.stringify({ url: later.url, environment: 'test', capabilities: [] }))
    const { out } = await runInProcess(['doctor', '--target', file])
    expect(out).toContain('refuses a self-signed seal')
  } finally {
    await later.close()
  }
})
