import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { startServer } from '../../../reference/server/server.ts'
import { parseFindings } from '../../../reports/finding.ts'
import type { Finding } from '../../../reports/finding.ts'
import process from 'node:process'
import { runAssay } from '../../served.ts'
import { openProxy } from './proxy.ts'

export interface ResponseFuzzingRun {
  readonly findings: readonly Finding[]
  /** Answers that the proxy gave. */
  readonly answers: number
  /** Calls that the proxy could not answer. */
  readonly faults: readonly string[]
}

/**
 * Runs the suite through a proxy that rewrites every response within the contract.
 * @param seed of the variation, of the reference and of the run, int32
 * @param selectors what to run; everything when there are none
 * @param folder for the files of the run
 */
export const runResponseFuzzing = async (
  seed: number,
  selectors: readonly string[],
  folder: string,
): Promise<ResponseFuzzingRun> => {
  const proxy = await openProxy(seed)
  const server = await startServer({ seed, startAt: Date.parse('2026-06-15T08:00:00Z') })
  try {
    proxy.lead(new URL(server.url).origin)
    server.reference.control.publish(proxy.origin)
    const profile = { ...server.profile, url: server.reference.service.publicUrl }
    const target = path.join(folder, 'target.json')
    writeFileSync(target, JSON.stringify(profile))
    const file = path.join(folder, 'out/findings.ndjson')
    const run = ['--target', target, '--seed', String(seed), '--namespace', 'fuzzed']
    const { err } = await runAssay(['check', ...selectors, ...run, '--out', path.dirname(file)], {
      ...process.env,
      // Sequences of the model take their time, and look at nothing that other checks do not.
      ...(selectors.length > 0 ? { ASSAY_SEQUENCE: 'none' } : {}),
    })
    if (!existsSync(file))
      throw new Error(`the run wrote no findings: ${err}${proxy.faults.join('\n')}`)
    const findings = parseFindings(readFileSync(file, 'utf8'))
    return { findings, answers: proxy.answers(), faults: proxy.faults }
  } finally {
    await server.close()
    await proxy.close()
  }
}
