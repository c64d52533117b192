import type { JsonSchema } from '../types.ts'
import {
  boolean,
  bytes,
  count,
  day,
  inline,
  instant,
  integer,
  link,
  list,
  maybe,
  nonEmpty,
  number,
  object,
  oneOf,
  ordinal,
  ref,
} from './build.ts'
import { keyExample, keyFields } from './sessions.ts'

/**
 * Metadata query, export, operations. Source: Resources and their fields > Query metadata request, Export; gaps 5, 6
 * and 8.
 */

const hash = '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='
const name = maybe({ type: 'string', maxLength: 512 })
const party = (kinds: readonly string[]) =>
  inline(
    { type: { type: 'string', enum: kinds } },
    { value: maybe({ type: 'string', maxLength: 50 }) },
  )
const buyerKinds = ['Nip', 'VatUe', 'Other', 'None']
const currency = { type: 'string', pattern: '^[A-Z]{3}$', minLength: 3, maxLength: 3 } as const
const filters = {
  subjectType: 'subject1',
  dateRange: { dateType: 'issue', from: '2026-06-01T00:00:00Z', to: '2026-06-15T00:00:00Z' },
}
const metadata = {
  svcNumber: '5265877635-20250826-0100001AF629-AF',
  invoiceNumber: 'FV/2026/06/1',
  issueDate: '2026-06-15',
  invoicingDate: '2026-06-15T08:00:01Z',
  acquisitionDate: '2026-06-15T08:00:02Z',
  permanentStorageDate: '2026-06-15T08:00:03Z',
  seller: { nip: '5265877635', name: 'seller' },
  buyer: { identifier: { type: 'Nip', value: '7980332920' }, name: 'buyer' },
  netAmount: 100,
  grossAmount: 123,
  vatAmount: 23,
  currency: 'PLN',
  invoicingMode: 'Online',
  invoiceType: 'Vat',
  formCode: { systemCode: 'FA (3)', schemaVersion: '1-0E', value: 'FA' },
  isSelfInvoicing: false,
  hasAttachment: false,
  invoiceHash: hash,
}
const part = {
  ordinalNumber: 1,
  partName: '20260615-EH-2F6A9B0C1D-0E3F4A5B6C-7D-001.zip.aes',
  method: 'GET',
  url: 'http://127.0.0.1:8080/api/v2/downloads/20260615-EH-2F6A9B0C1D-0E3F4A5B6C-7D/1?sig=c2ln',
  partSize: 16037,
  partHash: hash,
  encryptedPartSize: 16048,
  encryptedPartHash: hash,
  expirationDate: '2026-06-15T09:00:00Z',
}
const parcel = { invoiceCount: 1, size: 16037, parts: [part], isTruncated: false }

export const queries = {
  QuerySubject: oneOf(['subject1', 'subject2', 'subject3', 'subjectAuthorized']),
  QueryDateType: oneOf(['issue', 'acquisition', 'invoicing', 'permanentStorage']),
  QueryDateRange: object(
    { dateType: ref('QueryDateType'), from: instant },
    { to: maybe(instant), restrictToPermanentStorageHwmDate: maybe(boolean) },
    filters.dateRange,
  ),
  InvoiceType: oneOf(['Vat', 'Zal', 'Kor', 'Roz', 'Upr', 'KorZal', 'KorRoz']),
  FormType: oneOf(['FA']),
  MetadataQuery: object(
    { subjectType: ref('QuerySubject'), dateRange: ref('QueryDateRange') },
    {
      svcNumber: maybe(ref('SvcNumber')),
      invoiceNumber: maybe({ type: 'string', maxLength: 256 }),
      amount: maybe(
        inline(
          { type: { type: 'string', enum: ['Brutto', 'Netto', 'Vat'] } },
          { from: maybe(number), to: maybe(number) },
        ),
      ),
      sellerNip: maybe(ref('Nip')),
      buyerIdentifier: maybe(party(buyerKinds)),
      currencyCodes: maybe(list(currency)),
      invoicingMode: maybe(ref('InvoicingMode')),
      isSelfInvoicing: maybe(boolean),
      formType: maybe(ref('FormType')),
      invoiceTypes: maybe(list(ref('InvoiceType'))),
      hasAttachment: maybe(boolean),
    },
    filters,
  ),
  InvoiceMetadata: object(
    {
      svcNumber: ref('SvcNumber'),
      invoiceNumber: { type: 'string', maxLength: 256 },
      issueDate: day,
      invoicingDate: instant,
      acquisitionDate: instant,
      permanentStorageDate: instant,
      seller: inline({ nip: ref('Nip') }, { name }),
      buyer: inline({ identifier: party(buyerKinds) }, { name }),
      netAmount: number,
      grossAmount: number,
      vatAmount: number,
      currency,
      invoicingMode: ref('InvoicingMode'),
      invoiceType: ref('InvoiceType'),
      formCode: ref('FormCode'),
      isSelfInvoicing: boolean,
      hasAttachment: boolean,
      invoiceHash: ref('Sha256'),
    },
    {
      hashOfCorrectedInvoice: maybe(ref('Sha256')),
      thirdSubjects: maybe(
        list(
          inline(
            { identifier: party(['Nip', 'InternalId', 'VatUe', 'Other', 'None']), role: integer },
            { name },
          ),
        ),
      ),
      authorizedSubject: maybe(inline({ nip: ref('Nip'), role: integer }, { name })),
    },
    metadata,
  ),
  MetadataPage: object(
    { hasMore: boolean, isTruncated: boolean, invoices: list(ref('InvoiceMetadata')) },
    { permanentStorageHwmDate: maybe(instant) },
    { hasMore: false, isTruncated: false, permanentStorageHwmDate: null, invoices: [metadata] },
  ),

  ExportRequest: object(
    { ...keyFields, filters: ref('MetadataQuery') },
    {
      publicKeyId: maybe(ref('PublicKeyId')),
      onlyMetadata: { ...boolean, default: false },
      compressionType: maybe(ref('CompressionType')),
    },
    { ...keyExample, filters },
  ),
  ExportCreated: object(
    { referenceNumber: ref('ReferenceNumber') },
    {},
    { referenceNumber: '20260615-EH-2F6A9B0C1D-0E3F4A5B6C-7D' },
  ),
  ExportPart: object(
    {
      ordinalNumber: ordinal,
      partName: { type: 'string', maxLength: 100 },
      method: nonEmpty,
      url: link,
      partSize: bytes,
      partHash: ref('Sha256'),
      encryptedPartSize: bytes,
      encryptedPartHash: ref('Sha256'),
      expirationDate: instant,
    },
    {},
    part,
  ),
  ExportPackage: object(
    {
      invoiceCount: { type: 'integer', minimum: 0, maximum: 10_000 },
      size: count,
      parts: list(ref('ExportPart')),
      isTruncated: boolean,
    },
    {
      lastIssueDate: maybe(day),
      lastInvoicingDate: maybe(instant),
      lastAcquisitionDate: maybe(instant),
      lastPermanentStorageDate: maybe(instant),
      permanentStorageHwmDate: maybe(instant),
      compressionType: maybe(ref('CompressionType')),
    },
    parcel,
  ),
  ExportStatus: object(
    { status: ref('StatusInfo') },
    {
      completedDate: maybe(instant),
      packageExpirationDate: maybe(instant),
      package: maybe(ref('ExportPackage')),
    },
    {
      status: { code: 200, description: 'ready' },
      completedDate: '2026-06-15T08:00:00Z',
      packageExpirationDate: '2026-06-16T08:00:00Z',
      package: parcel,
    },
  ),
  OperationStarted: object(
    { referenceNumber: ref('ReferenceNumber') },
    {},
    { referenceNumber: '20260615-EG-2F6A9B0C1D-0E3F4A5B6C-7D' },
  ),
  OperationStatus: object(
    { status: ref('StatusInfo') },
    {},
    { status: { code: 200, description: 'finished' } },
  ),
} as const satisfies Record<string, JsonSchema>
