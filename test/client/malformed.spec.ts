import { expect, test } from '@playwright/test'
import { dialects } from '../../contract/dialects.ts'
import type { RefusedRequest } from '../../suites/client/malformed.ts'
import { malformationOf } from '../../suites/client/malformed.ts'

const found = (refused: Partial<RefusedRequest>) =>
  malformationOf(
    {
      operation: 'auth.token',
      method: 'POST',
      path: '/auth/svc-token',
      query: '',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: Buffer.from('{}'),
      request: {},
      status: 400,
      code: 21405,
      expectedHeaders: undefined,
      ...refused,
    },
    dialects.svc,
  )

const opening = { operation: 'sessions.openOnline' } as const
const upload = { operation: 'sessions.uploadPart', code: 21157 } as const
const hash = `${'A'.repeat(43)}=`
const submission = {
  invoiceHash: hash,
  invoiceSize: 2000,
  encryptedInvoiceHash: hash,
  encryptedInvoiceSize: 2016,
  encryptedInvoiceContent: 'AAAA',
}

const wrong: Readonly<Record<string, readonly [Partial<RefusedRequest>, string]>> = {
  'a missing field': [{}, 'challenge'],
  'a body that is not JSON': [{ request: undefined }, 'not JSON'],
  'another media type': [{ headers: { 'content-type': 'text/plain' } }, 'text/plain'],
  'no media type': [{ headers: {} }, 'missing'],
  'no bearer': [{ ...opening, status: 401, headers: {} }, 'Authorization is missing'],
  'a token without its scheme': [
    { ...opening, status: 401, headers: { authorization: 'eyJ' } },
    'does not begin',
  ],
  'an unknown form': [{ ...opening, request: { formCode: 'FA(3)' } }, 'FA(3)'],
  'a page that is too large': [
    { operation: 'queries.metadata', query: 'pageSize=1000' },
    '10 to 250',
  ],
  'a size as text': [
    { operation: 'invoices.submit', request: { ...submission, invoiceSize: '2000' } },
    'invoiceSize',
  ],
  'a path that does not exist': [
    { operation: undefined, refusal: 'unknown-path', status: 404 },
    'no operation',
  ],
  'an upload without its headers': [
    { ...upload, refusal: 'part-refused', headers: {}, expectedHeaders: { 'x-type': 'Block' } },
    'x-type',
  ],
}

for (const [title, [refused, words]] of Object.entries(wrong))
  test(`a request with ${title} is malformed`, () => expect(found(refused)).toContain(words))

const sound: Readonly<Record<string, Partial<RefusedRequest>>> = {
  'a key that is refused': { ...opening, refusal: 'session-key-refused' },
  'a refusal of another code': { code: 21180 },
  'an answer that succeeds': { status: 200 },
  'an expired token': { ...opening, status: 401, headers: { authorization: 'Bearer eyJ' } },
  'a wrong hash': {
    operation: 'invoices.submit',
    request: { ...submission, invoiceHash: 'hex' },
  },
  'headers that a HAR leaves out': { ...opening, status: 401, headers: {}, isPartial: true },
}

for (const [title, refused] of Object.entries(sound))
  test(`${title} does not make a request malformed`, () => expect(found(refused)).toBeUndefined())
