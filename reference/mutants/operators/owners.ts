import type { OperationId } from '../../../contract/endpoints.ts'
import { endpoint, operationIds } from '../../../contract/endpoints.ts'
import type { RuleId } from '../../../contract/rules.ts'
import type { Rules } from './operator.ts'

/**
 * The rules that own the answers of an operation: a wrong value in an answer breaks these. `fields` names rules of
 * single fields, by the beginning of the path within the answer.
 */
interface Owner {
  readonly rules: Rules
  readonly fields?: Readonly<Record<string, Rules>>
}

const own = (rules: Rules, fields?: Readonly<Record<string, Rules>>): Owner => ({
  rules,
  ...(fields && { fields }),
})

const login = own(['auth.sessions.described'], {
  status: ['auth.status.moves-forward', 'auth.sessions.described', 'auth.status.failure-is-final'],
  'authenticationToken.validUntil': ['auth.redeem.not-after-expiry'],
})

/** @param list the rule of the list whose rows these are */
const invoiceStatus = (list?: RuleId): Owner['fields'] => {
  const prefix = list === undefined ? '' : 'invoices.'
  return Object.fromEntries(
    Object.entries<Rules>({
      sessionReferenceNumber: ['invoices.status.session-reference', 'invoices.status.outcome'],
      invoicingMode: ['invoices.mode', 'invoices.status.outcome'],
      upoDownloadUrl: ['receipts.link.in-status', 'receipts.ways'],
      upoDownloadUrlExpirationDate: ['receipts.link.expires', 'receipts.link.in-status'],
      originalSessionReferenceNumber: [
        'invoices.duplicate.points-to-original',
        'invoices.status.outcome',
      ],
      originalSvcNumber: [
        'invoices.duplicate.points-to-original',
        'invoices.duplicate.rejected',
        'invoices.status.outcome',
      ],
      svcNumber: ['invoices.status.outcome', 'invoices.number.unique'],
      'status.code': [
        'invoices.status.outcome',
        'sessions.status.moves-forward',
        'invoices.submit.accepted',
        'invoices.number.unique',
        'invoices.content.invalid-rejected',
      ],
      'status.extensions': ['invoices.duplicate.points-to-original'],
    }).map(([field, rules]) => [prefix + field, list === undefined ? rules : [...rules, list]]),
  )
}

const receipt: Rules = ['receipts.session.verifies', 'receipts.invoice.carries-number']
const granted = own(['permissions.grant.listed', 'operations.status.reports'])
const listed = own(['permissions.query.described', 'permissions.grant.listed'], {
  hasMore: ['permissions.query.paged'],
})
const nothing = own(['transport.answers.schema'])

const owners: Partial<Record<OperationId, Owner>> = {
  'transport.health': own(['transport.health']),
  'transport.openapi': own(['transport.openapi-agrees']),
  'auth.challenge': own(['auth.challenge.public', 'auth.challenge.individual'], {
    clientIp: ['auth.challenge.client-address'],
    timestamp: ['auth.challenge.ten-minutes', 'auth.challenge.public'],
    challenge: ['auth.challenge.public', 'auth.challenge.individual', 'auth.xades.accepted'],
  }),
  'auth.xades': own(['auth.xades.accepted'], login.fields),
  'auth.token': own(['auth.token.accepted'], login.fields),
  'auth.status': login,
  'auth.redeem': own(['auth.redeem.issues-pair'], {
    'accessToken.validUntil': ['auth.access-token.jwt-lifetime', 'auth.access-token.expires'],
    'refreshToken.validUntil': ['auth.refresh.seven-days'],
  }),
  'auth.refresh': own(['auth.refresh.repeatable'], {
    'accessToken.validUntil': ['auth.access-token.jwt-lifetime', 'auth.access-token.expires'],
  }),
  'auth.sessions': own(['auth.sessions.described', 'auth.sessions.listed']),
  'tokens.create': own(['tokens.status.described', 'auth.token.accepted']),
  'tokens.list': own(['tokens.status.described', 'tokens.list.narrowed'], {
    'tokens.status': ['tokens.status.moves-forward', 'tokens.status.described'],
  }),
  'tokens.status': own(['tokens.status.described'], {
    status: ['tokens.status.moves-forward', 'tokens.status.described'],
  }),
  'keys.list': own(['keys.list.public', 'keys.list.certificates-parse'], {
    usage: ['keys.list.usages', 'keys.list.public'],
    certificate: ['keys.list.certificates-parse', 'keys.list.usages', 'keys.list.public'],
    validFrom: ['keys.list.certificates-parse', 'keys.list.usages', 'keys.list.public'],
    validTo: ['keys.list.certificates-parse', 'keys.list.usages', 'keys.list.public'],
  }),
  'sessions.openOnline': own(['sessions.online.opens'], {
    validUntil: ['sessions.status.dates', 'sessions.online.opens'],
  }),
  'sessions.openBatch': own(['sessions.batch.opens', 'sessions.batch.part-checked']),
  'sessions.list': own(['sessions.list.complete'], {
    'sessions.dateCreated': ['sessions.status.dates'],
    'sessions.dateUpdated': ['sessions.status.dates'],
    'sessions.validUntil': ['sessions.status.dates'],
    'sessions.totalInvoiceCount': ['sessions.status.counts'],
    'sessions.successfulInvoiceCount': ['sessions.status.counts'],
    'sessions.failedInvoiceCount': ['sessions.status.counts'],
    'sessions.status': ['sessions.status.moves-forward', 'sessions.list.complete'],
  }),
  'sessions.status': own(['sessions.status.moves-forward'], {
    dateCreated: ['sessions.status.dates'],
    dateUpdated: ['sessions.status.dates'],
    validUntil: ['sessions.status.dates'],
    invoiceCount: ['sessions.status.counts'],
    successfulInvoiceCount: ['sessions.status.counts'],
    failedInvoiceCount: ['sessions.status.counts'],
    'upo.pages.downloadUrlExpirationDate': ['receipts.link.expires'],
    upo: ['sessions.online.receipt-after-close', ...receipt],
    'status.details': ['sessions.batch.close', 'sessions.status.moves-forward'],
  }),
  'sessions.invoices': own(
    ['sessions.invoices.complete'],
    invoiceStatus('sessions.invoices.complete'),
  ),
  'sessions.failed': own(['sessions.batch.failed-list'], {
    ...invoiceStatus('sessions.batch.failed-list'),
    'invoices.status': ['sessions.batch.failed-list', 'invoices.status.outcome'],
  }),
  'invoices.submit': own(['invoices.submit.accepted']),
  'invoices.inSession': own(['invoices.status.outcome'], invoiceStatus()),
  'invoices.status': own(['invoices.status.outcome'], invoiceStatus()),
  'invoices.statusBySvcNumber': own(['invoices.status.outcome'], invoiceStatus()),
  'invoices.send': own(['invoices.send.alternative', 'receipts.ways']),
  'invoices.byNumber': own(['invoices.get.by-invoice-number']),
  'invoices.bySvcNumber': own(['invoices.get.by-service-number']),
  'invoices.createCollective': own(['invoices.collective.created']),
  'invoices.queryCollectives': own(['invoices.collective.listed']),
  'invoices.ofCollective': own(['invoices.collective.listed']),
  'invoices.collectivesOf': own(['invoices.collective.listed']),
  'receipts.session': own(receipt),
  'receipts.invoice': own(['receipts.invoice.carries-number', 'receipts.session.verifies']),
  'receipts.invoiceBySvcNumber': own([
    'receipts.invoice.carries-number',
    'receipts.session.verifies',
  ]),
  'receipts.link': own(['receipts.ways', 'receipts.link.in-status', ...receipt]),
  'queries.metadata': own(['queries.metadata.described'], {
    hasMore: ['queries.metadata.paging'],
    isTruncated: ['queries.metadata.paging'],
    permanentStorageHwmDate: ['queries.metadata.paging'],
    'invoices.invoicingMode': ['invoices.mode', 'queries.metadata.described'],
    'invoices.hashOfCorrectedInvoice': ['invoices.correction', 'queries.metadata.described'],
    'invoices.issueDate': ['queries.metadata.described', 'invoices.content.issue-date'],
    invoices: ['queries.metadata.described', 'queries.metadata.paging', 'queries.metadata.filters'],
  }),
  'queries.providers': own(['queries.providers.listed']),
  'queries.general': own(['queries.general.date-range', 'queries.metadata.described'], {
    'invoices.hashOfCorrectedInvoice': ['invoices.correction', 'queries.general.date-range'],
    'invoices.hasAttachment': ['queries.metadata.described', 'queries.general.date-range'],
    permanentStorageHwmDate: ['queries.metadata.paging', 'queries.general.date-range'],
    isTruncated: ['queries.metadata.paging', 'queries.general.date-range'],
  }),
  'exports.create': own(['exports.create.accepted']),
  'exports.status': own(['exports.status.moves-forward', 'exports.package.content'], {
    package: ['exports.package.content'],
    'package.parts.expirationDate': ['exports.expiry', 'exports.package.content'],
    packageExpirationDate: ['exports.expiry'],
  }),
  'exports.part': own(['exports.package.content']),
  'operations.status': own(['operations.status.reports']),
  'permissions.grantPerson': granted,
  'permissions.grantEntity': granted,
  'permissions.grantAuthorization': granted,
  'permissions.grantIndirect': granted,
  'permissions.grantSubunit': granted,
  'permissions.grantEuAdministration': granted,
  'permissions.grantEu': granted,
  'permissions.revoke': own(['permissions.revoke.effective', 'operations.status.reports']),
  'permissions.revokeAuthorization': own([
    'permissions.revoke.effective',
    'operations.status.reports',
  ]),
  'permissions.attachmentStatus': own(['testdata.attachments']),
  'permissions.queryPersonal': listed,
  'permissions.queryPersons': listed,
  'permissions.querySubunits': listed,
  'permissions.queryEntities': listed,
  'permissions.queryRoles': own(['permissions.query.described', 'testdata.entities']),
  'permissions.querySubordinateRoles': own(['permissions.query.described', 'testdata.entities']),
  'permissions.queryAuthorizations': listed,
  'permissions.queryEu': listed,
  'certificates.limits': own(['certificates.limits']),
  'certificates.data': own(['certificates.enrol']),
  'certificates.enroll': own(['certificates.enrol']),
  'certificates.enrollment': own(['certificates.enrol', 'operations.status.reports']),
  'certificates.retrieve': own(['certificates.listed', 'certificates.enrol']),
  'certificates.query': own(['certificates.listed'], {
    'certificates.validTo': ['certificates.listed', 'certificates.two-years'],
    'certificates.status': ['certificates.listed', 'certificates.revoke'],
    'certificates.lastUseDate': ['certificates.listed', 'certificates.enrol'],
  }),
  'limits.context': own(['limits.context', 'testdata.limit-simulation']),
  'limits.subject': own(['limits.subject', 'certificates.limits']),
  'limits.rates': own(['testdata.limit-simulation', 'limits.rate.by-environment']),
}

/** The rules that own one field of an answer, or the answer as a whole. */
export const ownersOf = (operation: OperationId, field = ''): Rules => {
  const { rules, fields = {} } = owners[operation] ?? nothing
  const [best] = Object.keys(fields)
    .filter((path) => field === path || field.startsWith(`${path}.`))
    .toSorted((a, b) => b.length - a.length)
  return (best === undefined ? undefined : fields[best]) ?? rules
}

/** The rule that the pages of a list keep, for each list that comes in pages. */
export const pagingRules: Partial<Record<OperationId, Rules>> = {
  'queries.metadata': ['queries.metadata.paging'],
  'queries.general': ['queries.metadata.paging', 'queries.general.date-range'],
  'sessions.list': ['sessions.list.complete'],
  'sessions.invoices': ['sessions.invoices.complete'],
  'sessions.failed': ['sessions.batch.failed-list', 'sessions.invoices.complete'],
  'tokens.list': ['tokens.list.narrowed'],
  'auth.sessions': ['auth.sessions.listed'],
  'certificates.query': ['certificates.listed'],
  'queries.providers': ['queries.providers.listed'],
  'invoices.queryCollectives': ['invoices.collective.listed'],
  'invoices.ofCollective': ['invoices.collective.listed'],
  'invoices.collectivesOf': ['invoices.collective.listed'],
  ...Object.fromEntries(
    operationIds
      .filter((id) => id.startsWith('permissions.query'))
      .map((id) => [id, ['permissions.query.paged']]),
  ),
}

/** The rule that a limit of the rate table keeps. */
export const rateRuleOf = (operation: OperationId): RuleId => {
  const { rate } = endpoint(operation)
  return rate === 'public'
    ? 'auth.challenge.address-limit'
    : rate === 'default'
      ? 'limits.rate.default-rule'
      : 'limits.rate.each-rule'
}
