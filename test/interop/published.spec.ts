import { expect, test } from '@playwright/test'
import { published, publishedFile, publishedJudge } from './published.ts'
import type { Passed } from './tap.ts'

// The judge of the interoperation test sees what is wrong, on either side.

test.skip(!published, `${publishedFile} is not there`)

const json = { 'content-type': 'application/json' }
const bytes = (body: unknown): Buffer => Buffer.from(JSON.stringify(body))
const challenge = {
  challenge: '20260615-CR-20F5EE4000-DA48AE4124-46',
  timestamp: '2026-06-15T08:00:00Z',
  timestampMs: 1781510400000,
  clientIp: '127.0.0.1',
}
const asked: Passed = {
  method: 'POST',
  url: '/v2/auth/challenge',
  requestHeaders: {},
  requestBody: Buffer.alloc(0),
  status: 200,
  headers: json,
  body: bytes(challenge),
}
const opened: Passed = {
  method: 'POST',
  url: '/v2/sessions/online',
  requestHeaders: json,
  requestBody: bytes({
    formCode: { systemCode: 'FA (3)', schemaVersion: '1-0E', value: 'FA' },
    encryption: { encryptedSymmetricKey: 'a2V5', initializationVector: 'aXY=' },
  }),
  status: 201,
  headers: json,
  body: bytes({
    referenceNumber: '20260615-SO-2F6A9B0C1D-0E3F4A5B6C-7D',
    validUntil: '2026-06-15T20:00:00Z',
  }),
}

test('accepts a correct exchange', () => {
  const judge = publishedJudge()
  expect(judge.violations(asked)).toEqual([])
  expect(judge.violations(opened)).toEqual([])
})

const wrong: readonly (readonly [string, Passed, RegExp])[] = [
  ['a path', { ...asked, url: '/v2/auth/riddle' }, /no such operation/],
  ['a method', { ...asked, method: 'DELETE' }, /no such operation/],
  ['a status', { ...asked, status: 418 }, /status is not published/],
  ['a media type', { ...asked, headers: { 'content-type': 'text/plain' } }, /text\/plain is not/],
  ['a field that is missing', { ...asked, body: bytes({}) }, /required property 'challenge'/],
  [
    'a field that is not known',
    { ...asked, body: bytes({ ...challenge, answer: 42 }) },
    /additional properties/,
  ],
  ['a type', { ...asked, body: bytes({ ...challenge, timestampMs: 'now' }) }, /must be integer/],
  ['a length', { ...asked, body: bytes({ ...challenge, challenge: 'short' }) }, /fewer than 36/],
  ['a parameter', { ...asked, url: '/v2/auth/challenge?hint=1' }, /hint is not published/],
  [
    'a field of the request',
    { ...opened, requestBody: bytes({ encryption: {} }) },
    /request: .*required property 'formCode'/,
  ],
  [
    'a parameter that is required',
    { ...opened, method: 'GET', url: '/v2/sessions', requestBody: Buffer.alloc(0), status: 401 },
    /sessionType is required/,
  ],
]
for (const [what, exchange, complaint] of wrong) {
  test(`${what} is seen`, () => {
    expect(publishedJudge().violations(exchange).join('\n')).toMatch(complaint)
  })
}
