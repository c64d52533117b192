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

/** A sound reference, to be checked behind proxies that misbehave. */
export interface Bench {
  readonly check: (
    behaviour: Behaviour,
    selectors: readonly string[],
    profile?: Readonly<Record<string, unknown>>,
  ) => Promise<Checked>
  readonly close: () => Promise<void>
}

/** Starts a reference; each check by the built command line goes through a proxy of its own. */
export const openBench = async (): Promise<Bench> => {
  const served = await serve('--seed', '7')
  return {
    check: async (behaviour, selectors, profile = {}) => {
      const proxy = await openFaultProxy(new URL(served.profile.url).origin, behaviour)
      const folder = mkdtempSync(path.join(tmpdir(), 'assay-faults-'))
      try {
        const file = path.join(folder, 'target.json')
        writeFileSync(file, JSON.stringify(behind(served.profile, proxy.origin, profile)))
        const options = ['--target', file, '--seed', '7', '--json', '--out', path.join(folder, 'o')]
        const started = Date.now()
        const { code, out, err } = await runAssay(['check', ...selectors, ...options])
        const { findings = [], verdict } = parsed(out)
        return { code, err, findings, verdict, ms: Date.now() - started }
      } finally {
        await proxy.close()
        rmSync(folder, { recursive: true, force: true })
      }
    },
    close: async () => {
      await served.stop()
    },
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
