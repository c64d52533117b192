import { createHash } from 'node:crypto'
import { expect, test } from '@playwright/test'
import type { Exchange } from '../../lib/exchange.ts'
import { likelyMistake, mistakeNames } from '../../suites/support/judging/likely-cause.ts'
import type { Seen } from '../../suites/support/judging/likely-cause.ts'

/** Each known mistake is reported, and none if nothing is known. */

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest()
const document = Buffer.from('<a>\n<b/></a>')
const encrypted = Buffer.from('0123456789abcdef0123456789abcdef')
const hash = sha256(document).toString('base64')

const exchange = (change: Partial<Exchange> = {}): Exchange => ({
  operation: undefined,
  request: {
    method: 'POST',
    url: 'https://a.example',
    headers: {},
    body: JSON.stringify({ encryptedInvoiceContent: encrypted.toString('base64') }),
  },
  status: 200,
  headers: {},
  bytes: document,
  text: document.toString(),
  body: undefined,
  startedAt: 0,
  ms: 1,
  span: [0, 0],
  ...change,
})

const cases: readonly (readonly [string, string, string, Exchange?])[] = [
  ['hash in hexadecimal', hash, sha256(document).toString('hex')],
  ['hash encoded twice', hash, Buffer.from(sha256(document).toString('hex')).toString('base64')],
  ['hash of other content', hash, sha256(encrypted).toString('base64'), exchange()],
  ['URL-safe Base64', 'a+b/cc==', 'a-b_cc'],
  ['Base64 without padding', 'YQ==', 'YQ'],
  ['byte order mark', '<a/>', '\uFEFF<a/>'],
  ['line ends', 'a\r\nb', 'a\nb'],
  ['white space', 'a', 'a '],
  ['letter case', 'Active', 'ACTIVE'],
  ['seconds instead of milliseconds', '1781510400123', '1781510400'],
  ['milliseconds instead of seconds', '600', '600000'],
  ['local time', '2026-06-15T08:00:00Z', '2026-06-15T10:00:00Z'],
  ['time without offset', '2026-06-15T08:00:00Z', '2026-06-15T08:00:00'],
  ['minor units', '12.34', '1234'],
  ['decimal comma', '12.34', '12,34'],
  ['one more', '60', '61'],
  ['one less', '60', '59'],
  ['another order', '[ 1, 2 ]', '[ 2, 1 ]'],
  [
    'a gateway answered',
    '200',
    '503',
    exchange({ headers: { 'content-type': 'text/html; charset=utf-8' } }),
  ],
  ['rate limit', 'success (200)', '429', exchange({ status: 429 })],
  ['media type', 'success (200)', '415', exchange({ status: 415 })],
]

for (const [name, expected, actual, call] of cases)
  test(`tells: ${name}`, () => {
    const seen: Seen = { expected, actual, exchanges: call === undefined ? [] : [call] }
    expect(likelyMistake(seen)?.name).toBe(name)
  })

test('names what was hashed instead, and how it was changed', () => {
  const sentence = (bytes: Buffer) =>
    likelyMistake({
      expected: hash,
      actual: sha256(bytes).toString('base64'),
      exchanges: [exchange({ bytes: document })],
    })?.sentence
  expect(sentence(encrypted)).toBe(
    'The hash is that of the encrypted content (encryptedInvoiceContent)',
  )
  expect(sentence(Buffer.from(document.toString().replace('\n', '\r\n')))).toBe(
    'The hash is that of the whole response with CRLF line ends',
  )
})

test('every row is tried above', () => {
  expect(cases.map(([name]) => name)).toEqual(mistakeNames)
})

test('returns no cause for an unknown mistake', () => {
  for (const [expected, actual] of [
    ['', ''],
    ['success (200)', '401, code 21301'],
    ['60', '75'],
    [hash, sha256('another').toString('base64')],
    ['2026-06-15T08:00:00Z', '2026-06-15T08:07:00Z'],
  ] as const)
    expect(likelyMistake({ expected, actual, exchanges: [exchange()] })).toBeUndefined()
})
