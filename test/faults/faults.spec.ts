import { expect, test } from '@playwright/test'
import { causesOf } from '../../reports/causes.ts'
import { sampleNote, sampled } from '../sample.ts'
import { openBench } from './checked.ts'
import type { Bench } from './checked.ts'
import { faults } from './faults.ts'
import type { Fault } from './fault.ts'

/**
 * Each fault of a target gets the right exit code within a bounded number of calls: no false fail, no false pass, no
 * stack trace. What a call may take is bounded elsewhere (test/suites/waiting.spec.ts).
 */

/** Rules whose checks log in and read. */
const selectors = [
  'auth.status.wrong-bearer-refused',
  'auth.redeem.wrong-bearer-refused',
  'auth.access-token.jwt-lifetime',
]

/** One check of each family, so that a family that grows does not lengthen the run. */
const oneOfEach = () => ['--quick']

/** Maximum number of calls of a run that ends; on a sound service it makes about 170. */
const maxCalls = 400

/** A target that hangs ends a whole run within two minutes, so these few checks end sooner with every other fault. */
const maxMs = 120_000

/** A check of such a target: its exit code, which rules may fail, what it prints. */
const expectVerdict = async (bench: Bench, fault: Fault): Promise<void> => {
  const { name, behaviour, exits, fails, profile, cause, tls } = fault
  const { code, err, findings, calls, ms, ...checked } = await bench.check(
    behaviour(),
    fault.selectors ?? selectors,
    profile,
    oneOfEach,
    tls?.(),
  )
  const reached = checked.verdict ?? 'not started'
  const ended = `exit ${code}, ${reached}`
  console.log(`${name}: ${ended} after ${calls} calls and ${ms} ms`)
  const failed = [
    ...new Set(findings.filter(({ verdict }) => verdict === 'fail').map(({ rule }) => rule)),
  ]
  expect(
    exits,
    `exit ${code}: ${err.split('\n').slice(-6).join(' | ')} ${failed.join(', ')}`,
  ).toContain(code)
  expect(fault.verdicts, ended).toContain(reached)
  expect(
    failed.filter((rule) => fails?.test(rule) !== true),
    'rules that fail for no fault of their own',
  ).toEqual([])
  expect(err, 'a message, not a stack trace').not.toMatch(/\n\s+at \S+ \(/)
  if (cause !== undefined)
    expect(causesOf(findings).causes.map(({ text }) => text)).toEqual([cause])
  expect(ms, 'the time until a verdict').toBeLessThan(maxMs)
  expect(calls, 'calls until a verdict').toBeLessThanOrEqual(fault.maxCalls ?? maxCalls)
}

test('a target with a fault ends with the exit code of the fault', async () => {
  // A run takes seconds, so `npm test` tries a few faults, others each time.
  const chosen = [...sampled(faults, 30, 'faults')]
  test.setTimeout(chosen.length * 120_000)
  const bench = await openBench()
  try {
    for (const fault of chosen)
      await test.step(`${fault.name}: ${fault.exits.join(' or ')} (${sampleNote})`, () =>
        expectVerdict(bench, fault))
  } finally {
    await bench.close()
  }
})
