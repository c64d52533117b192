import { expect, test } from '@playwright/test'
import type { OperationId } from '../../contract/endpoints.ts'
import { svc } from '../../contract/dialects/svc.ts'
import type { Exchange } from '../../lib/exchange.ts'
import { answerRules } from '../../suites/support/judging/contradictions.ts'
import { wrongRows } from '../../suites/support/judging/wrong-rows.ts'
import { answered } from './answered.ts'

/** Rows are held against what was asked; what a row does not tell, or may be told in other ways, is no fault. */

const number = '5265877635-20250826-0100001AF629-AF'
const other = '5265877635-20250826-0200001AF629-C6'
const session = '20260615-SO-0123456789-0123456789-01'

const listed = (
  operation: OperationId,
  query: string,
  asked: unknown,
  body: unknown,
  authorization = 'Bearer one',
): Exchange =>
  answered(
    operation,
    {
      method: 'POST',
      url: `http://reference.test/api/v2/list?${query}`,
      headers: { authorization },
      ...(asked === undefined ? {} : { body: JSON.stringify(asked) }),
    },
    body,
  )

const range = { dateType: 'issue', from: '2026-06-01T00:00:00Z', to: '2026-06-20T00:00:00Z' }
const invoice = (more: object = {}) => ({
  svcNumber: number,
  invoiceNumber: 'A/1',
  issueDate: '2026-06-15',
  acquisitionDate: '2026-06-15T08:00:00Z',
  seller: { nip: '5265877635' },
  grossAmount: 123,
  invoiceType: 'Vat',
  ...more,
})
const search = (asked: object, found: readonly object[], query = '', by?: string) =>
  listed(
    'queries.metadata',
    query,
    { subjectType: 'subject1', dateRange: range, ...asked },
    { hasMore: false, invoices: found },
    by,
  )

const wrong: Readonly<Record<string, readonly [rule: string, ...(readonly Exchange[])]>> = {
  'a kind of invoice that was not asked for': [
    'queries.metadata.filters',
    search({ invoiceTypes: ['Kor'] }, [invoice()]),
  ],
  'a day before the range': [
    'queries.metadata.filters',
    search({}, [invoice({ issueDate: '2026-05-30' })]),
  ],
  'an instant after the range': [
    'queries.metadata.filters',
    search({ dateRange: { ...range, dateType: 'acquisition', to: '2026-06-15T07:00:00Z' } }, [
      invoice(),
    ]),
  ],
  'an amount below the least': [
    'queries.metadata.filters',
    search({ amount: { type: 'Brutto', from: 200 } }, [invoice()]),
  ],
  'an invoice that was found before': [
    'queries.metadata.filters',
    search({}, [invoice()]),
    search({ invoiceTypes: ['Vat'] }, []),
  ],
  'a wrong order': [
    'queries.metadata.paging',
    search({}, [invoice(), invoice({ svcNumber: other, issueDate: '2026-06-14' })]),
  ],
  'more rows than a page holds': [
    'queries.metadata.paging',
    search({}, [invoice(), invoice({ svcNumber: other })], 'pageSize=1'),
  ],
  'a session of the other type': [
    'sessions.list.complete',
    listed('sessions.list', 'sessionType=Batch', undefined, {
      sessions: [{ referenceNumber: session, status: { code: 100 } }],
    }),
  ],
  'a service token without the text': [
    'tokens.list.narrowed',
    listed('tokens.list', 'description=beta', undefined, {
      tokens: [{ referenceNumber: session, description: 'alpha' }],
    }),
  ],
  'a permission of another person': [
    'permissions.query.narrowed',
    listed(
      'permissions.queryPersons',
      '',
      { authorizedIdentifier: { type: 'Nip', value: '1111111111' } },
      { permissions: [{ id: '1', authorizedIdentifier: { type: 'Nip', value: '5265877635' } }] },
    ),
  ],
}

for (const [what, [rule, ...exchanges]] of Object.entries(wrong))
  test(`${what} is a fault`, () => {
    expect(wrongRows(exchanges, svc).map((fault) => fault.rule)).toEqual([rule])
    expect(answerRules).toContain(rule)
  })

const right: Readonly<Record<string, readonly Exchange[]>> = {
  'what fits each filter': [
    search(
      { invoiceTypes: ['Vat'], sellerNip: '5265877635', amount: { type: 'Brutto', to: 123 } },
      [invoice()],
    ),
  ],
  'a day at the edge, which depends on the zone': [
    search({}, [invoice({ issueDate: '2026-06-20' })]),
  ],
  'a bound without an offset, which depends on the zone': [
    search({ dateRange: { ...range, dateType: 'acquisition', from: '2026-06-15T09:00:00' } }, [
      invoice(),
    ]),
  ],
  'a number in another spelling': [search({ svcNumber: number.toLowerCase() }, [invoice()])],
  'a descending order that was asked for': [
    search(
      {},
      [invoice(), invoice({ svcNumber: other, issueDate: '2026-06-14' })],
      'sortOrder=Desc',
    ),
  ],
  'an invoice that another caller found before': [
    search({}, [invoice()]),
    search({ invoiceTypes: ['Vat'] }, [], '', 'Bearer two'),
  ],
  'an invoice that another filter leaves out': [
    search({}, [invoice()]),
    search({ invoiceTypes: ['Kor'] }, []),
  ],
  'an invoice on another page': [search({}, [invoice()]), search({}, [], 'pageOffset=1')],
  'a row that does not tell': [
    listed(
      'permissions.queryPersons',
      '',
      { targetIdentifier: { type: 'AllPartners' } },
      { permissions: [{ id: '1' }] },
    ),
  ],
}

for (const [what, exchanges] of Object.entries(right))
  test(`${what} is no fault`, () => {
    expect(wrongRows(exchanges, svc)).toEqual([])
  })
