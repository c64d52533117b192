import { expect, test } from '@playwright/test'
import { sampleNote, sampled } from '../sample.ts'
import { runResponseFuzzing } from '../programs/response-fuzzing/run.ts'

/**
 * No check depends on an accident of the reference: the verdicts do not change behind a proxy that rewrites every
 * response within the contract. `npm run response-fuzzing` runs the whole suite like this; here it is a sample of the
 * quick checks.
 */

const seed = 20260615

/** Checks that see much of what answers hold, and take little time. */
const quick = [
  'transport.openapi-agrees',
  'transport.error-shape',
  'transport.document-hash',
  'transport.unknown-is-404',
  'transport.media-type',
  'transport.wrong-method',
  'transport.export-alias',
  'keys',
  'auth.status',
  'auth.redeem',
  'auth.refresh',
  'auth.sessions.listed',
  'auth.sessions.described',
  'tokens',
  'sessions.list',
  'sessions.status',
  'sessions.batch.failed-list',
  'sessions.batch.part-checked',
  'invoices.status',
  'invoices.duplicate',
  'invoices.get',
  'receipts',
  'queries',
  'exports.status',
  'exports.package',
  'exports.isolated',
  'operations.status.reports',
  'permissions.query',
  'certificates.listed',
  'certificates.limits',
  'testdata.limit-simulation',
]

const fine: ReadonlySet<string> = new Set(['pass', 'observed', 'not-verifiable', 'not-applicable'])

test('verdicts do not change when a proxy rewrites every response within the contract', async () => {
  const selectors = [...sampled(quick, 15, 'response fuzzing')]
  test.setTimeout(selectors.length * 16_000)
  console.log(`response fuzzing: seed ${seed}, ${sampleNote}: ${selectors.join(' ')}`)
  const { findings, answers, faults } = await runResponseFuzzing({
    seed,
    selectors,
    folder: test.info().outputPath(),
  })
  expect(faults, 'calls that the proxy could not answer').toEqual([])
  const changed = findings.filter(({ verdict }) => !fine.has(verdict))
  expect(
    changed.map(
      ({ rule, variant, verdict, expected, actual, reason }) =>
        `${verdict} ${rule} (${variant}): expected ${expected}, got ${actual}; ${reason}`,
    ),
    `seed ${seed}: npm run response-fuzzing -- --seed ${seed} ${selectors.join(' ')}`,
  ).toEqual([])
  expect(answers).toBeGreaterThan(findings.length)
  expect(findings.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(
    selectors.length,
  )
})
