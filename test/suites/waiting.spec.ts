import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@playwright/test'
import {
  outcomeOfTimeout,
  pause,
  startWaiting,
  waitForAnswer,
} from '../../suites/support/waiting.ts'

/** A check that ran out of time: the target kept it waiting, or the tool took too long by itself. */

test.beforeEach(() => startWaiting())

test('time that the tool spent itself is a fault of the tool', async () => {
  await waitForAnswer('auth.challenge', () => Promise.resolve())
  expect(outcomeOfTimeout(60_000)).toMatchObject({ kind: 'broken' })
})

test('a call that is still under way is the target, and named', () => {
  let answer = () => undefined as void
  void waitForAnswer('auth.challenge', () => new Promise<void>((resolve) => (answer = resolve)))
  const outcome = outcomeOfTimeout(60_000)
  expect(outcome).toMatchObject({ kind: 'inconclusive', unreachable: 'ETIMEDOUT' })
  expect(outcome.reason).toContain('at the end it waited for the answer to auth.challenge')
  answer()
})

test('half of the time spent on pauses between looks is the target', async () => {
  await pause(() => sleep(30))
  expect(outcomeOfTimeout(40)).toMatchObject({ kind: 'inconclusive' })
})

test('what an earlier check waited for does not count', async () => {
  await pause(() => sleep(30))
  startWaiting()
  expect(outcomeOfTimeout(40)).toMatchObject({ kind: 'broken' })
})
