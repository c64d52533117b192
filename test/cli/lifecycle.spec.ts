import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { test as base, expect } from '@playwright/test'
import type { Profile } from '../../reference/server/server.ts'
import { commandLine, runAssay } from '../served.ts'
import { run, runInProcess } from './in-process.ts'

/** The served reference as a process: how scripts start it, wait for it and end it. */

const test = base.extend<{ folder: string }>({
  folder: async ({}, use) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'assay-'))
    await use(folder)
    rmSync(folder, { recursive: true, force: true })
  },
})

type Ready = Profile & { readonly pid: number }

/** What the ready file holds, once it is there. */
const readyIn = async (file: string): Promise<Ready> => {
  while (!existsSync(file)) await sleep(50)
  return JSON.parse(readFileSync(file, 'utf8')) as Ready
}

const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

const ended = async (pid: number): Promise<void> => {
  while (alive(pid)) await sleep(20)
}

/** Listens where the service did: throws while the port is taken. */
const takePort = async (url: string): Promise<void> => {
  const server = createServer()
  server.listen(Number(new URL(url).port), '127.0.0.1')
  await once(server, 'listening')
  server.close()
}

const serveArguments = (ready: string): string[] => [
  'serve',
  '--port',
  '0',
  '--no-all-environments',
  '--threads',
  '0',
  '--ready-file',
  ready,
]

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`${signal} ends the service, frees its port and removes the ready file`, async ({
    folder,
  }) => {
    const file = path.join(folder, 'ready.json')
    const child = spawn(process.execPath, [commandLine(), ...serveArguments(file)], {
      stdio: 'ignore',
    })
    const exit = once(child, 'exit') as Promise<[number | null]>
    const { url, pid } = await readyIn(file)
    expect(pid).toBe(child.pid)
    // A connection that is kept alive does not hold the service up.
    expect((await fetch(`${url}/auth/challenge`, { method: 'POST' })).status).toBe(200)
    child.kill(signal)
    expect((await exit)[0]).toBe(0)
    await takePort(url)
    expect(existsSync(file)).toBe(false)
  })
}

test('ends with the shell in which npm ran it', async ({ folder }) => {
  const file = path.join(folder, 'ready.json')
  const command = [process.execPath, commandLine(), ...serveArguments(file)]
  // As npm does: a shell runs the command, and only the shell is killed.
  const shell = spawn('sh', ['-c', `${command.map((word) => `'${word}'`).join(' ')}; true`], {
    stdio: 'ignore',
    env: { ...process.env, npm_command: 'exec' },
  })
  const { url, pid } = await readyIn(file)
  expect(pid).not.toBe(shell.pid)
  shell.kill('SIGTERM')
  await ended(pid)
  await takePort(url)
})

test('keeps running when its shell ends without npm', async ({ folder }) => {
  const file = path.join(folder, 'ready.json')
  const command = [process.execPath, commandLine(), ...serveArguments(file)]
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')),
  )
  spawnSync('sh', ['-c', `${command.map((word) => `'${word}'`).join(' ')} >/dev/null 2>&1 &`], {
    env,
  })
  const { url, pid } = await readyIn(file)
  // Longer than the service needs to notice that its parent is gone.
  await sleep(400)
  expect((await fetch(`${url}/auth/challenge`, { method: 'POST' })).status).toBe(200)
  process.kill(pid, 'SIGTERM')
  await ended(pid)
})

test('--wait returns when the service is ready, in the background', async ({ folder }) => {
  const file = path.join(folder, 'ready.json')
  const { code, out } = await runAssay([...serveArguments(file), '--wait', '30'])
  expect(code).toBe(0)
  const { url, pid } = await readyIn(file)
  expect(out).toContain(url)
  expect(out).toContain(`kill ${pid}`)
  expect((await fetch(`${url}/auth/challenge`, { method: 'POST' })).status).toBe(200)
  process.kill(pid, 'SIGTERM')
  await ended(pid)
  expect(existsSync(file)).toBe(false)
})

test('--wait fails with the reason when the service cannot start', async ({ folder }) => {
  const taken = createServer()
  taken.listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  const file = path.join(folder, 'ready.json')
  try {
    const { code, err } = await runAssay([
      'serve',
      '--port',
      String(port),
      '--ready-file',
      file,
      '--wait=30',
    ])
    expect(code).toBe(3)
    expect(err).toContain(`cannot listen on 127.0.0.1:${port} (EADDRINUSE)`)
    expect(existsSync(file)).toBe(false)
  } finally {
    taken.close()
  }
})

test('fails to start when the ready file cannot be written', async ({ folder }) => {
  writeFileSync(path.join(folder, 'file'), 'not a directory')
  const { exit, err } = await runInProcess(serveArguments(path.join(folder, 'file/sub/ready.json')))
  expect(exit).toBe(2)
  expect(err).toContain('file that is not a directory')
})

for (const [wait, what] of [
  ['0', 'expected seconds from 1 to 3600'],
  ['soon', 'expected a number'],
] as const) {
  test(`--wait ${wait} is a usage error`, async () => {
    const { exit, err } = await run(`serve --wait ${wait}`)
    expect(exit).toBe(2)
    expect(err).toContain(what)
  })
}
