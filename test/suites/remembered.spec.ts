import { expect, test } from '@playwright/test'
import { begunSince } from '../../suites/support/scenes/remembered.ts'

/** What of a list in a shared context counts as left behind. */

const session = (referenceNumber: string, minute: number, code = 100) => ({
  referenceNumber,
  dateCreated: `2026-06-15T10:0${minute}:00.000Z`,
  status: { code },
})

test('a foreign session that ended meanwhile is no effect of refused calls, a new one is', () => {
  const before = { sessions: [session('a', 2), session('b', 1)] }
  const ended = { sessions: [session('a', 2, 440), session('b', 1, 200)] }
  expect(begunSince(before, ended)).toEqual([])
  const opened = { sessions: [session('c', 3), ...ended.sessions] }
  expect(begunSince(before, opened)).toEqual([session('c', 3)])
  const gone = { sessions: [session('b', 1), session('o', 0)] }
  expect(begunSince(before, gone), 'an older one moves up').toEqual([])
  expect(begunSince({ sessions: [] }, opened), 'the first of all').toHaveLength(3)
})
