import type { Dialect } from '../dialect.ts'
import type { Refusal } from '../types.ts'
import { accepted } from './ksef-accepted.ts'

/** The public contract, API 2.7.0: the service's own word, nested key fields, codes where the specification has 404. */

const absent = (reason: string) => ({ absent: reason })
const replaced = (reason: string, variants?: readonly string[]) => ({
  replaced: reason,
  ...(variants && { variants }),
})
const keyLater = 'the key is looked at after the session or export was created'
const specificationOnly = 'the public contract has no such operation'

/** Refused with 400 and a code, where the specification has another status. */
const coded = (...codes: readonly number[]): Pick<Refusal, 'answer'> => ({
  answer: { statuses: [400], codes },
})
const unauthorized: Pick<Refusal, 'answer'> = { answer: { statuses: [401], codes: [401] } }

/** An encrypted key and its IV are in a separate object. */
const keyMoves = {
  encryptedSymmetricKey: 'encryption.encryptedSymmetricKey',
  initVector: 'encryption.initializationVector',
  publicKeyId: 'encryption.publicKeyId',
}
const withCollective = (values: readonly string[]) => ({
  type: 'string',
  enum: [...values, 'CollectiveIdentifierManage'],
})
const personPermissions = [
  'CredentialsManage',
  'CredentialsRead',
  'InvoiceWrite',
  'InvoiceRead',
  'Introspection',
  'SubunitManage',
  'EnforcementOperations',
]

/** A Peppol provider sends with its own permission, which also lets it read its sessions. */
const writePef = ['InvoiceWrite', 'PefInvoiceWrite', 'EnforcementOperations'] as const
const followPef = [
  'InvoiceWrite',
  'Introspection',
  'PefInvoiceWrite',
  'EnforcementOperations',
] as const

export const ksef: Dialect = {
  id: 'ksef',
  version: '2.7',
  summary: 'the public contract, API 2.7.0',
  prefix: '/v2',

  operations: {
    'transport.health': absent('a status service on another host takes its place'),
    'invoices.send': absent(specificationOnly),
    'invoices.byNumber': absent(`${specificationOnly}; the metadata query filters by number`),
    'invoices.status': absent(`${specificationOnly}; the status is read within the session`),
    'invoices.statusBySvcNumber': absent(`${specificationOnly}; no status by service number`),
    'queries.general': absent(`${specificationOnly}; it was a mock of an early draft`),
    'exports.create': { aliases: [] },
    'exports.status': { aliases: [] },
    'operations.status': { path: '/permissions/operations/{referenceNumber}' },
    'permissions.revoke': { method: 'DELETE' },
    'permissions.revokeAuthorization': { method: 'DELETE' },
    'limits.context': { atOrigin: false },
    'limits.subject': { atOrigin: false },
    'receipts.link': { bearer: 'link' },
    'sessions.list': { requires: ['sessionType'] },
    'sessions.openOnline': { permissions: writePef },
    'invoices.submit': { aliases: [], permissions: writePef },
    'sessions.closeOnline': { permissions: writePef },
    'sessions.status': { permissions: followPef },
    'sessions.invoices': { permissions: followPef },
    'sessions.failed': { permissions: followPef },
    'auth.revoke': { codes: { 'authentication-unknown': 21405 } },
    'invoices.inSession': {
      permissions: followPef,
      codes: { 'session-unknown': 21405, 'invoice-unknown': 21405 },
    },
    'receipts.invoice': {
      permissions: followPef,
      codes: { 'session-unknown': 21405, 'invoice-unknown': 21405, 'receipt-unknown': 21405 },
    },
    'invoices.queryCollectives': { codes: { 'continuation-token-malformed': 21405 } },
    'invoices.ofCollective': { codes: { 'continuation-token-malformed': 21405 } },
    'invoices.collectivesOf': { codes: { 'continuation-token-malformed': 21405 } },
    'certificates.data': { codes: { 'enrollment-method-unfit': 25001 } },
    'receipts.invoiceBySvcNumber': {
      permissions: followPef,
      codes: { 'session-unknown': 21178 },
    },
    'receipts.session': { permissions: followPef },
    'permissions.queryAuthorizations': {
      permissions: ['CredentialsManage', 'CredentialsRead', 'PefInvoiceWrite'],
    },
    'testdata.blockContext': { rate: 'default' },
    'testdata.unblockContext': { rate: 'default' },
  },

  words: { svc: 'ksef', Svc: 'KSeF' },
  fields: { svcNumber: 'ksefNumber', originalSvcNumber: 'originalKsefNumber' },
  values: {
    usage: { SvcTokenEncryption: 'KsefTokenEncryption' },
    subjectType: {
      subject1: 'Subject1',
      subject2: 'Subject2',
      subject3: 'Subject3',
      subjectAuthorized: 'SubjectAuthorized',
    },
    dateType: { issue: 'Issue', invoicing: 'Invoicing', permanentStorage: 'PermanentStorage' },
  },
  moves: {
    OpenOnlineSession: keyMoves,
    OpenBatchSession: keyMoves,
    ExportRequest: keyMoves,
    InvoiceStatus: {
      originalSessionReferenceNumber: 'status.extensions.originalSessionReferenceNumber',
      originalSvcNumber: 'status.extensions.originalKsefNumber',
    },
    RateLimits: {
      queryMetadata: 'invoiceMetadata',
      exportCreate: 'invoiceExport',
      exportStatus: 'invoiceExportStatus',
      batch: 'batchSession',
      onlineClose: 'onlineSession',
      onlineOpen: 'onlineSession',
      invoiceSubmit: 'invoiceSend',
      sessionInvoices: 'sessionInvoiceList',
      sessionOther: 'sessionMisc',
      default: 'other',
    },
  },
  omits: { InvoiceStatus: ['sessionReferenceNumber'], ExportPackage: ['lastAcquisitionDate'] },
  constants: {
    RateLimits: { collectiveIdentifier: { perSecond: 10, perMinute: 60, perHour: 120 } },
  },
  // Announced for or served by later versions; their newest clients do not read answers without them.
  additions: {
    RateLimits: {
      onlineSessionClose: { perSecond: 20, perMinute: 60, perHour: 240 },
      batchSessionClose: { perSecond: 20, perMinute: 40, perHour: 120 },
      anonymous: { perSecond: 60, perMinute: 3600, perHour: 216_000 },
      global: { perSecond: 60, perMinute: 3600, perHour: 216_000 },
    },
    ContextLimits: { collectiveIdentifier: { maxInvoices: 500 } },
  },
  addedFields: { ExportPackage: ['compressionType'] },
  requires: {
    ChallengeAnswer: ['timestamp', 'timestampMs', 'clientIp'],
    AuthenticationStatus: ['authenticationMethod'],
    LoginSession: ['authenticationMethod'],
    PublicKeyCertificate: ['validTo', 'certificateId', 'publicKeyId'],
    OnlineSessionOpened: ['validUntil'],
  },
  schemas: {
    FormCodeChoice: { $ref: 'FormCode' },
    RefreshTokenForm: { $ref: 'TokenInfo' },
    ContextIdentifier: {
      type: 'object',
      required: ['type', 'value'],
      properties: {
        type: { type: 'string', enum: ['Nip', 'InternalId', 'NipVatUe', 'PeppolId'] },
        value: { type: 'string' },
      },
    },
    QueryDateType: { type: 'string', enum: ['Issue', 'Invoicing', 'PermanentStorage'] },
    FormType: { type: 'string', enum: ['FA', 'PEF', 'FA_RR'] },
    InvoiceType: {
      type: 'string',
      enum: [
        'Vat',
        'Zal',
        'Kor',
        'Roz',
        'Upr',
        'KorZal',
        'KorRoz',
        'VatPef',
        'VatPefSp',
        'KorPef',
        'VatRr',
        'KorVatRr',
      ],
    },
    PersonPermission: withCollective(personPermissions),
    PersonalPermission: withCollective([...personPermissions, 'VatUeManage']),
    TokenPermission: withCollective(personPermissions),
    TestdataPermission: withCollective(personPermissions),
  },

  refusals: {
    // The description has neither 413 nor 415 anywhere; a target may answer them all the same.
    'media-type': { answer: { statuses: [400, 415], codes: [21405, 415] } },
    'body-too-large': { answer: { statuses: [400, 413], codes: [21405, 413] } },
    'wrong-token': unauthorized,
    'rubbish-token': unauthorized,
    'expired-token': unauthorized,
    'authentication-unknown': coded(21304),
    'redeem-refused': coded(21301),
    'deceased-since-login': coded(21308),
    'refresh-refused': { answer: { statuses: [400, 401], codes: [21301, 401] } },
    'expired-authentication-token': unauthorized,
    'token-unknown': coded(21405),
    'session-unknown': { answer: { statuses: [400, 403], codes: [21173, 403] } },
    'session-state-forbids': coded(21180),
    'part-size-wrong': coded(21157),
    'too-many-parts': coded(21161),
    'part-missing': coded(21205),
    'invoice-unknown': { answer: { statuses: [400, 403], codes: [21164, 21405, 403] } },
    'receipt-unknown': { answer: { statuses: [400, 403], codes: [21178, 21405, 403] } },
    'export-unknown': { answer: { statuses: [400, 403], codes: [21175, 403] } },
    'operation-unknown': { answer: { statuses: [400, 403], codes: [21405, 403] } },
    'permission-unknown': { ...coded(21405), state: { of: 'operation', codes: [400, 410] } },
    'permission-already-revoked': {
      ...coded(21405),
      state: { of: 'operation', codes: [400, 410] },
    },
    'permission-no-access': {
      answer: { statuses: [400, 403], codes: [21405, 403] },
      state: { of: 'operation', codes: [420, 410, 400] },
    },
    'enrollment-unknown': coded(25005),
    'certificate-unknown': coded(25008),
    'resource-gone': { answer: { statuses: [410], codes: [410] } },
    'testdata-exists': coded(30001),
  },
  deferred: ['session-key-refused', 'part-refused'],
  facts: {
    'missing-permission': { reasonCode: 'missing-permissions' },
    'address-not-allowed': { reasonCode: 'ip-not-allowed' },
    'context-kind-not-allowed': { reasonCode: 'context-type-not-allowed' },
    'session-unknown': { reasonCode: 'insufficient-resource-access' },
    'invoice-unknown': { reasonCode: 'insufficient-resource-access' },
    'receipt-unknown': { reasonCode: 'insufficient-resource-access' },
    'export-unknown': { reasonCode: 'insufficient-resource-access' },
    'operation-unknown': { reasonCode: 'insufficient-resource-access' },
    'permission-no-access': { reasonCode: 'insufficient-resource-access' },
    'link-refused': { reasonCode: 'insufficient-resource-access' },
    'link-expired': { reasonCode: 'insufficient-resource-access' },
  },
  errorShapes: [
    {
      statuses: [401],
      media: 'application/problem+json',
      template: {
        title: '$title',
        status: '$status',
        detail: '$description',
        instance: '$instance',
        traceId: '$traceId',
        timestamp: '$timestamp',
      },
    },
    {
      statuses: [403],
      media: 'application/problem+json',
      template: {
        title: '$title',
        status: '$status',
        detail: '$description',
        instance: '$instance',
        reasonCode: '$reasonCode',
        security: '$security',
        traceId: '$traceId',
        timestamp: '$timestamp',
      },
    },
    {
      statuses: [410],
      media: 'application/problem+json',
      template: {
        title: '$title',
        status: '$status',
        instance: '$instance',
        detail: '$description',
        timestamp: '$timestamp',
        traceId: '$traceId',
      },
    },
    {
      statuses: [429],
      asked: 'problem-details',
      media: 'application/problem+json',
      template: {
        title: '$title',
        status: '$status',
        instance: '$instance',
        detail: '$description',
        timestamp: '$timestamp',
        traceId: '$traceId',
      },
    },
    {
      statuses: [429],
      media: 'application/json',
      template: { status: { code: '$code', description: '$title', details: ['$description'] } },
    },
    {
      asked: 'problem-details',
      media: 'application/problem+json',
      template: {
        title: '$title',
        status: '$status',
        instance: '$instance',
        detail: '$description',
        errors: [{ code: '$code', description: '$description', details: '$details' }],
        timestamp: '$timestamp',
        traceId: '$traceId',
      },
    },
    {
      media: 'application/json',
      template: {
        exception: {
          exceptionDetailList: [
            {
              exceptionCode: '$code',
              exceptionDescription: '$description',
              details: '$details',
            },
          ],
          serviceCode: '$traceId',
          timestamp: '$timestamp',
        },
      },
    },
  ],

  limits: {},
  rates: { exportCreate: { perSecond: 8, perMinute: 16, perHour: 20 } },
  shares: { onlineClose: 'onlineOpen' },
  counters: { zeroAbsent: ['online'], uncountedNull: true },
  forms: ['pef', 'pefKor', 'faRr'],
  providers: true,
  tokensEnd: false,
  loose: true,
  environments: { test: { rateFactor: 1, schemasAlways: ['fa2', 'fa3'] } },

  accepted,
  rules: {
    'transport.path-prefix': replaced('the prefix is /v2, and the limits resources stand below it'),
    'transport.unknown-is-404': replaced('an unknown resource is 400 with a code of its kind'),
    'transport.health': absent('a status service on another host takes its place'),
    'transport.trailing-slash': absent('one spelling only'),
    'transport.export-alias': absent('one spelling only'),
    'auth.token.expired-refused': absent('service tokens have no expiry; they live until revoked'),
    'auth.token.sunset': absent('no end of service tokens is given'),
    'sessions.online.form-code-forms': replaced('the form code is an object of three parts'),
    'sessions.online.schema-calendar': replaced('the test environment continues to accept FA(2)'),
    'sessions.online.bad-form-code-refused': replaced(
      'the test environment continues to accept FA(2)',
      ['calendar'],
    ),
    'sessions.batch.bad-form-code-refused': replaced(
      'the test environment continues to accept FA(2)',
      ['calendar'],
    ),
    'auth.xades.context-kinds': replaced('contexts of the kind PeppolId exist', [
      'not of this service',
    ]),
    'sessions.online.bad-key-refused': replaced(keyLater, [
      'opening, bad keys leave nothing, interactive session',
    ]),
    'sessions.batch.bad-key-refused': replaced(keyLater, [
      'opening, bad keys leave nothing, batch session',
    ]),
    'exports.create.accepted': replaced(keyLater, ['opening, bad keys leave nothing, export']),
    'sessions.batch.part-checked': replaced('the upload store takes any bytes', [
      'size',
      'hash',
      'empty',
    ]),
    'invoices.send.alternative': absent(specificationOnly),
    'invoices.get.by-invoice-number': absent(specificationOnly),
    'invoices.get.parties-only': replaced('the status is read within the session, by reference', [
      'reader of an invoice, invoices.status',
      'reader of an invoice, invoices.statusBySvcNumber',
    ]),
    'invoices.status.outcome': replaced('the status is read within the session, by reference'),
    'invoices.status.session-reference': absent('the path names the session'),
    'receipts.ways': replaced('a signed link in the status, and three paths below the session'),
    'receipts.link.parties-only': replaced('the link is signed and takes no bearer'),
    'queries.metadata.date-type': replaced('Issue, Invoicing and PermanentStorage; no acquisition'),
    'queries.general.date-range': absent(specificationOnly),
    'exports.hourly-limit': absent('the rate table alone limits exports'),
    'limits.rate.rules-apart': replaced('closing a session counts with opening one', [
      'exhausted, onlineClose',
    ]),
    'limits.rate.by-environment': replaced('test has the limits of production since 2.5.0'),
  },
}
