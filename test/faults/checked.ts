import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import type { Finding } from '../../reports/finding.ts'
import type { Profile } from '../../reference/server/server.ts'
import { runInProcess } from '../cli/in-process.ts'
import { serve } from '../served.ts'
import type { Behaviour, TlsPair } from './proxy.ts'
import { openFaultProxy } from './proxy.ts'

/** What `assay check --json` says about a service. */
export interface Checked {
  readonly code: number | null
  readonly err: string
  readonly findings: readonly Finding[]
  readonly verdict: string | undefined
  /** How many calls reached the target. */
  readonly calls: number
  readonly ms: number
}

const parsed = (out: string): { findings?: readonly Finding[]; verdict?: string } => {
  try {
    return JSON.parse(out) as { findings?: readonly Finding[]; verdict?: string }
  } catch {
    return {}
  }
}

/** What a command says about a service. */
export interface Ran {
  readonly code: number | null
  readonly out: string
  readonly err: string
  /** How many calls reached the target. */
  readonly calls: number
  readonly ms: number
}

/** How a run differs from one at a sound service. */
export interface Differences {
  readonly profile?: Readonly<Record<string, unknown>>
  readonly tls?: TlsPair
  /** Further arguments; `--target` among them replaces the profile. */
  readonly more?: (origin: string) => readonly string[]
}

/** A sound reference, to be looked at behind proxies that misbehave. */
export interface Bench {
  readonly run: (
    command: readonly string[],
    behaviour: Behaviour,
    differences?: Differences,
  ) => Promise<Ran>
  readonly check: (
    behaviour: Behaviour,
    selectors: readonly string[],
    profile?: Readonly<Record<string, unknown>>,
    more?: Differences['more'],
    tls?: TlsPair,
  ) => Promise<Checked>
  readonly close: () => Promise<void>
}

/** Starts a reference; each run goes through a proxy of its own. */
export const openBench = async (): Promise<Bench> => {
  const served = await serve('--seed', '7')
  const run: Bench['run'] = async (
    command,
    behaviour,
    { profile = {}, tls, more = () => [] } = {},
  ) => {
    const proxy = await openFaultProxy(new URL(served.profile.url).origin, behaviour, tls)
    const folder = mkdtempSync(path.join(tmpdir(), 'assay-faults-'))
    const started = Date.now()
    try {
      const file = path.join(folder, 'target.json')
      const ca = path.join(folder, 'ca.pem')
      if (tls !== undefined) writeFileSync(ca, tls.cert)
      const trusting = tls === undefined ? {} : { ca: { file: ca } }
      const written = behind(served.profile, proxy.origin, { ...trusting, ...profile })
      writeFileSync(file, JSON.stringify(written))
      const own = more(proxy.origin)
      const target = own.includes('--target') ? [] : ['--target', file]
      const { exit, out, err } = await runInProcess([...command, ...target, ...own], {
        cwd: folder,
        // Sequences of the model take long, and look at nothing that other checks do not.
        env: { ...process.env, ASSAY_SEQUENCE: 'none' },
      })
      return { code: exit, out, err, calls: proxy.calls.length, ms: Date.now() - started }
    } finally {
      await proxy.close()
      rmSync(folder, { recursive: true, force: true })
    }
  }
  return {
    run,
    check: async (behaviour, selectors, profile = {}, more = () => [], tls) => {
      const command = ['check', ...selectors, '--json', '--out', 'o']
      const { out, ...ran } = await run(command, behaviour, {
        profile,
        ...(tls === undefined ? {} : { tls }),
        more: (origin) => {
          const own = more(origin)
          return own.includes('--seed') ? own : ['--seed', '7', ...own]
        },
      })
      const { findings = [], verdict } = parsed(out)
      return { ...ran, findings, verdict }
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
