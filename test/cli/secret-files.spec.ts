import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { expect, test } from '@playwright/test'
import { run } from './in-process.ts'

/** `doctor` and `load` read tokens of a profile and leave none on disk, whatever the target does. */

let folder: string
let temporary: string
let service: Server
const { TMPDIR: before } = process.env

test.beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'assay-secrets-'))
  temporary = path.join(folder, 'tmp')
  mkdirSync(temporary)
  process.env['TMPDIR'] = temporary
  service = createServer((_, answer) => {
    answer.writeHead(500, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
})
test.afterEach(() => {
  service.close()
  if (before === undefined) delete process.env['TMPDIR']
  else process.env['TMPDIR'] = before
  rmSync(folder, { recursive: true })
})

const profile = (more: object = {}): string => {
  const file = path.join(folder, 'target.json')
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}/api/v2`
  const contexts = [
    { kind: 'Nip', value: '5265877635', token: '20260615-EC-A|nip-5265877635|secret' },
  ]
  writeFileSync(file, JSON.stringify({ url, contexts, capabilities: [], ...more }))
  return file
}

const rows: readonly (readonly [what: string, command: string, more: object, exit: number])[] = [
  ['doctor at a target that fails', 'doctor', { environment: 'test' }, 3],
  ['load at a target that fails', 'load', { environment: 'test' }, 3],
  ['load without consent', 'load', { environment: 'production' }, 2],
]

for (const [what, command, more, exit] of rows)
  test(`${what} leaves no file or process`, async () => {
    const file = profile(more)
    const said = await run(`${command} --target ${file}`, { env: { K6_BINARY: '/nonexistent' } })
    expect(said.exit, said.err).toBe(exit)
    expect(readdirSync(temporary, { recursive: true })).toEqual([])
  })
