import type { Json, JsonSchema } from '../types.ts'
import {
  boolean,
  day,
  description,
  identifier,
  inline,
  instant,
  list,
  maybe,
  object,
  oneOf,
  ref,
  string,
  text,
} from './build.ts'

/**
 * Grants, revocation, permission queries. Source: Resources and their fields > Permission; gaps permission-grants,
 * permission-queries.
 */

const id = '9b2f7c64-0c2a-4f7f-8a39-6c1a7d7b1a55'
const since = '2026-06-15T08:00:00Z'
const nip = { type: 'Nip', value: '5265877635' }
const pesel = { type: 'Pesel', value: '30112206276' }
const internal = { type: 'InternalId', value: '6824515772-12343' }
const fingerprint = {
  type: 'Fingerprint',
  value: 'CEB3643BAC2C111ADDE971BDA5A80163441867D65389FC0BC0DFF8B4C1CD4E59',
}
const reason = 'bookkeeping office'
const invoiceScopes = ['InvoiceWrite', 'InvoiceRead'] as const
const authorizations = [
  'SelfInvoicing',
  'TaxRepresentative',
  'RRInvoicing',
  'PefInvoicing',
] as const

const names = { firstName: text(2, 30), lastName: text(2, 81) }
const idDocument = inline({
  type: { type: 'string', maxLength: 20 },
  number: { type: 'string', maxLength: 20 },
  country: text(2, 2),
})
const entityName = { fullName: { type: 'string', maxLength: 100 } } as const
const address = { type: 'string', maxLength: 512 } as const
const personDetails = {
  subjectDetailsType: 'PersonByIdentifier',
  personById: { firstName: 'Anna', lastName: 'Nowak' },
}
const euDetails = {
  subjectDetailsType: 'EntityByFingerprint',
  entityByFp: { fullName: 'Muster GmbH', address: 'Berlin' },
}

/** One page of a permission query. */
const page = (field: string, item: string, example: Json): JsonSchema =>
  object({ [field]: list(ref(item)), hasMore: boolean }, {}, { [field]: [example], hasMore: false })

const personGrant = {
  id,
  authorizedIdentifier: pesel,
  authorIdentifier: nip,
  permissionScope: 'InvoiceRead',
  description: reason,
  permissionState: 'Active',
  startDate: since,
  canDelegate: false,
}
const personalGrant = {
  id,
  permissionScope: 'InvoiceRead',
  description: reason,
  permissionState: 'Active',
  startDate: since,
  canDelegate: false,
}
const subunitGrant = {
  id,
  authorizedIdentifier: pesel,
  subunitIdentifier: internal,
  authorIdentifier: nip,
  permissionScope: 'CredentialsManage',
  description: reason,
  subunitName: 'branch 1',
  startDate: since,
}
const entityGrant = {
  id,
  contextIdentifier: nip,
  permissionScope: 'InvoiceWrite',
  description: reason,
  startDate: since,
  canDelegate: true,
}
const authorizationGrant = {
  id,
  authorizedEntityIdentifier: { type: 'Nip', value: '7980332920' },
  authorizingEntityIdentifier: nip,
  authorizationScope: 'SelfInvoicing',
  description: reason,
  startDate: since,
}
const euGrant = {
  id,
  authorIdentifier: nip,
  vatUeIdentifier: 'DE123456789',
  euEntityName: 'Muster GmbH',
  authorizedFingerprintIdentifier: fingerprint.value,
  permissionScope: 'VatUeManage',
  description: reason,
  startDate: since,
}

export const permissions = {
  PersonPermission: oneOf([
    'CredentialsManage',
    'CredentialsRead',
    'InvoiceWrite',
    'InvoiceRead',
    'Introspection',
    'SubunitManage',
    'EnforcementOperations',
  ]),
  PersonalPermission: oneOf([
    'CredentialsManage',
    'CredentialsRead',
    'InvoiceWrite',
    'InvoiceRead',
    'Introspection',
    'SubunitManage',
    'EnforcementOperations',
    'VatUeManage',
  ]),
  InvoicePermission: oneOf(invoiceScopes),
  EuPermission: oneOf(['VatUeManage', 'InvoiceWrite', 'InvoiceRead', 'Introspection']),
  AuthorizationKind: oneOf(authorizations),
  PermissionState: oneOf(['Active', 'Inactive']),
  SubjectIdentifier: identifier(['Nip', 'Pesel', 'Fingerprint'], 10, 64, pesel),
  FingerprintIdentifier: identifier(['Fingerprint'], 64, 64, fingerprint),
  EntityIdentifier: identifier(['Nip'], 10, 10, nip),
  AuthorizedEntityIdentifier: identifier(['Nip', 'PeppolId'], 9, 10, nip),
  UnitIdentifier: identifier(['Nip', 'InternalId'], 10, 16, internal),
  EuContextIdentifier: identifier(['NipVatUe'], 15, 25, {
    type: 'NipVatUe',
    value: '5265877635-DE123456789',
  }),
  TargetIdentifier: object(
    { type: oneOf(['Nip', 'AllPartners', 'InternalId']) },
    { value: maybe(text(10, 16)) },
    { type: 'AllPartners' },
  ),
  GrantAuthor: object(
    { type: oneOf(['Nip', 'Pesel', 'Fingerprint', 'System']) },
    { value: maybe(text(10, 64)) },
    nip,
  ),
  PersonIdentifier: identifier(['Pesel', 'Nip'], 10, 11, pesel),
  PersonByIdentifier: object(names, {}, { firstName: 'Anna', lastName: 'Nowak' }),
  PersonByFingerprintWithIdentifier: object(
    { ...names, identifier: ref('PersonIdentifier') },
    {},
    { firstName: 'Anna', lastName: 'Nowak', identifier: pesel },
  ),
  PersonByFingerprintWithoutIdentifier: object(
    { ...names, birthDate: day, idDocument },
    {},
    {
      firstName: 'Anna',
      lastName: 'Nowak',
      birthDate: '1990-01-01',
      idDocument: { type: 'passport', number: 'AB123456', country: 'DE' },
    },
  ),
  EntityByFingerprint: object({ ...entityName, address }, {}, euDetails.entityByFp),
  PersonDetails: object(
    {
      subjectDetailsType: oneOf([
        'PersonByIdentifier',
        'PersonByFingerprintWithIdentifier',
        'PersonByFingerprintWithoutIdentifier',
      ]),
    },
    {
      personById: maybe(ref('PersonByIdentifier')),
      personByFpWithId: maybe(ref('PersonByFingerprintWithIdentifier')),
      personByFpNoId: maybe(ref('PersonByFingerprintWithoutIdentifier')),
    },
    personDetails,
  ),
  EuSubjectDetails: object(
    {
      subjectDetailsType: oneOf([
        'PersonByFingerprintWithIdentifier',
        'PersonByFingerprintWithoutIdentifier',
        'EntityByFingerprint',
      ]),
    },
    {
      personByFpWithId: maybe(ref('PersonByFingerprintWithIdentifier')),
      personByFpNoId: maybe(ref('PersonByFingerprintWithoutIdentifier')),
      entityByFp: maybe(ref('EntityByFingerprint')),
    },
    euDetails,
  ),
  EntityDetails: object({ fullName: text(5, 90) }, {}, { fullName: 'bookkeeping office' }),
  EuEntityDetails: object({ ...entityName, address }, {}, euDetails.entityByFp),

  GrantPerson: object(
    {
      subjectIdentifier: ref('SubjectIdentifier'),
      permissions: list(ref('PersonPermission'), { minItems: 1 }),
      description,
      subjectDetails: ref('PersonDetails'),
    },
    {},
    {
      subjectIdentifier: pesel,
      permissions: ['InvoiceRead'],
      description: reason,
      subjectDetails: personDetails,
    },
  ),
  GrantEntity: object(
    {
      subjectIdentifier: ref('EntityIdentifier'),
      permissions: list(inline({ type: ref('InvoicePermission') }, { canDelegate: boolean }), {
        minItems: 1,
      }),
      description,
      subjectDetails: ref('EntityDetails'),
    },
    {},
    {
      subjectIdentifier: nip,
      permissions: [{ type: 'InvoiceRead', canDelegate: true }],
      description: reason,
      subjectDetails: { fullName: 'bookkeeping office' },
    },
  ),
  GrantAuthorization: object(
    {
      subjectIdentifier: ref('AuthorizedEntityIdentifier'),
      permission: ref('AuthorizationKind'),
      description,
      subjectDetails: ref('EntityDetails'),
    },
    {},
    {
      subjectIdentifier: nip,
      permission: 'SelfInvoicing',
      description: reason,
      subjectDetails: { fullName: 'bookkeeping office' },
    },
  ),
  GrantIndirect: object(
    {
      subjectIdentifier: ref('SubjectIdentifier'),
      permissions: list(ref('InvoicePermission'), { minItems: 1 }),
      description,
      subjectDetails: ref('PersonDetails'),
    },
    { targetIdentifier: maybe(ref('TargetIdentifier')) },
    {
      subjectIdentifier: pesel,
      targetIdentifier: nip,
      permissions: ['InvoiceRead'],
      description: reason,
      subjectDetails: personDetails,
    },
  ),
  GrantSubunit: object(
    {
      subjectIdentifier: ref('SubjectIdentifier'),
      contextIdentifier: ref('UnitIdentifier'),
      description,
      subjectDetails: ref('PersonDetails'),
    },
    { subunitName: maybe(text(5, 256)) },
    {
      subjectIdentifier: pesel,
      contextIdentifier: internal,
      subunitName: 'branch 1',
      description: reason,
      subjectDetails: personDetails,
    },
  ),
  GrantEuAdministration: object(
    {
      subjectIdentifier: ref('FingerprintIdentifier'),
      contextIdentifier: ref('EuContextIdentifier'),
      description,
      euEntityName: text(5, 256),
      subjectDetails: ref('EuSubjectDetails'),
      euEntityDetails: ref('EuEntityDetails'),
    },
    {},
    {
      subjectIdentifier: fingerprint,
      contextIdentifier: { type: 'NipVatUe', value: '5265877635-DE123456789' },
      description: reason,
      euEntityName: 'Muster GmbH',
      subjectDetails: euDetails,
      euEntityDetails: euDetails.entityByFp,
    },
  ),
  GrantEu: object(
    {
      subjectIdentifier: ref('FingerprintIdentifier'),
      permissions: list(ref('InvoicePermission'), { minItems: 1 }),
      description,
      subjectDetails: ref('EuSubjectDetails'),
    },
    {},
    {
      subjectIdentifier: fingerprint,
      permissions: ['InvoiceRead'],
      description: reason,
      subjectDetails: euDetails,
    },
  ),

  AttachmentConsent: object(
    {},
    { isAttachmentAllowed: boolean, revokedDate: maybe(instant) },
    { isAttachmentAllowed: true, revokedDate: null },
  ),

  PersonSummary: object(
    {
      subjectDetailsType: oneOf([
        'PersonByIdentifier',
        'PersonByFingerprintWithIdentifier',
        'PersonByFingerprintWithoutIdentifier',
      ]),
      ...names,
    },
    {
      personIdentifier: maybe(ref('PersonIdentifier')),
      birthDate: maybe(day),
      idDocument: maybe(idDocument),
    },
    { subjectDetailsType: 'PersonByIdentifier', firstName: 'Anna', lastName: 'Nowak' },
  ),
  EntitySummary: object(
    { subjectDetailsType: oneOf(['EntityByIdentifier', 'EntityByFingerprint']), ...entityName },
    { address: maybe(address) },
    { subjectDetailsType: 'EntityByIdentifier', fullName: 'bookkeeping office' },
  ),
  PersonalGrantsQuery: object(
    {},
    {
      contextIdentifier: maybe(ref('UnitIdentifier')),
      targetIdentifier: maybe(ref('TargetIdentifier')),
      permissionTypes: maybe(list(ref('PersonalPermission'))),
      permissionState: maybe(ref('PermissionState')),
    },
    { permissionState: 'Active' },
  ),
  PersonalGrant: object(
    {
      id: ref('PermissionId'),
      permissionScope: ref('PersonalPermission'),
      description,
      permissionState: ref('PermissionState'),
      startDate: instant,
      canDelegate: boolean,
    },
    {
      contextIdentifier: maybe(ref('UnitIdentifier')),
      authorizedIdentifier: maybe(ref('SubjectIdentifier')),
      targetIdentifier: maybe(ref('TargetIdentifier')),
      subjectPersonDetails: maybe(ref('PersonSummary')),
      subjectEntityDetails: maybe(ref('EntitySummary')),
    },
    personalGrant,
  ),
  PersonalGrants: page('permissions', 'PersonalGrant', personalGrant),
  PersonGrantsQuery: object(
    {
      queryType: oneOf(['PermissionsInCurrentContext', 'PermissionsGrantedInCurrentContext']),
    },
    {
      authorIdentifier: maybe(ref('GrantAuthor')),
      authorizedIdentifier: maybe(ref('SubjectIdentifier')),
      contextIdentifier: maybe(ref('UnitIdentifier')),
      targetIdentifier: maybe(ref('TargetIdentifier')),
      permissionTypes: maybe(list(ref('PersonPermission'))),
      permissionState: maybe(ref('PermissionState')),
    },
    { queryType: 'PermissionsGrantedInCurrentContext' },
  ),
  PersonGrant: object(
    {
      id: ref('PermissionId'),
      authorizedIdentifier: ref('SubjectIdentifier'),
      authorIdentifier: ref('GrantAuthor'),
      permissionScope: ref('PersonPermission'),
      description,
      permissionState: ref('PermissionState'),
      startDate: instant,
      canDelegate: boolean,
    },
    {
      contextIdentifier: maybe(ref('UnitIdentifier')),
      targetIdentifier: maybe(ref('TargetIdentifier')),
      subjectPersonDetails: maybe(ref('PersonSummary')),
      subjectEntityDetails: maybe(ref('EntitySummary')),
    },
    personGrant,
  ),
  PersonGrants: page('permissions', 'PersonGrant', personGrant),
  SubunitGrantsQuery: object(
    {},
    { subunitIdentifier: maybe(ref('UnitIdentifier')) },
    { subunitIdentifier: internal },
  ),
  SubunitGrant: object(
    {
      id: ref('PermissionId'),
      authorizedIdentifier: ref('SubjectIdentifier'),
      subunitIdentifier: ref('UnitIdentifier'),
      authorIdentifier: ref('SubjectIdentifier'),
      permissionScope: oneOf(['CredentialsManage']),
      description,
      startDate: instant,
    },
    { subjectPersonDetails: maybe(ref('PersonSummary')), subunitName: maybe(text(5, 256)) },
    subunitGrant,
  ),
  SubunitGrants: page('permissions', 'SubunitGrant', subunitGrant),
  EntityGrantsQuery: object(
    {},
    { contextIdentifier: maybe(ref('UnitIdentifier')) },
    { contextIdentifier: nip },
  ),
  EntityGrant: object(
    {
      id: ref('PermissionId'),
      contextIdentifier: ref('UnitIdentifier'),
      permissionScope: ref('InvoicePermission'),
      description,
      startDate: instant,
      canDelegate: boolean,
    },
    {},
    entityGrant,
  ),
  EntityGrants: page('permissions', 'EntityGrant', entityGrant),
  EntityRole: object(
    {
      role: oneOf([
        'CourtBailiff',
        'EnforcementAuthority',
        'LocalGovernmentUnit',
        'LocalGovernmentSubUnit',
        'VatGroupUnit',
        'VatGroupSubUnit',
      ]),
      description,
      startDate: instant,
    },
    { parentEntityIdentifier: maybe(ref('EntityIdentifier')) },
    { role: 'VatGroupUnit', description: 'VAT group', startDate: since },
  ),
  EntityRoles: page('roles', 'EntityRole', {
    role: 'VatGroupUnit',
    description: 'VAT group',
    startDate: since,
  }),
  SubordinateRolesQuery: object(
    {},
    { subordinateEntityIdentifier: maybe(ref('EntityIdentifier')) },
    { subordinateEntityIdentifier: nip },
  ),
  SubordinateRole: object(
    {
      subordinateEntityIdentifier: ref('EntityIdentifier'),
      role: oneOf(['LocalGovernmentSubUnit', 'VatGroupSubUnit']),
      description,
      startDate: instant,
    },
    {},
    {
      subordinateEntityIdentifier: nip,
      role: 'VatGroupSubUnit',
      description: 'VAT group member',
      startDate: since,
    },
  ),
  SubordinateRoles: page('roles', 'SubordinateRole', {
    subordinateEntityIdentifier: nip,
    role: 'VatGroupSubUnit',
    description: 'VAT group member',
    startDate: since,
  }),
  AuthorizationGrantsQuery: object(
    { queryType: oneOf(['Granted', 'Received']) },
    {
      authorizingIdentifier: maybe(ref('EntityIdentifier')),
      authorizedIdentifier: maybe(ref('AuthorizedEntityIdentifier')),
      permissionTypes: maybe(list(ref('AuthorizationKind'))),
    },
    { queryType: 'Granted' },
  ),
  AuthorizationGrant: object(
    {
      id: ref('PermissionId'),
      authorizedEntityIdentifier: ref('AuthorizedEntityIdentifier'),
      authorizingEntityIdentifier: ref('EntityIdentifier'),
      authorizationScope: ref('AuthorizationKind'),
      description,
      startDate: instant,
    },
    {
      authorIdentifier: maybe(ref('SubjectIdentifier')),
      subjectEntityDetails: maybe(ref('EntitySummary')),
    },
    authorizationGrant,
  ),
  AuthorizationGrants: page('authorizationGrants', 'AuthorizationGrant', authorizationGrant),
  EuGrantsQuery: object(
    {},
    {
      vatUeIdentifier: maybe(string),
      authorizedFingerprintIdentifier: maybe(string),
      permissionTypes: maybe(list(ref('EuPermission'))),
    },
    { vatUeIdentifier: 'DE123456789' },
  ),
  EuGrant: object(
    {
      id: ref('PermissionId'),
      authorIdentifier: ref('SubjectIdentifier'),
      vatUeIdentifier: string,
      euEntityName: text(5, 256),
      authorizedFingerprintIdentifier: ref('Fingerprint'),
      permissionScope: ref('EuPermission'),
      description,
      startDate: instant,
    },
    {
      subjectPersonDetails: maybe(ref('PersonSummary')),
      subjectEntityDetails: maybe(ref('EntitySummary')),
      euEntityDetails: maybe(ref('EuEntityDetails')),
    },
    euGrant,
  ),
  EuGrants: page('permissions', 'EuGrant', euGrant),
} as const satisfies Record<string, JsonSchema>
