import type { OperationId } from '../../contract/endpoints.ts'
import type { RuleId } from '../../contract/rules.ts'

/** What answers tell of a resource that nothing in the contract changes. */

/** A kind of resource, and what of it never changes once it is told. */
export interface Kind {
  readonly rule: RuleId
  readonly facts: readonly string[]
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
