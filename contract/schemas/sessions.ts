import type { JsonSchema } from '../types.ts'
import {
  base64,
  boolean,
  bytes,
  count,
  instant,
  link,
  list,
  maybe,
  nonEmpty,
  object,
  oneOf,
  ordinal,
  ref,
  string,
} from './build.ts'

/** Sessions, invoices within them, receipts. Source: Resources and their fields > Session; gaps 3, 4 and 10. */

const session = '20260615-SO-2F6A9B0C1D-0E3F4A5B6C-7D'
const batch = '20260615-SB-2F6A9B0C1D-0E3F4A5B6C-7D'
const document = '20260615-EE-2F6A9B0C1D-0E3F4A5B6C-7D'
const hash = '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='
const formCode = { systemCode: 'FA (3)', schemaVersion: '1-0E', value: 'FA' }
/** The key of a session or an export, as the caller hands it over. */
export const keyFields = {
  encryptedSymmetricKey: { ...base64, minLength: 1 },
  initVector: { ...base64, minLength: 1 },
}
export const keyExample = {
  encryptedSymmetricKey: 'c3ltbWV0cmljIGtleQ==',
  initVector: 'AAECAwQFBgcICQoLDA0ODw==',
}

const invoiceStatus = {
  referenceNumber: document,
  sessionReferenceNumber: session,
  ordinalNumber: 1,
  invoiceNumber: 'FV/2026/06/1',
  svcNumber: '5265877635-20250826-0100001AF629-AF',
  invoiceHash: hash,
  invoicingDate: '2026-06-15T08:00:01Z',
  acquisitionDate: '2026-06-15T08:00:02Z',
  permanentStorageDate: '2026-06-15T08:00:03Z',
  upoDownloadUrl: 'http://127.0.0.1:8080/api/v2/receipts/5f2c',
  upoDownloadUrlExpirationDate: '2026-06-18T08:00:03Z',
  invoicingMode: 'Online',
  status: { code: 200, description: 'accepted' },
}
const sessionItem = {
  referenceNumber: session,
  status: { code: 200, description: 'processed' },
  dateCreated: '2026-06-15T08:00:00Z',
  dateUpdated: '2026-06-15T08:05:00Z',
  validUntil: '2026-06-15T20:00:00Z',
  totalInvoiceCount: 1,
  successfulInvoiceCount: 1,
  failedInvoiceCount: 0,
}

export const sessions = {
  SessionType: oneOf(['Online', 'Batch']),
  SessionOutcome: oneOf(['InProgress', 'Succeeded', 'Failed', 'Cancelled']),

  OpenOnlineSession: object(
    { formCode: ref('FormCodeChoice'), ...keyFields },
    { publicKeyId: maybe(ref('PublicKeyId')) },
    { formCode, ...keyExample },
  ),
  OnlineSessionOpened: object(
    { referenceNumber: ref('ReferenceNumber') },
    { validUntil: instant },
    { referenceNumber: session, validUntil: '2026-06-15T20:00:00Z' },
  ),
  BatchPart: object(
    { ordinalNumber: ordinal, fileSize: bytes, fileHash: ref('Sha256') },
    {},
    { ordinalNumber: 1, fileSize: 16048, fileHash: hash },
  ),
  BatchFile: object(
    {
      // No maxima here: a package that is too large, and too many parts, are refusals of their own.
      fileSize: { type: 'integer', minimum: 1 },
      fileHash: ref('Sha256'),
      fileParts: list(ref('BatchPart'), { minItems: 1 }),
    },
    { compressionType: maybe(ref('CompressionType')) },
    {
      fileSize: 16037,
      fileHash: hash,
      compressionType: 'Zip',
      fileParts: [{ ordinalNumber: 1, fileSize: 16048, fileHash: hash }],
    },
  ),
  OpenBatchSession: object(
    { formCode: ref('FormCodeChoice'), ...keyFields, batchFile: ref('BatchFile') },
    { publicKeyId: maybe(ref('PublicKeyId')), offlineMode: { ...boolean, default: false } },
    {
      formCode,
      ...keyExample,
      batchFile: {
        fileSize: 16037,
        fileHash: hash,
        fileParts: [{ ordinalNumber: 1, fileSize: 16048, fileHash: hash }],
      },
    },
  ),
  PartUpload: object(
    { ordinalNumber: ordinal, method: nonEmpty, url: link, headers: { type: 'object' } },
    {},
    {
      ordinalNumber: 1,
      method: 'PUT',
      url: `http://127.0.0.1:8080/api/v2/uploads/${batch}/1?sig=c2ln`,
      headers: { 'x-ms-blob-type': 'BlockBlob' },
    },
  ),
  BatchSessionOpened: object(
    { referenceNumber: ref('ReferenceNumber'), partUploadRequests: list(ref('PartUpload')) },
    {},
    {
      referenceNumber: batch,
      partUploadRequests: [
        {
          ordinalNumber: 1,
          method: 'PUT',
          url: `http://127.0.0.1:8080/api/v2/uploads/${batch}/1?sig=c2ln`,
          headers: {},
        },
      ],
    },
  ),

  SubmitInvoice: object(
    {
      invoiceHash: ref('Sha256'),
      invoiceSize: bytes,
      encryptedInvoiceHash: ref('Sha256'),
      encryptedInvoiceSize: bytes,
      encryptedInvoiceContent: { ...base64, minLength: 1 },
    },
    {
      offlineMode: { ...boolean, default: false },
      hashOfCorrectedInvoice: maybe(ref('Sha256')),
    },
    {
      invoiceHash: hash,
      invoiceSize: 16037,
      encryptedInvoiceHash: hash,
      encryptedInvoiceSize: 16048,
      encryptedInvoiceContent: 'ZW5jcnlwdGVkIGludm9pY2U=',
    },
  ),
  InvoiceSubmitted: object(
    { referenceNumber: ref('ReferenceNumber') },
    {},
    { referenceNumber: document },
  ),
  InvoiceSent: object(
    { referenceNumber: ref('ReferenceNumber') },
    { sessionReferenceNumber: maybe(ref('ReferenceNumber')), upoDownloadUrl: maybe(link) },
    { referenceNumber: document, sessionReferenceNumber: session },
  ),
  InvoiceStatus: object(
    {
      referenceNumber: ref('ReferenceNumber'),
      ordinalNumber: ordinal,
      invoiceHash: ref('Sha256'),
      invoicingDate: instant,
      status: ref('InvoiceStatusInfo'),
    },
    {
      sessionReferenceNumber: ref('ReferenceNumber'),
      invoiceNumber: maybe({ type: 'string', maxLength: 256 }),
      svcNumber: maybe(ref('SvcNumber')),
      invoiceFileName: maybe({ type: 'string', maxLength: 128 }),
      acquisitionDate: maybe(instant),
      permanentStorageDate: maybe(instant),
      upoDownloadUrl: maybe(link),
      upoDownloadUrlExpirationDate: maybe(instant),
      invoicingMode: maybe(ref('InvoicingMode')),
      originalSessionReferenceNumber: maybe(ref('ReferenceNumber')),
      originalSvcNumber: maybe(ref('SvcNumber')),
    },
    invoiceStatus,
  ),
  SessionInvoices: object(
    { invoices: list(ref('InvoiceStatus')) },
    { continuationToken: maybe(string) },
    { invoices: [invoiceStatus], continuationToken: null },
  ),

  ReceiptPage: object(
    {
      referenceNumber: ref('ReferenceNumber'),
      downloadUrl: link,
      downloadUrlExpirationDate: instant,
    },
    {},
    {
      referenceNumber: '20260615-EU-2F6A9B0C1D-0E3F4A5B6C-7D',
      downloadUrl: 'http://127.0.0.1:8080/api/v2/receipts/5f2c',
      downloadUrlExpirationDate: '2026-06-18T08:00:03Z',
    },
  ),
  SessionReceipt: object({ pages: list(ref('ReceiptPage')) }, {}, { pages: [] }),
  SessionStatus: object(
    { status: ref('StatusInfo'), dateCreated: instant, dateUpdated: instant },
    {
      validUntil: maybe(instant),
      upo: maybe(ref('SessionReceipt')),
      invoiceCount: maybe(count),
      successfulInvoiceCount: maybe(count),
      failedInvoiceCount: maybe(count),
    },
    {
      status: { code: 200, description: 'processed' },
      dateCreated: '2026-06-15T08:00:00Z',
      dateUpdated: '2026-06-15T08:05:00Z',
      upo: { pages: [] },
      invoiceCount: 1,
      successfulInvoiceCount: 1,
      failedInvoiceCount: 0,
    },
  ),
  SessionItem: object(
    {
      referenceNumber: ref('ReferenceNumber'),
      status: ref('StatusInfo'),
      dateCreated: instant,
      dateUpdated: instant,
      totalInvoiceCount: count,
      successfulInvoiceCount: count,
      failedInvoiceCount: count,
    },
    { validUntil: maybe(instant) },
    sessionItem,
  ),
  SessionList: object(
    { sessions: list(ref('SessionItem')) },
    { continuationToken: maybe(string) },
    { sessions: [sessionItem], continuationToken: null },
  ),
} as const satisfies Record<string, JsonSchema>
