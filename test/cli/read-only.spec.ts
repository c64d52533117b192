import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { expect, test } from '@playwright/test'
import { certifyBy, partsOf } from '../../cli/commands/certify.ts'
import type { Io } from '../../cli/io.ts'
import { ruleIds } from '../../contract/rules.ts'
import { startServer } from '../../reference/server/server.ts'
import { exhaustive, sampleNote, sampleSeed, sampled } from '../sample.ts'
import { certifyArgs } from './certify-args.ts'
import { startRecorder } from './recorder.ts'

/**
 * Some checks of each run, under a new seed, and all of them in an exhaustive one, at a production service that has not
 * consented: a recorder in front of it sees reading calls and logins. What every check calls is guarded alike
 * (test/lib/ways-out.spec.ts).
 */

// The service has no limits, so that rules about them fail.
const rules = ruleIds.filter(
  (id) => !id.startsWith('limits.') && id !== 'auth.challenge.address-limit',
)
const tried = ['sessions.online.close', 'keys.list', ...sampled(rules, 25, 'read only')]

interface Result {
  readonly findings: readonly { readonly verdict: string; readonly reason?: string }[]
  readonly totals: Readonly<Record<string, number>>
  readonly load: unknown
}

test('certify writes nothing at a production service without consent, whatever it checks', async () => {
  test.setTimeout(exhaustive ? 1_800_000 : 180_000)
  console.log(`read only: ${sampleNote}: ${tried.join(' ')}`)
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-read-only-'))
  const service = await startServer({ environment: 'production', limits: 'off', seed: 7 })
  // Logins that are processed at once: the checks wait for nothing else.
  service.reference.control.delay('authentication', -60_000)
  const recorder = await startRecorder(service.url)
  try {
    const target = path.join(folder, 'target.json')
    const profile = {
      url: recorder.url,
      contexts: service.profile.contexts,
      environment: 'production',
      capabilities: ['token', 'provoke', 'hostile', 'bulk', 'testdata'],
      rateFactor: 1000,
    }
    writeFileSync(target, JSON.stringify(profile))
    let said = ''
    const io: Io = {
      out: (text) => void (said += text),
      err: () => undefined,
      // Allure's HTML takes longer than all the rest.
      env: { ...process.env, ASSAY_SEQUENCE: 'none', JAVA_HOME: '/nonexistent' },
      cwd: folder,
      interactive: false,
      signal: new AbortController().signal,
    }
    const args = { ...certifyArgs, json: true, target, out: folder, seed: sampleSeed }
    const chosen = { selectors: exhaustive ? [] : tried, quick: !exhaustive }
    // The examination of the model client has a reference of its own.
    const parts = { ...partsOf(args, folder, io, chosen), client: () => Promise.resolve([]) }
    await certifyBy(parts, folder, args, io)

    expect(recorder.writes()).toEqual([])
    expect(recorder.seen.length, 'it reads').toBeGreaterThan(20)
    const { findings, totals, load } = JSON.parse(said) as Result
    const withoutConsent = 'expected a consent file that names load'
    expect(load).toHaveProperty('notRun', expect.stringContaining(withoutConsent))
    expect(totals['broken']).toBe(0)
    expect(totals['pass']).toBeGreaterThan(0)
    const refused = findings.filter(({ reason = '' }) => reason.includes('no consent to write'))
    expect(refused.length).toBeGreaterThan(3)
    expect(new Set(refused.map(({ verdict }) => verdict))).toEqual(new Set(['not-verifiable']))
  } finally {
    recorder.close()
    await service.close()
    rmSync(folder, { recursive: true })
  }
})
