import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { keepGaps, outcomesOf } from '../../cli/gap-record.ts'
import type { Finding } from '../../reports/finding.ts'
import { gapChanges } from '../../reports/gap-outcomes.ts'

/** What the assumptions behind gaps turned out to be, from the findings of a run. */

const finding = (verdict: Finding['verdict'], variant: string): Finding => ({
  rule: 'sessions.online.close',
  check: `MUST sessions.online.close / ${variant}`,
  variant,
  verdict,
  ms: 1,
  actual: 'it was closed',
})

const stateOf = (findings: readonly Finding[]) =>
  outcomesOf(findings).find(({ gap }) => gap === 'session-kinds')

test('a gap is as assumed, different, or was not seen', () => {
  expect(stateOf([finding('pass', 'batch session')])).toMatchObject({ state: 'held', checks: 1 })
  expect(stateOf([finding('observed', 'batch session')])).toMatchObject({
    state: 'differed',
    seen: ['sessions.online.close / batch session: it was closed'],
  })
  expect(stateOf([finding('pass', 'closes')]), 'a variant without the gap').toMatchObject({
    state: 'not seen',
  })
  expect(stateOf([finding('not-verifiable', 'batch session')])).toMatchObject({ state: 'not seen' })
})

test('what only one of two runs saw has not changed', () => {
  const held = outcomesOf([finding('pass', 'batch session')])
  const differed = outcomesOf([finding('observed', 'batch session')])
  expect(gapChanges(differed, [held])).toEqual([
    { gap: 'session-kinds', before: 'held', now: 'differed' },
  ])
  expect(gapChanges(held, [outcomesOf([])])).toEqual([])
  expect(gapChanges(outcomesOf([]), [held])).toEqual([])
})

test('each gap is compared with the last run that saw it', () => {
  const held = outcomesOf([finding('pass', 'batch session')])
  const differed = outcomesOf([finding('observed', 'batch session')])
  const partial = outcomesOf([])
  expect(gapChanges(differed, [partial, held, differed])).toEqual([
    { gap: 'session-kinds', before: 'held', now: 'differed' },
  ])
  expect(gapChanges(differed, [partial, differed, held])).toEqual([])
})

test('a check of a family rests on what its family and its rule assume', () => {
  const check = (verdict: Finding['verdict']): Finding => ({
    rule: 'sessions.online.opens',
    check: 'MUST sessions.online.opens / null for a field left out, sessions.openOnline',
    variant: 'null for a field left out, sessions.openOnline',
    verdict,
    ms: 1,
  })
  const outcomeOf = (findings: readonly Finding[]) =>
    outcomesOf(findings).find(({ gap }) => gap === 'null-fields')
  expect(outcomeOf([check('pass')])).toMatchObject({ state: 'held', checks: 1 })
  expect(outcomeOf([check('not-verifiable')]), 'without a verdict').toMatchObject({
    state: 'not seen',
    checks: 0,
    rules: ['sessions.online.opens'],
  })
})

test('a run is compared with the last one against the same target', ({}, info) => {
  const run = (
    name: string,
    target: string,
    day: number,
    verdict: Finding['verdict'],
    dialect = 'svc',
  ) => {
    const out = info.outputPath(name)
    mkdirSync(path.join(out), { recursive: true })
    const started = `2026-06-${day}T08:00:00.000Z`
    const facts = {
      started,
      finished: started,
      seed: 1,
      namespace: 'n',
      target,
      dialect,
      version: '0',
    }
    return keepGaps(out, {
      facts,
      findings: [finding(verdict, 'batch session')],
      planned: 1,
      notRun: [],
    })
  }
  expect(run('first', 'http://one', 15, 'pass').changes, 'nothing to compare with').toBeUndefined()
  expect(run('other', 'http://two', 16, 'observed').changes).toBeUndefined()
  expect(run('second', 'http://one', 17, 'observed').changes).toEqual([
    { gap: 'session-kinds', before: 'held', now: 'differed' },
  ])
  expect(run('third', 'http://one', 18, 'observed').changes).toEqual([])
  expect(
    run('other dialect', 'http://one', 19, 'pass', 'ksef').changes,
    'the first run in this dialect',
  ).toBeUndefined()
})
