import { expect, test } from '@playwright/test'
import type { RuleId } from '../../contract/rules.ts'
import type { History } from '../../suites/client/history.ts'
import { rulesOf } from '../../suites/client/examination.ts'
import { judgeHistory, verdictsOf } from '../../suites/client/judge.ts'
import { convicted } from '../../suites/client/opinion.ts'
import { credentialPairs } from './credential-pairs.ts'
import { documentPairs } from './document-pairs.ts'
import { historyOf, issued, submitted, told } from './written-history.ts'
import { close, keys, open, receipt } from './written-steps.ts'

const pairs = [...credentialPairs, ...documentPairs]

for (const { rule, title, kept, broken, proof, alone } of pairs)
  test(`${rule}: ${title}`, () => {
    const held = judgeHistory(kept).filter((opinion) => opinion.rule === rule)
    expect(held.map(({ verdict }) => verdict)).toContain('pass')
    expect(held.map(({ verdict }) => verdict)).not.toContain('fail')
    const failed = judgeHistory(broken).filter(({ verdict }) => verdict === 'fail')
    const convictions = failed.filter((opinion) => opinion.rule === rule)
    expect(convictions.map(({ steps }) => steps)).toContainEqual(proof)
    if (alone) expect(convictions).toEqual(failed)
  })

test('a rule that the client broke has a verdict, also where the chosen ordeals are about other rules', () => {
  const rule = 'client.outcome.unknown-resolved'
  expect(rulesOf(['quiet-day'], [{ opinions: [] }])).not.toContain(rule)
  expect(rulesOf(['quiet-day'], [{ opinions: [convicted(rule, 'sent again', [1])] }])).toContain(
    rule,
  )
})

test('a session that the client forgot in a crash is no second violation', () => {
  const history = historyOf([
    keys,
    open,
    submitted,
    { ...open, run: 2, facts: { opened: 'S-2' } },
    { ...submitted, run: 2, session: 'S-2', sightings: [] },
    told(200),
    { ...close, run: 2, session: 'S-2' },
    receipt,
  ])
  const broken = judgeHistory(history).filter(({ verdict }) => verdict === 'fail')
  expect(broken.map(({ rule }) => rule)).toEqual(['client.outcome.unknown-resolved'])
})

test('a client that had no invoice to lose has survived no fault', () => {
  const rule = 'client.faults.survived'
  const unanswered = { ...submitted, outcome: 'unknown', status: undefined, sightings: [] } as const
  const recorded = { source: 'recording', task: undefined, held: undefined } as const
  const verdictOf = (history: History) =>
    judgeHistory({ ...history, beliefs: undefined }).find((one) => one.rule === rule)?.verdict
  const lostLogin = { ...unanswered, operation: 'auth.challenge', hash: undefined } as const
  expect(verdictOf(historyOf([lostLogin], recorded))).toBe('not-exercised')
  // Nothing shows what became of the invoice.
  expect(verdictOf(historyOf([unanswered], recorded))).toBe('not-exercised')
  expect(verdictOf(historyOf([lostLogin, submitted, told(200)], recorded))).toBe('pass')
  const page = { operation: 'queries.metadata', listed: ['N-1'] } as const
  expect(verdictOf(historyOf([lostLogin, page], recorded))).toBe('pass')
})

test('a document is lost, doubled, believed wrongly or unknown', () => {
  const harms = [
    historyOf([submitted], { held: [] }),
    historyOf([submitted], { held: [issued, { ...issued, svcNumber: 'N-2' }] }),
    historyOf([submitted], {
      beliefs: [{ document: 'doc-1', outcome: 'accepted', number: 'N-9' }],
    }),
    historyOf([submitted], { beliefs: [{ document: 'doc-1', outcome: 'unknown' }] }),
    historyOf([submitted], {
      held: [issued, { ...issued, hash: 'h', number: 'FV/1-2', svcNumber: 'N-2' }],
    }),
  ].map((history) => judgeHistory(history).find(({ document: of }) => of !== undefined)?.reason)
  expect(harms[0]).toContain('never issued')
  expect(harms[1]).toContain('issued it 2 times')
  expect(harms[2]).toContain('N-9')
  expect(harms[3]).toContain('unknown')
  expect(harms[4]).toContain('under another number')
})

test('a wrong belief is reported with the last answer about the document, and with advice', () => {
  const beliefs = [{ document: 'doc-1', outcome: 'rejected' }] as const
  const found = [
    historyOf([submitted, told(150)], { beliefs }),
    historyOf([submitted], { beliefs }),
  ].map((history) => judgeHistory(history).find(({ document: of }) => of !== undefined))
  expect(found[0]).toMatchObject({
    reason: expect.stringContaining('was #2 invoices.inSession, code 150'),
  })
  expect(found[1]).toMatchObject({ reason: expect.stringContaining('no answer about its outcome') })
  for (const opinion of found)
    expect(opinion).toMatchObject({ advice: expect.stringContaining('status') })
})

test('a SHOULD that costs a document fails', () => {
  const rule = 'client.fields.unknown-ignored'
  for (const { broken } of pairs.filter((pair) => pair.rule === rule)) {
    const placed = judgeHistory(broken).map((opinion) => ({ ...opinion, ordeal: 'one' }))
    expect(verdictsOf(placed, { strict: false, rules: [rule] })[0]!.verdict).toBe('fail')
  }
})

test('a rule that no history exercises has no pass, and a SHOULD that does not hold warns', () => {
  const opinions = judgeHistory(pairs.find(({ rule }) => rule === 'client.sync.interval')!.broken)
  const placed = opinions.map((opinion) => ({ ...opinion, ordeal: 'one' }))
  const verdict = (strict: boolean, rule: RuleId) =>
    verdictsOf(placed, { strict }).find((one) => one.rule === rule)?.verdict
  expect(verdict(false, 'client.sync.interval')).toBe('warn')
  expect(verdict(true, 'client.sync.interval')).toBe('fail')
  expect(verdict(false, 'client.keys.rotation')).toBe('not-exercised')
})

test('responses alone yield the verdicts of the journal, where both can see', () => {
  const steps = [submitted, told(435)]
  const seen = historyOf(steps, { source: 'recording', held: undefined })
  const rules = (history: History) =>
    judgeHistory(history)
      .filter(({ verdict }) => verdict === 'fail')
      .map(({ rule }) => rule)
  expect(rules(seen)).toContain('client.encryption.right')
})
