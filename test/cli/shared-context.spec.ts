import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { expect, test } from '@playwright/test'
import { startServer } from '../../reference/server/server.ts'
import type { Finding } from '../../reports/finding.ts'
import { runInProcess } from './in-process.ts'

/** A target with one context that all checks share: what earlier checks and runs left there fails none. */

test('a second run in the same context has the same verdict', async () => {
  test.setTimeout(60_000)
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-shared-'))
  const service = await startServer({ environment: 'demo', seed: 9, limits: 'off' })
  try {
    const { url, contexts } = service.profile
    const target = path.join(folder, 'target.json')
    const capabilities = ['token', 'provoke']
    // Nothing limits there, and no pace is needed.
    const profile = { url, environment: 'demo', contexts, capabilities, rateFactor: 1000 }
    writeFileSync(target, JSON.stringify(profile))
    // A forger needs no login to the context that it names. That the last one cannot be verified shows only after it has
    // logged in.
    const some =
      '(enrol / invalid request, missing|revoke / listed|forged-refused / payload|tampered-refused / context|wrapping-refused / first object|receipts.ways / response)$'
    for (const run of ['first', 'second']) {
      const out = path.join(folder, run)
      const args = ['check', '--grep', some, '--target', target, '--seed', '3', '--out', out]
      // Calls of the first run make the second one wait, which is not looked at here.
      const env = { ...process.env, ASSAY_CACHE: path.join(folder, `cache-${run}`) }
      const { exit, err } = await runInProcess(args, { cwd: folder, env })
      expect(exit, err).toBe(0)
      const findings = readFileSync(path.join(out, 'findings.ndjson'), 'utf8').trim().split('\n')
      const read = findings.map((line) => JSON.parse(line) as Finding)
      expect(read.filter(({ verdict }) => verdict === 'pass').length, run).toBe(5)
      const ended = read.filter(({ verdict }) => verdict === 'not-verifiable')
      expect(ended.map(({ rule }) => rule)).toEqual(['receipts.ways'])
      const login = ended.flatMap(({ left = [] }) => left).find(({ what }) => what === 'login')
      expect(login, 'what it left before it ended').toMatchObject({ what: 'login', removed: true })
    }
  } finally {
    await service.close()
    rmSync(folder, { recursive: true })
  }
})
