import process from 'node:process'
import { expect, test } from '@playwright/test'
import type { Bench } from './checked.ts'
import { openBench } from './checked.ts'
import { faults } from './faults.ts'

/** Each fault of a target gets the right exit code in bounded time: no false fail, no false pass, no stack trace. */

const maxMs = 120_000

test.describe.configure({ timeout: maxMs + 60_000 })

let bench: Bench

test.beforeAll(async () => {
  bench = await openBench()
})
test.afterAll(() => bench.close())

// The whole table takes minutes: `npm test` sees a sample, `ASSAY_FAULTS=all` all of it.
const sampled = new Set([
  'an HTML page with 200',
  'resets every connection',
  'a deep challenge',
  'text/plain for challenges',
  'dies after ten calls',
])
const chosen =
  process.env['ASSAY_FAULTS'] === 'all' ? faults : faults.filter(({ name }) => sampled.has(name))

for (const { name, behaviour, exits, fails } of chosen)
  test(`a target with ${name} ends with ${exits.join(' or ')}`, async () => {
    const { code, err, findings, ms } = await bench.check(behaviour(), ['auth.status'])
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
  })
