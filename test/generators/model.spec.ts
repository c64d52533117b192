import { expect, test } from '@playwright/test'
import { svc } from '../../contract/dialects/svc.ts'
import { explore } from '../../generators/model/explore.ts'
import type { Exploration, ReplayPath } from '../../generators/model/explore.ts'
import type { ModelRule } from '../../generators/model/rules.ts'
import type { World } from '../../generators/model/world.ts'
import type { MutantId } from '../../reference/mutants/mutants.ts'
import type { Mutant } from '../../reference/mutants/mutant.ts'
import { bodies } from '../../reference/mutants/rewrite.ts'
import { createReference } from '../../reference/service/reference.ts'
import { describeFinding } from '../../suites/sequences/explorations.ts'
import { worldsInProcess } from '../../suites/sequences/model-world.ts'
import { openInProcess, startedInProcess } from '../../suites/support/service/target.ts'
import { sampled } from '../sample.ts'

/**
 * The model finds defects of the reference by itself, and shrinks what led to them to a short history. These seeds find
 * the defect early, to keep the tests short; other seeds find it as well.
 */

interface Sought {
  readonly seed: number
  readonly rule: ModelRule
  /** Maximum number of steps in the shrunk history. */
  readonly atMost: number
}

const look = (seed: number, open: () => Promise<World>, replay?: ReplayPath) =>
  explore({
    seed,
    sequences: 60,
    shrinks: 300,
    steps: 60,
    open,
    failures: 1,
    ...(replay === undefined ? {} : { replay }),
  })

const judge = ({ findings: [finding] }: Exploration, { seed, rule, atMost }: Sought) => {
  expect(finding, 'a divergence').toBeDefined()
  if (finding === undefined) return
  const report = describeFinding('in-process', finding)
  expect(finding.divergence.rule, report).toBe(rule)
  expect(finding.steps.length, report).toBeLessThanOrEqual(atMost)
  expect(report).toMatch(new RegExp(`sequence: in-process,\\d+,[\\d.]+, of seed ${seed}`))
}

const sought: Partial<Record<MutantId, Sought>> = {
  'auth.challenge.single-use/reusable': { seed: 24, rule: 'auth.challenge.single-use', atMost: 3 },
  'invoices.duplicate.everywhere/duplicate-within-session-only': {
    seed: 25,
    rule: 'invoices.duplicate.everywhere',
    atMost: 12,
  },
  'invoices.rejected.may-be-resent/rejected-holds-triple': {
    seed: 25,
    rule: 'invoices.rejected.may-be-resent',
    atMost: 6,
  },
  // Work that never ends is a finding, and not the end of the search.
  'sessions.status.dates/open-for-ever': { seed: 24, rule: 'sessions.status.dates', atMost: 3 },
  'sessions.batch.close/closes-twice': { seed: 24, rule: 'sessions.batch.close', atMost: 3 },
  'tokens.status.moves-forward/revoked-once-more': {
    seed: 24,
    rule: 'tokens.status.moves-forward',
    atMost: 4,
  },
  'tokens.revoke.logins/logins-live-on': { seed: 41, rule: 'tokens.revoke.logins', atMost: 6 },
  'invoices.duplicate.triple/duplicate-without-seller': {
    seed: 24,
    rule: 'invoices.duplicate.triple',
    atMost: 8,
  },
  'invoices.mode/offline-by-declaration-only': { seed: 24, rule: 'invoices.mode', atMost: 8 },
  'queries.metadata.described/every-kind-vat': {
    seed: 24,
    rule: 'queries.metadata.described',
    atMost: 8,
  },
  'queries.metadata.subject-type/packages-not-for-the-buyer': {
    seed: 24,
    rule: 'queries.metadata.subject-type',
    atMost: 6,
  },
  'sessions.list.complete/list-has-gaps': { seed: 24, rule: 'sessions.list.complete', atMost: 6 },
  'exports.expiry/never-expire': { seed: 33, rule: 'exports.expiry', atMost: 6 },
}

for (const [mutant, finding] of sampled(Object.entries(sought), 24, 'sought mutants')) {
  test(`${mutant} is found and shrunk`, async () => {
    const reference = await openInProcess({ seed: 1, dialect: 'svc' }, [mutant])
    judge(await look(finding.seed, worldsInProcess(reference, svc)), finding)
    await reference.close()
  })
}

interface Counts {
  readonly successfulInvoiceCount: number
  readonly failedInvoiceCount: number
}

/** Defects that need a history: no single step shows them, and no single check takes all of the steps. */
const histories: readonly (Sought & { readonly what: string; readonly defect: Mutant })[] = [
  {
    what: 'a session that has rejected something takes what other sessions have accepted',
    defect: {
      policy: {
        claimHolds: ({ held, session }) =>
          held.session === session.referenceNumber || session.rejected === 0,
      },
    },
    seed: 24,
    rule: 'invoices.duplicate.everywhere',
    atMost: 6,
  },
  {
    what: 'from the second on, rejections beside an accepted invoice are counted once too often',
    defect: bodies(
      ['sessions.status'],
      ({ successfulInvoiceCount: accepted, failedInvoiceCount: rejected }: Counts) => ({
        failedInvoiceCount: rejected > 1 && accepted > 0 ? rejected + 1 : rejected,
      }),
    ),
    seed: 31,
    rule: 'sessions.status.counts',
    atMost: 12,
  },
]

for (const { what, defect, ...expected } of sampled(histories, 3, 'histories')) {
  test(`a defect that needs a history is found and shrunk: ${what}`, async () => {
    const started = await createReference({ seed: 1, ...startedInProcess, defects: [defect] })
    const reference = await openInProcess({ seed: 1, dialect: 'svc' }, [], started)
    judge(await look(expected.seed, worldsInProcess(reference, svc)), expected)
    await reference.close()
  })
}

test('reproduces a finding from its path', async () => {
  const reference = await openInProcess({ seed: 1, dialect: 'svc' }, [
    'auth.challenge.single-use/reusable',
  ])
  const open = worldsInProcess(reference, svc)
  const [first] = (await look(24, open)).findings
  const again = await look(24, open, first?.replay)
  expect(again.findings.map(({ steps }) => steps)).toEqual([first?.steps])
  await reference.close()
})

test('keys are read anew when time has passed: they may have been replaced', async () => {
  const started = await createReference({ seed: 1, ...startedInProcess })
  const reference = await openInProcess({ seed: 1, dialect: 'svc' }, [], started)
  try {
    const world = await worldsInProcess(reference, svc)()
    const ids = async () => (await world.keys()).map(({ publicKeyId }) => publicKeyId)
    const before = await ids()
    const { keys, policy } = started.service
    await keys.rotate(policy, 'SymmetricKeyEncryption', 60_000, reference.now())
    expect(await ids()).toEqual(before)
    await world.advance?.(3_600_000)
    expect(await ids()).not.toEqual(before)
  } finally {
    await reference.close()
  }
})

test('a conformant reference agrees with the model', async () => {
  const reference = await openInProcess({ seed: 1, dialect: 'svc' })
  const { findings, sequences, cutShort, reason } = await explore({
    seed: 7,
    sequences: 12,
    shrinks: 20,
    steps: 40,
    open: worldsInProcess(reference, svc),
  })
  expect(findings.map((finding) => describeFinding('in-process', finding))).toEqual([])
  expect(cutShort, reason ?? '').toBe(0)
  expect(sequences).toBeGreaterThan(0)
  await reference.close()
})
