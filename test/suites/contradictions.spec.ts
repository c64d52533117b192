import { expect, test } from '@playwright/test'
import type { OperationId } from '../../contract/endpoints.ts'
import type { Exchange } from '../../lib/exchange.ts'
import {
  contradictionRules,
  contradictionsIn,
} from '../../suites/support/judging/contradictions.ts'
import { answered } from './answered.ts'

/** Answers are held against each other, whatever a check is about; what may differ or lag behind contradicts nothing. */

const session = '20260615-SB-0123456789-0123456789-01'
const document = '20260615-EE-0123456789-0123456789-02'
const number = '5265877635-20250826-0100001AF629-AF'

const told = (
  operation: OperationId,
  path: string,
  body: unknown,
  { span, origin = 'http://reference.test' }: { span?: Exchange['span']; origin?: string } = {},
): Exchange =>
  answered(operation, { method: 'GET', url: `${origin}/api/v2${path}`, headers: {} }, body, span)

const status = (fields: object, more: { span?: Exchange['span']; origin?: string } = {}) =>
  told('sessions.status', `/sessions/${session}`, fields, more)
const state = (code: number, span?: Exchange['span']) =>
  status({ status: { code } }, span === undefined ? {} : { span })
const sent = (fields: object, operation: OperationId = 'invoices.inSession') =>
  told(operation, `/sessions/${session}/invoices/${document}`, {
    referenceNumber: document,
    ...fields,
  })
const listed = (fields: object) =>
  told('sessions.list', '/sessions', { sessions: [{ referenceNumber: session, ...fields }] })
const found = (fields: object) =>
  told('queries.metadata', '/invoices/query/metadata', {
    invoices: [{ svcNumber: number, ...fields }],
  })

const rulesOf = (...exchanges: readonly Exchange[]) =>
  contradictionsIn(exchanges).map(({ rule }) => rule)

const contradictory: Readonly<Record<string, readonly [rule: string, ...(readonly Exchange[])]>> = {
  'a state that comes back': ['sessions.status.moves-forward', state(150), state(100)],
  'the end of an ended session': ['sessions.status.moves-forward', state(405), state(200)],
  'another day of creation': [
    'sessions.status.dates',
    status({ dateCreated: '2026-06-15T08:00:00Z' }),
    listed({ dateCreated: '2026-06-15T08:00:01Z' }),
  ],
  'more ended invoices than there are': [
    'sessions.status.counts',
    status({ invoiceCount: 2, successfulInvoiceCount: 2, failedInvoiceCount: 1 }),
  ],
  'a receipt with another page': [
    'receipts.session.verifies',
    status({ status: { code: 200 }, upo: { pages: [{ referenceNumber: 'one' }] } }),
    status({ status: { code: 200 }, upo: { pages: [{ referenceNumber: 'two' }] } }),
  ],
  'fewer invoices in an ended session': [
    'sessions.status.counts',
    status({ status: { code: 200 }, invoiceCount: 2 }),
    listed({ status: { code: 200 }, totalInvoiceCount: 1 }),
  ],
  'a row that comes twice on a page': [
    'sessions.list.complete',
    told('sessions.list', '/sessions', {
      sessions: [{ referenceNumber: session }, { referenceNumber: session }],
    }),
  ],
  'an accepted invoice among those that failed': [
    'sessions.batch.failed-list',
    told('sessions.failed', `/sessions/${session}/invoices/failed`, {
      invoices: [{ referenceNumber: document, status: { code: 200 }, svcNumber: number }],
    }),
  ],
  'another document with the number': [
    'invoices.get.by-service-number',
    told('invoices.bySvcNumber', `/invoices/svc/${number}`, 'one\r\n'),
    told('invoices.bySvcNumber', `/invoices/svc/${number}`, 'one\n'),
  ],
  'another number of an invoice': [
    'sessions.invoices.complete',
    sent({ status: { code: 200 }, svcNumber: number }),
    sent({ status: { code: 200 }, svcNumber: `${number}0` }, 'invoices.status'),
  ],
  'an accepted invoice without a number': [
    'invoices.number.unique',
    sent({ status: { code: 200 } }),
  ],
  'a rejected invoice with a number': [
    'invoices.number.unique',
    sent({ status: { code: 430 }, svcNumber: number }),
  ],
  'another seller in a search': [
    'queries.metadata.described',
    found({ seller: { nip: '1', name: 'one' } }),
    found({ seller: { nip: '2', name: 'one' } }),
  ],
  'another hash in a search than in the session': [
    'queries.metadata.described',
    sent({ status: { code: 200 }, svcNumber: number, invoiceHash: 'a' }),
    found({ invoiceHash: 'b' }),
  ],
}

for (const [name, [rule, ...exchanges]] of Object.entries(contradictory))
  test(`${name} contradicts`, () => {
    expect(rulesOf(...exchanges)).toEqual([rule])
    expect(contradictionRules).toContain(rule)
  })

const consistent: Readonly<Record<string, readonly Exchange[]>> = {
  'a state that follows, with steps left out': [state(100), state(200)],
  'states in answers to calls at the same time': [state(200, [1, 4]), state(150, [2, 3])],
  'a state in a list that lags behind': [state(200), listed({ status: { code: 150 } })],
  'what is told later': [
    sent({ status: { code: 150 }, svcNumber: null }),
    sent({ status: { code: 200 }, svcNumber: number }),
  ],
  'counts of a session that is still open': [
    status({ status: { code: 100 }, invoiceCount: 1 }),
    status({ status: { code: 200 }, invoiceCount: 2 }),
  ],
  'the same instant in another spelling': [
    status({ dateCreated: '2026-06-15T08:00:00Z' }),
    listed({ dateCreated: '2026-06-15T10:00:00.000+02:00' }),
  ],
  'the same fields in another order': [
    found({ seller: { nip: '1', name: null } }),
    found({ seller: { nip: '1' } }),
  ],
  'fields that the contract does not name': [
    found({ seller: { nip: '1', 'x-1': [] } }),
    found({ seller: { nip: '1', 'x-1': 2 } }),
  ],
  'the same name at a sibling': [
    status({ dateCreated: '2026-06-15T08:00:00Z' }),
    status({ dateCreated: '2026-06-16T08:00:00Z' }, { origin: 'http://sibling.test' }),
  ],
}

for (const [name, exchanges] of Object.entries(consistent))
  test(`${name} is consistent`, () => {
    expect(contradictionsIn(exchanges)).toEqual([])
  })
