import { expect, test } from '@playwright/test'
import type { OutcomeKind } from '../../lib/outcome.ts'
import { conclude, verdictOf } from '../../lib/verdict.ts'
import type { Circumstances, Verdict } from '../../lib/verdict.ts'
import { totalsOf } from '../../reports/finding.ts'
import type { Finding } from '../../reports/finding.ts'

/** What an outcome means, and how a run concludes, as the table of verdicts states. */

const plain: Circumstances = { level: 'MUST', unconfirmed: false, known: false, strict: false }

const table: readonly (readonly [OutcomeKind, Partial<Circumstances>, Verdict])[] = [
  ['held', {}, 'pass'],
  ['violated', {}, 'fail'],
  ['held', { level: 'SHOULD' }, 'pass'],
  ['violated', { level: 'SHOULD' }, 'warn'],
  ['violated', { level: 'SHOULD', strict: true }, 'fail'],
  ['held', { level: 'MAY' }, 'observed'],
  ['violated', { level: 'MAY', strict: true }, 'observed'],
  ['held', { unconfirmed: true }, 'pass'],
  ['violated', { unconfirmed: true }, 'observed'],
  ['violated', { known: true }, 'known'],
  ['held', { known: true }, 'fail'],
  ['inconclusive', { known: true }, 'inconclusive'],
  ['broken', { level: 'MAY' }, 'broken'],
  ['not-verifiable', {}, 'not-verifiable'],
  ['not-applicable', { strict: true }, 'not-applicable'],
]

for (const [outcome, circumstances, verdict] of table)
  test(`${outcome} ${JSON.stringify(circumstances)} is ${verdict}`, () => {
    expect(verdictOf(outcome, { ...plain, ...circumstances })).toBe(verdict)
  })

const finding = (verdict: Verdict): Finding => ({ rule: 'a.b', check: 'c', verdict, ms: 1 })

const runs: readonly (readonly [readonly Verdict[], number, boolean, string, number])[] = [
  [['pass', 'not-verifiable'], 0, false, 'conformant', 0],
  [['pass', 'warn', 'observed', 'known', 'not-applicable'], 0, false, 'conformant', 0],
  [['pass', 'fail', 'inconclusive'], 0, false, 'not conformant', 1],
  [['pass', 'inconclusive'], 0, false, 'no verdict', 3],
  [['pass', 'broken'], 0, false, 'no verdict', 3],
  [['not-verifiable'], 0, false, 'no verdict', 3],
  [[], 0, false, 'no verdict', 3],
  [['pass'], 1, false, 'incomplete', 3],
  [['pass', 'fail'], 1, false, 'incomplete', 1],
  [['pass'], 1, true, 'incomplete', 130],
  [['pass', 'fail'], 1, true, 'incomplete', 130],
  [['pass'], 0, true, 'incomplete', 130],
]

for (const [verdicts, notRun, interrupted, verdict, exit] of runs)
  test(`${verdicts.join(', ') || 'nothing'}, ${notRun} not run${interrupted ? ', interrupted' : ''}: ${verdict}, exit ${exit}`, () => {
    expect(conclude(totalsOf(verdicts.map(finding)), { notRun, interrupted })).toEqual({
      verdict,
      exit,
    })
  })
