import { expect, test } from '@playwright/test'
import { sampleNote, sampled } from '../sample.ts'
import { openBench } from './checked.ts'
import type { Bench } from './checked.ts'
import { faults } from './faults.ts'
import type { Fault } from './faults.ts'

/** Each fault of a target gets the right exit code in bounded time: no false fail, no false pass, no stack trace. */

const maxMs = 120_000

/** A check of such a target: its exit code, who may fail, what it prints. */
const expectVerdict = async (bench: Bench, { behaviour, exits, fails }: Fault): Promise<void> => {
  const { code, err, findings, ms } = await bench.check(behaviour(), [
    'auth.status.wrong-bearer-refused',
  ])
  const failed = [
    ...new Set(findings.filter(({ verdict }) => verdict === 'fail').map(({ rule }) => rule)),
  ]
  expect(
    exits,
    `exit ${code}: ${err.split('\n').slice(-6).join(' | ')} ${failed.join(', ')}`,
  ).toContain(code)
  expect(
    failed.filter((rule) => fails?.test(rule) !== true),
    'rules that fail for no fault of their own',
  ).toEqual([])
  expect(err, 'a message, not a stack trace').not.toMatch(/\n\s+at \S+ \(/)
  expect(ms, 'milliseconds until a verdict').toBeLessThan(maxMs)
}

test('a target with a fault ends with the exit code of the fault', async () => {
  // A run takes seconds, so `npm test` tries a few faults, others each time.
  const chosen = [...sampled(faults, 20, 'faults')]
  test.setTimeout(chosen.length * maxMs)
  const bench = await openBench()
  try {
    for (const fault of chosen)
      await test.step(`${fault.name}: ${fault.exits.join(' or ')} (${sampleNote})`, () =>
        expectVerdict(bench, fault))
  } finally {
    await bench.close()
  }
})
