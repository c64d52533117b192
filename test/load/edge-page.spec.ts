import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { edgePage } from '../../cli/limits/edge-report.ts'
import type { EdgeResult } from '../../cli/limits/edge-result.ts'
import { storeRun } from '../../cli/load/stored.ts'
import type { Bench } from '../../load/probes/bench.ts'
import { edge } from '../../load/probes/edge.ts'
import type { Measured } from '../../load/probes/job.ts'
import type { BurstLine } from '../../load/trace/line.ts'
import { limitsRateMutants } from '../../reference/mutants/limits/rate.ts'
import type { Policy } from '../../reference/policy/policy.ts'
import { limiterBench } from './limiter-bench.ts'

/** The page of probes shows by how much a threshold departs from the contract. */

const thresholds = { perSecond: 4, perMinute: 24, perHour: 60 }

/** Probes a limiter per second; returns the results and what its calls met. */
const probed = async (policy: Partial<Policy>) => {
  const inner = limiterBench({ thresholds, seed: 1, policy })
  const trace: BurstLine[] = []
  const bench: Bench = {
    ...inner,
    async burst(call, count) {
      const answers = await inner.burst(call, count)
      const limited = answers.filter(({ status }) => status === 429).length
      const at = inner.now()
      const counts = { passed: count - limited, limited, unanswered: 0 }
      trace.push({ t: 'burst', row: 'limits.context', begun: at, ended: at, ...counts })
      return answers
    },
  }
  const subject = {
    row: 'default',
    thresholds,
    call: { operation: 'limits.context' },
    already: [],
  } as const
  const findings = await edge(bench, { probe: 'edge', subjects: [subject], window: 'second' })
  return { findings, trace }
}

const resultOf = (findings: readonly Measured[]): EdgeResult => ({
  id: 'run',
  scenario: 'limit-edge',
  seed: 1,
  target: 'a limiter',
  time: 'virtual',
  started: '2026-06-15T08:00:00Z',
  finished: '2026-06-15T08:00:15Z',
  requests: 5,
  findings,
  totals: {},
  verdict: 'pass',
  reasons: [],
})

test('a threshold that lets more calls through is a diamond beyond 100 %', async () => {
  const sound = await probed({})
  expect(sound.findings[0]).toMatchObject({ verdict: 'pass', passed: 4, maximum: 4 })
  const { policy } = limitsRateMutants['limits.rate.each-rule/one-too-many']
  const wide = await probed(policy)
  expect(wide.findings[0]).toMatchObject({ verdict: 'fail', passed: 5, maximum: 4 })

  const page = await edgePage(resultOf(sound.findings), sound.trace)
  const widePage = await edgePage(resultOf(wide.findings), wide.trace)
  expect(page.figures.map(({ title }) => title)).toEqual([
    'What each threshold lets through',
    'Calls of the probes',
  ])
  expect(page.html.match(/<svg /g)).toHaveLength(2)
  expect(page.html).not.toMatch(/<script|<link|src=|@import/)
  // The figures use the colour of refusals only if something is wrong or was refused.
  const red = '#c0283d'
  expect(page.figures[0]?.svg).not.toContain(red)
  expect(widePage.figures[0]?.svg).toContain(red)
  expect(page.figures[1]?.svg).toContain(red)
})

test('the charts are stored as files on request', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-edge-'))
  try {
    const { findings, trace } = await probed({})
    const result = resultOf(findings)
    const page = await edgePage(result, trace)
    const svg = path.join(folder, 'svg')
    await storeRun({ folder }, result, trace, page)
    expect(readdirSync(folder)).not.toContain('svg')
    await storeRun({ folder, svg }, result, trace, page)
    expect(readdirSync(svg)).toEqual([
      'calls-of-the-probes.svg',
      'what-each-threshold-lets-through.svg',
    ])
    expect(readFileSync(path.join(svg, 'calls-of-the-probes.svg'), 'utf8')).toMatch(
      /^<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/,
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
})
