import type { JsonSchema } from '../types.ts'
import {
  boolean,
  inline,
  instant,
  integer,
  list,
  maybe,
  number,
  object,
  ref,
  string,
} from './build.ts'

/** Collective identifiers and Peppol providers. Source: gap further-operations. */

const svcNumber = '5265877635-20250826-0100001AF629-AF'
const collective = '1111111111-IZ202607-65ED02180000-E7'
const created = '2026-06-15T08:00:00Z'
const currency = { type: 'string', pattern: '^[A-Z]{3}$' } as const
const code: JsonSchema = { type: 'string', minLength: 3, maxLength: 3 }
const note = maybe({ type: 'string', maxLength: 512 })
const identifier: JsonSchema = { type: 'string', minLength: 35, maxLength: 35 }
const entry = {
  collectiveIdentifierNumber: collective,
  dateCreated: created,
  createdInCurrentContext: true,
}
const pageOf = (field: string, id: string, example: object) =>
  object(
    { [field]: list(ref(id)) },
    { continuationToken: maybe(string) },
    { [field]: [example as Record<string, string>], continuationToken: null },
  )

export const collectives = {
  CreateCollective: object(
    {
      invoices: list(
        inline(
          { svcNumber: ref('SvcNumber') },
          { payment: maybe(inline({ amount: number, currency })), description: note },
        ),
      ),
    },
    {},
    { invoices: [{ svcNumber, payment: { amount: 100, currency: 'PLN' } }] },
  ),
  CollectiveCreated: object(
    { collectiveIdentifierNumber: identifier },
    {},
    { collectiveIdentifierNumber: collective },
  ),
  CollectiveQuery: object(
    { dateCreatedFrom: instant, dateCreatedTo: instant },
    {
      collectiveIdentifierNumber: maybe(string),
      invoiceCountFrom: maybe(integer),
      invoiceCountTo: maybe(integer),
      createdInCurrentContext: maybe(boolean),
    },
    { dateCreatedFrom: '2026-06-01T00:00:00Z', dateCreatedTo: '2026-06-30T00:00:00Z' },
  ),
  Collective: object(
    {
      collectiveIdentifierNumber: identifier,
      dateCreated: instant,
      invoiceCount: { type: 'integer', minimum: 0 },
      createdInCurrentContext: boolean,
    },
    {},
    { ...entry, invoiceCount: 1 },
  ),
  CollectivePage: pageOf('collectiveIdentifiers', 'Collective', { ...entry, invoiceCount: 1 }),
  CollectiveInvoice: object(
    { svcNumber: ref('SvcNumber'), detailsHidden: boolean },
    { payment: maybe(inline({ amount: number, currency: code })), description: note },
    { svcNumber, detailsHidden: false },
  ),
  CollectiveInvoicePage: pageOf('invoices', 'CollectiveInvoice', {
    svcNumber,
    detailsHidden: false,
  }),
  CollectiveOfInvoice: object(
    {
      collectiveIdentifierNumber: identifier,
      createdInCurrentContext: boolean,
      dateCreated: instant,
    },
    {},
    entry,
  ),
  CollectivesOfInvoicePage: pageOf('collectiveIdentifiers', 'CollectiveOfInvoice', entry),
  Provider: object(
    { id: ref('PeppolId'), name: { type: 'string', maxLength: 256 }, dateCreated: instant },
    {},
    { id: 'PPL123456', name: 'provider', dateCreated: created },
  ),
  PeppolId: {
    type: 'string',
    minLength: 9,
    maxLength: 9,
    pattern: '^P[A-Z]{2}[0-9]{6}$',
    examples: ['PPL123456'],
  },
  ProviderPage: object(
    { peppolProviders: list(ref('Provider')), hasMore: boolean },
    {},
    {
      peppolProviders: [{ id: 'PPL123456', name: 'provider', dateCreated: created }],
      hasMore: false,
    },
  ),
} as const satisfies Record<string, JsonSchema>
