import { expect, test } from '@playwright/test'
import { runVaried } from '../programs/response-fuzzing/run.ts'

/**
 * No check depends on an accident of the reference: behind a front that words, orders, spells and sends everything
 * otherwise, as far as the contract leaves it free, the verdicts are the same. `node scripts/response-fuzzing.mjs` runs the
 * whole suite like this; here it is a part of each area, the quick ones.
 */

const seed = 20260615

/** Checks that see much of what answers hold, and take little time. */
const selectors = [
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

test('the same verdicts for answers that say the same otherwise', async () => {
  test.setTimeout(240_000)
  console.log(`varied: seed ${seed}`)
  const { findings, answers, faults } = await runVaried(seed, selectors, test.info().outputPath())
  expect(faults, 'calls that the front could not answer').toEqual([])
  const minded = findings.filter(({ verdict }) => !fine.has(verdict))
  expect(
    minded.map(
      ({ rule, variant, verdict, expected, actual, reason }) =>
        `${verdict} ${rule} (${variant}): expected ${expected}, got ${actual}; ${reason}`,
    ),
    `seed ${seed}: node scripts/response-fuzzing.mjs --seed ${seed} ${selectors.join(' ')}`,
  ).toEqual([])
  expect(answers).toBeGreaterThan(findings.length)
  expect(findings.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(100)
})
