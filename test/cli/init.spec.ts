import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { capabilityGains } from '../../cli/capability-gain.ts'
import { rules } from '../../contract/rules.ts'
import { capabilities } from '../../contract/types.ts'
import type { Capability, Rule } from '../../contract/types.ts'
import { readTarget } from '../../lib/node/target.ts'
import { startServer } from '../../reference/server/server.ts'
import { runInProcess } from './in-process.ts'

test('init finds the prefix, writes a valid profile, and keeps an existing file', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-init-'))
  const service = await startServer({ limits: 'off', seed: 3 })
  try {
    const file = path.join(folder, 'target.json')
    const made = await runInProcess(['init', new URL(service.url).origin, '--file', file])
    expect(made, made.err).toMatchObject({ exit: 0 })
    expect(readTarget(file, { env: {}, cwd: folder })).toMatchObject({
      url: service.url,
      environment: 'test',
      capabilities: ['testdata'],
    })
    const before = readFileSync(file, 'utf8')
    const again = await runInProcess(['init', service.url, '--file', file])
    expect(again.exit).toBe(2)
    expect(again.err).toContain('already exists')
    expect(readFileSync(file, 'utf8')).toBe(before)
  } finally {
    await service.close()
    rmSync(folder, { recursive: true })
  }
})

test('init reports what answered instead of a service', async () => {
  const nothing = await runInProcess(['init', 'http://127.0.0.1:1/api/v2'])
  expect(nothing.exit).toBe(3)
  expect(nothing.err).toContain('target.tcp')
  expect((await runInProcess(['init', 'host'])).exit).toBe(2)
})

test('a capability adds the checks of the rules that lack nothing else', () => {
  const rows = Object.entries(rules as Readonly<Record<string, Rule>>)
  const checks = new Map(rows.map(([id]) => [id, 1]))
  const all = Object.keys(capabilities) as Capability[]
  for (const capability of all) {
    const held = new Set(all.filter((one) => one !== capability))
    const expected = rows.filter(([, { needs = [] }]) => needs.includes(capability)).length
    const gains = capabilityGains(held, checks)
    expect(gains).toEqual(expected === 0 ? [] : [{ capability, checks: expected }])
  }
})
