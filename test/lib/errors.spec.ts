import { expect, test } from '@playwright/test'
import { dialects } from '../../contract/dialects.ts'
import type { Dialect } from '../../contract/dialect.ts'
import { readError } from '../../lib/errors.ts'

const { svc, ksef } = dialects

const read = (dialect: Dialect, status: number, media: string, body: unknown) =>
  readError({ status, headers: { 'content-type': media }, body }, dialect)

test('the shape of the specification', () => {
  expect(
    read(svc, 400, 'application/json; charset=utf-8', {
      code: 21405,
      description: 'wrong',
      details: ['a', 'b'],
      timestamp: 't',
    }),
  ).toMatchObject({
    code: 21405,
    description: 'wrong',
    details: ['a', 'b'],
    timestamp: 't',
    mediaMatches: true,
  })
})

test('problem details, with several errors', () => {
  const errors = [
    { code: 21405, description: 'wrong', details: ['a'] },
    { code: 21001, description: 'unreadable' },
  ]
  const report = read(svc, 400, 'application/problem+json', {
    title: 'Bad Request',
    status: 400,
    errors,
    timestamp: 't',
  })
  expect(report).toMatchObject({ code: 21405, timestamp: 't' })
  expect(report?.all).toEqual([
    { code: 21405, description: 'wrong', details: ['a'] },
    { code: 21001, description: 'unreadable', details: [] },
  ])
})

test('the nested shape of the public contract', () => {
  const exception = {
    exceptionDetailList: [{ exceptionCode: 21173, exceptionDescription: 'none', details: ['x'] }],
    timestamp: 't',
  }
  expect(read(ksef, 400, 'application/json', { exception })).toMatchObject({
    code: 21173,
    description: 'none',
    details: ['x'],
  })
})

test('uses the status as the code where a shape has none', () => {
  expect(
    read(ksef, 403, 'application/problem+json', {
      title: 'Forbidden',
      status: 403,
      detail: 'no',
      reasonCode: 'missing-permissions',
      timestamp: 't',
    }),
  ).toMatchObject({
    code: 403,
    description: 'no',
    all: [{ code: 403 }],
    facts: { reasonCode: 'missing-permissions' },
  })
  expect(
    read(ksef, 429, 'application/json', {
      status: { code: 429, description: 'Too Many Requests', details: ['wait'] },
    }),
  ).toMatchObject({ code: 429, description: 'wait' })
})

test('distinguishes other media types and ignores bodies in another format', () => {
  expect(read(svc, 400, 'text/plain', { code: 1, description: 'x' })?.mediaMatches).toBe(false)
  for (const body of [undefined, null, 'text', [], {}, { code: 'x' }, { error: 5 }]) {
    expect(read(svc, 400, 'application/json', body), JSON.stringify(body)).toBeUndefined()
  }
})
