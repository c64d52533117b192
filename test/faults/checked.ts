import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Finding } from '../../reports/finding.ts'
import type { Profile } from '../../reference/server/server.ts'
import { runAssay, serve } from '../served.ts'
import type { Behaviour } from './proxy.ts'
import { openFaultProxy } from './proxy.ts'

/** What `assay check --json` says about a service. */
export interface Checked {
  readonly code: number | null
  readonly err: string
  readonly findings: readonly Finding[]
  readonly verdict: string | undefined
  readonly ms: number
}

const parsed = (out: string): { findings?: readonly Finding[]; verdict?: string } => {
  try {
    return JSON.parse(out) as { findings?: readonly Finding[]; verdict?: string }
  } catch {
    return {}
  }
}

/** Checks a sound reference behind a proxy that misbehaves, by the built command line. */
export const checkFaulty = async (
  behaviour: Behaviour,
  selectors: readonly string[],
  profile: Readonly<Record<string, unknown>> = {},
): Promise<Checked> => {
  const served = await serve('--seed', '7')
  const proxy = await openFaultProxy(new URL(served.profile.url).origin, behaviour)
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-faults-'))
  try {
    const file = path.join(folder, 'target.json')
    writeFileSync(file, JSON.stringify(behind(served.profile, proxy.origin, profile)))
    const started = Date.now()
    const options = ['--target', file, '--seed', '7', '--json', '--out', path.join(folder, 'out')]
    const { code, out, err } = await runAssay(['check', ...selectors, ...options])
    const { findings = [], verdict } = parsed(out)
    return { code, err, findings, verdict, ms: Date.now() - started }
  } finally {
    await proxy.close()
    await served.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const behind = (profile: Profile, origin: string, more: Readonly<Record<string, unknown>>) => ({
  ...profile,
  assumptions: true,
  ...more,
  url: profile.url.replace(new URL(profile.url).origin, origin),
})

/** The findings that say something bad, shortly. */
export const bad = (findings: readonly Finding[]): readonly string[] =>
  findings
    .filter(({ verdict }) => verdict !== 'pass' && verdict !== 'observed')
    .filter(({ verdict }) => verdict !== 'not-verifiable' && verdict !== 'not-applicable')
    .map(({ verdict, rule, variant = '' }) => `${verdict} ${rule} ${variant}`.trim())
    .toSorted()
