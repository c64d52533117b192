import { writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { startServer } from '../../../reference/server/server.ts'
import type { Server } from '../../../reference/server/server.ts'
import type { Finding } from '../../../reports/finding.ts'
import { readSuiteRecord } from '../../../reports/plan.ts'
import type { PlannedCheck } from '../../../reports/plan.ts'
import { runAssay } from '../../served.ts'
import { openProxy } from './proxy.ts'

export interface ResponseFuzzingRun {
  readonly findings: readonly Finding[]
  /** Checks that were planned and did not report. */
  readonly notRun: readonly PlannedCheck[]
  /** Answers that the proxy gave. */
  readonly answers: number
  /** Calls that the proxy could not answer. */
  readonly faults: readonly string[]
}

export interface Asked {
  /** Of the variation, of the reference and of the run, int32. */
  readonly seed: number
  /** What to run; everything when there are none. */
  readonly selectors: readonly string[]
  /** For the files of the run. */
  readonly folder: string
}

type Ran = Pick<ResponseFuzzingRun, 'findings' | 'notRun'>

const checkTarget = async (
  url: string,
  { profile }: Server,
  { seed, selectors, folder }: Asked,
): Promise<Ran> => {
  const target = path.join(folder, 'target.json')
  writeFileSync(target, JSON.stringify({ ...profile, url }))
  const out = path.join(folder, 'out')
  const run = ['--target', target, '--seed', String(seed), '--namespace', 'fuzzed', '--out', out]
  const { err } = await runAssay(['check', ...selectors, ...run], {
    ...process.env,
    // Sequences of the model take their time, and look at nothing that other checks do not.
    ...(selectors.length > 0 ? { ASSAY_SEQUENCE: 'none' } : {}),
  })
  const record = readSuiteRecord(out)
  if (record === undefined) throw new Error(`the run planned no check: ${err}`)
  return record
}

const serverOf = ({ seed }: Asked): Promise<Server> =>
  startServer({ seed, startAt: Date.parse('2026-06-15T08:00:00Z') })

/** Runs the suite through a proxy that rewrites every response within the contract. */
export const runResponseFuzzing = async (asked: Asked): Promise<ResponseFuzzingRun> => {
  const proxy = await openProxy(asked.seed)
  const server = await serverOf(asked)
  try {
    proxy.lead(new URL(server.url).origin)
    server.reference.control.publish(proxy.origin)
    const { findings, notRun } = await checkTarget(
      server.reference.service.publicUrl,
      server,
      asked,
    )
    return { findings, notRun, answers: proxy.answers(), faults: proxy.faults }
  } finally {
    await server.close()
    await proxy.close()
  }
}

/** Runs the same directly at the reference. */
export const runPlain = async (asked: Asked): Promise<Ran> => {
  const server = await serverOf(asked)
  try {
    return await checkTarget(server.url, server, asked)
  } finally {
    await server.close()
  }
}
