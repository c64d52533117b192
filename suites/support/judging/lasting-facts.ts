import type { OperationId } from '../../../contract/endpoints.ts'
import type { RuleId } from '../../../contract/rules.ts'
import { statusOf } from '../../../lib/flows/settle.ts'
import { isFields, rowsOf } from '../coverage/reached.ts'
import type { Fields } from '../coverage/reached.ts'

/** What answers tell of a resource that nothing in the contract changes. */

/** A kind of resource, and what of it never changes once it is told. */
export interface Kind {
  readonly rule: RuleId
  readonly facts: readonly string[]
  /** Facts that do not stand in a field of their own. */
  readonly derived?: (row: Fields) => Fields
  /** The operations that tell of it, with the list that its rows are in, and the field that names it. */
  readonly told: Readonly<
    Partial<Record<OperationId, { readonly list?: string; readonly name?: string }>>
  >
}

const grant = (...facts: readonly string[]): Pick<Kind, 'rule' | 'facts'> => ({
  rule: 'permissions.query.described',
  facts: ['authorIdentifier', 'description', 'startDate', ...facts],
})
const grants = { list: 'permissions', name: 'id' } as const
const invoices = { list: 'invoices' } as const

const hasEnded = (row: Fields): boolean => (statusOf(row)?.code ?? 0) >= 200

/** The counts of a session that takes no more invoices. */
const countsOfEnded = (row: Fields): Fields =>
  hasEnded(row)
    ? {
        'the count of its invoices': row['invoiceCount'] ?? row['totalInvoiceCount'],
        'the count of accepted ones': row['successfulInvoiceCount'],
        'the count of rejected ones': row['failedInvoiceCount'],
      }
    : {}

/** The pages of the receipt of a session, once it is complete. */
const pagesOfEnded = (row: Fields): Fields => {
  const { upo } = row
  const pages = isFields(upo) ? rowsOf(upo, 'pages').map((page) => page['referenceNumber']) : []
  return hasEnded(row) && pages.length > 0 ? { 'its receipt': pages } : {}
}

export const kinds: Readonly<Record<string, Kind>> = {
  authentication: {
    rule: 'auth.sessions.described',
    facts: ['startDate', 'authenticationMethod'],
    told: { 'auth.status': {}, 'auth.sessions': { list: 'items' } },
  },
  session: {
    rule: 'sessions.status.dates',
    facts: ['dateCreated', 'validUntil'],
    told: {
      'sessions.openOnline': {},
      'sessions.status': {},
      'sessions.list': { list: 'sessions' },
    },
  },
  'ended session': {
    rule: 'sessions.status.counts',
    facts: [],
    derived: countsOfEnded,
    told: { 'sessions.status': {}, 'sessions.list': { list: 'sessions' } },
  },
  'receipt of a session': {
    rule: 'receipts.session.verifies',
    facts: [],
    derived: pagesOfEnded,
    told: { 'sessions.status': {} },
  },
  'invoice of a session': {
    rule: 'sessions.invoices.complete',
    facts: [
      'ordinalNumber',
      'invoiceHash',
      'invoicingDate',
      'invoiceNumber',
      'invoiceFileName',
      'svcNumber',
      'acquisitionDate',
      'permanentStorageDate',
      'invoicingMode',
      'sessionReferenceNumber',
      'originalSvcNumber',
      'originalSessionReferenceNumber',
    ],
    told: {
      'sessions.invoices': invoices,
      'sessions.failed': invoices,
      'invoices.inSession': {},
      'invoices.status': {},
      'invoices.statusBySvcNumber': {},
    },
  },
  invoice: {
    rule: 'queries.metadata.described',
    facts: [
      'invoiceNumber',
      'issueDate',
      'invoicingDate',
      'acquisitionDate',
      'permanentStorageDate',
      'seller',
      'buyer',
      'netAmount',
      'grossAmount',
      'vatAmount',
      'currency',
      'invoicingMode',
      'invoiceType',
      'formCode',
      'isSelfInvoicing',
      'hasAttachment',
      'invoiceHash',
      'hashOfCorrectedInvoice',
      'thirdSubjects',
    ],
    told: {
      'queries.metadata': { ...invoices, name: 'svcNumber' },
      'queries.general': { ...invoices, name: 'svcNumber' },
      'sessions.invoices': { ...invoices, name: 'svcNumber' },
      'invoices.inSession': { name: 'svcNumber' },
      'invoices.status': { name: 'svcNumber' },
      'invoices.statusBySvcNumber': { name: 'svcNumber' },
    },
  },
  'service token': {
    rule: 'tokens.status.described',
    facts: [
      'dateCreated',
      'description',
      'requestedPermissions',
      'authorIdentifier',
      'contextIdentifier',
    ],
    told: { 'tokens.status': {}, 'tokens.list': { list: 'tokens' } },
  },
  certificate: {
    rule: 'certificates.listed',
    facts: [
      'name',
      'type',
      'commonName',
      'subjectIdentifier',
      'validFrom',
      'validTo',
      'requestDate',
    ],
    told: { 'certificates.query': { list: 'certificates', name: 'certificateSerialNumber' } },
  },
  'permission of a person': {
    ...grant('authorizedIdentifier', 'permissionScope', 'canDelegate', 'targetIdentifier'),
    told: { 'permissions.queryPersons': grants },
  },
  'permission of the caller': {
    ...grant('authorizedIdentifier', 'permissionScope', 'canDelegate', 'targetIdentifier'),
    told: { 'permissions.queryPersonal': grants },
  },
  'permission in a unit': {
    ...grant('authorizedIdentifier', 'subunitIdentifier', 'subunitName'),
    told: { 'permissions.querySubunits': grants },
  },
  'permission in an EU entity': {
    ...grant(
      'vatUeIdentifier',
      'authorizedFingerprintIdentifier',
      'permissionScope',
      'euEntityName',
    ),
    told: { 'permissions.queryEu': grants },
  },
  authorization: {
    ...grant('authorizedEntityIdentifier', 'authorizingEntityIdentifier', 'authorizationScope'),
    told: { 'permissions.queryAuthorizations': { ...grants, list: 'authorizationGrants' } },
  },
  export: {
    rule: 'exports.package.content',
    facts: ['completedDate', 'packageExpirationDate'],
    told: { 'exports.status': {} },
  },
}

/** Lists with the field that names a row, and the rule by which each row stands there once. */
export const lists: Readonly<
  Partial<
    Record<
      OperationId,
      { readonly list: string; readonly name?: string; readonly complete: RuleId }
    >
  >
> = {
  'auth.sessions': { list: 'items', complete: 'auth.sessions.listed' },
  'sessions.list': { list: 'sessions', complete: 'sessions.list.complete' },
  'sessions.invoices': { list: 'invoices', complete: 'sessions.invoices.complete' },
  'sessions.failed': { list: 'invoices', complete: 'sessions.batch.failed-list' },
  'queries.metadata': { ...invoices, name: 'svcNumber', complete: 'queries.metadata.paging' },
  'queries.general': { ...invoices, name: 'svcNumber', complete: 'queries.general.date-range' },
  'tokens.list': { list: 'tokens', complete: 'tokens.list.scope' },
  'certificates.query': {
    list: 'certificates',
    name: 'certificateSerialNumber',
    complete: 'certificates.listed',
  },
  'permissions.queryPersons': { ...grants, complete: 'permissions.query.paged' },
  'permissions.queryPersonal': { ...grants, complete: 'permissions.query.paged' },
  'permissions.querySubunits': { ...grants, complete: 'permissions.query.paged' },
  'permissions.queryEu': { ...grants, complete: 'permissions.query.paged' },
  'permissions.queryAuthorizations': {
    ...grants,
    list: 'authorizationGrants',
    complete: 'permissions.query.paged',
  },
}
