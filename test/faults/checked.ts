import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import type { Finding } from '../../reports/finding.ts'
import type { Profile } from '../../reference/server/server.ts'
import { runInProcess } from '../cli/in-process.ts'
import { serve } from '../served.ts'
import type { Behaviour } from './proxy.ts'
import { openFaultProxy } from './proxy.ts'

/** What `assay check --json` says about a service. */
export interface Checked {
  readonly code: number | null
  readonly err: string
  readonly findings: readonly Finding[]
  readonly verdict: string | undefined
  /** How many calls reached the target. */
  readonly calls: number
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
    /** Further arguments; `--target` among them replaces the profile. */
    more?: (origin: string) => readonly string[],
  ) => Promise<Checked>
  readonly close: () => Promise<void>
}

/** Starts a reference; each check goes through a proxy of its own. */
export const openBench = async (): Promise<Bench> => {
  const served = await serve('--seed', '7')
  return {
    check: async (behaviour, selectors, profile = {}, more = () => []) => {
      const proxy = await openFaultProxy(new URL(served.profile.url).origin, behaviour)
      const folder = mkdtempSync(path.join(tmpdir(), 'assay-faults-'))
      try {
        const file = path.join(folder, 'target.json')
        writeFileSync(file, JSON.stringify(behind(served.profile, proxy.origin, profile)))
        const own = more(proxy.origin)
        const target = own.includes('--target') ? [] : ['--target', file]
        const seed = own.includes('--seed') ? [] : ['--seed', '7']
        const options = [...target, ...seed, ...own, '--json', '--out', path.join(folder, 'o')]
        const { exit, out, err } = await runInProcess(['check', ...selectors, ...options], {
          // Sequences of the model take long, and look at nothing that other checks do not.
          env: { ...process.env, ASSAY_SEQUENCE: 'none' },
        })
        const { findings = [], verdict } = parsed(out)
        return { code: exit, err, findings, verdict, calls: proxy.calls.length }
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
