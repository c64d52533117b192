import { writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { expect } from '@playwright/test'
import type { LoadResult } from '../../cli/load/result.ts'
import { startServer } from '../../reference/server/server.ts'
import { runInProcess } from '../cli/in-process.ts'
import { startProxy } from './lossy-proxy.ts'
import type { Call, Spoiler } from './lossy-proxy.ts'

/** Load runs at a reference behind a proxy that spoils what they must notice. */

export const seed = 7

/** Runs `assay load` with a profile, in a folder. */
export const loadAt = async (
  folder: string,
  profile: object,
  args: readonly string[],
  signal?: AbortSignal,
): Promise<{ readonly exit: number; readonly result: LoadResult; readonly err: string }> => {
  const target = path.join(folder, 'target.json')
  writeFileSync(target, JSON.stringify(profile))
  const scope = ['--limits', 'off', '--seed', String(seed), '--out', folder]
  const line = ['load', '--target', target, ...scope, '--json', ...args]
  const { exit, out, err } = await runInProcess(line, {
    env: process.env,
    cwd: folder,
    ...(signal && { signal }),
  })
  expect(out, err).not.toBe('')
  return { exit, result: JSON.parse(out) as LoadResult, err }
}

/** Number of invoices of a run. `ASSAY_LITMUS_INVOICES=3000` looks for one faulty invoice in 3,000. */
export const invoices = Number(process.env['ASSAY_LITMUS_INVOICES'] ?? 60)
export const sized = (rate: number): readonly string[] => [
  '--count',
  String(invoices),
  '--rate',
  String(rate),
]
const size = sized(Math.min(100, invoices))

/** Runs invoices at a reference behind a proxy. */
export const spoiledAt = async (
  folder: string,
  spoiler: Spoiler,
  args: readonly string[] = [],
  {
    ofSize = size,
    signal,
  }: { readonly ofSize?: readonly string[] | undefined; readonly signal?: AbortSignal } = {},
) => {
  const server = await startServer({ port: 0, managementPort: 0, seed: 3, limits: 'off' })
  const proxy = await startProxy(server.origin, spoiler)
  try {
    const url = server.url.replace(server.origin, proxy.origin)
    const { contexts } = server.profile
    const seller = contexts[0]?.value ?? ''
    return { seller, ...(await loadAt(folder, { url, contexts }, [...ofSize, ...args], signal)) }
  } finally {
    await proxy.close()
    await server.close()
  }
}

export const isSubmission = ({ method, path: at }: Call): boolean =>
  method === 'POST' && at.endsWith('/invoices')
