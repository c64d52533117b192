import type { State } from '../../model/state.ts'
import type { Place } from '../mutant.ts'
import type { Rules } from './operator.ts'

/** Places that change what the service remembers, each with the rules that it keeps. */

export type TableName = keyof State

const grants: Rules = [
  'permissions.grant.effective',
  'permissions.grant.listed',
  'operations.status.reports',
]

interface Writer {
  /** What breaks when it writes nothing. */
  readonly rules: Rules
  /** Tables to which it adds. */
  readonly makes?: readonly TableName[]
  /** Tables in which it changes what is there. */
  readonly changes?: readonly TableName[]
}

export const writers: Partial<Record<Place, Writer>> = {
  'auth.challenge': {
    rules: ['auth.challenge.public', 'auth.xades.accepted'],
    makes: ['challenges'],
  },
  'auth.xades': {
    rules: ['auth.xades.accepted', 'auth.challenge.single-use'],
    makes: ['authentications'],
    changes: ['challenges'],
  },
  'auth.token': {
    rules: ['auth.token.accepted', 'auth.challenge.single-use'],
    makes: ['authentications'],
    changes: ['challenges'],
  },
  authentication: {
    rules: [
      'auth.status.moves-forward',
      'tokens.status.described',
      'certificates.listed',
      'auth.redeem.issues-pair',
    ],
    changes: ['authentications', 'tokens', 'certificates'],
  },
  'auth.redeem': {
    rules: ['auth.redeem.once', 'auth.sessions.listed'],
    changes: ['authentications'],
  },
  'auth.refresh': { rules: ['auth.sessions.described'], changes: ['authentications'] },
  'auth.revoke': { rules: ['auth.sessions.ended'], changes: ['authentications'] },
  'auth.revokeCurrent': { rules: ['auth.sessions.ended'], changes: ['authentications'] },
  'tokens.create': {
    rules: ['tokens.status.described', 'auth.token.accepted'],
    makes: ['tokens'],
  },
  token: { rules: ['tokens.status.moves-forward', 'auth.token.accepted'], changes: ['tokens'] },
  'tokens.revoke': {
    rules: ['tokens.status.moves-forward', 'tokens.revoke.logins'],
    changes: ['tokens'],
  },
  'sessions.openOnline': {
    rules: ['sessions.online.opens', 'invoices.submit.accepted'],
    makes: ['sessions'],
  },
  'sessions.openBatch': {
    rules: ['sessions.batch.opens', 'sessions.batch.close'],
    makes: ['sessions'],
  },
  'sessions.uploadPart': {
    rules: ['sessions.batch.close', 'sessions.batch.part-checked'],
    makes: ['parts'],
  },
  'sessions.closeBatch': { rules: ['sessions.batch.close'], changes: ['sessions'] },
  'sessions.closeOnline': { rules: ['sessions.online.close'], changes: ['sessions'] },
  'invoices.submit': {
    rules: ['invoices.submit.accepted', 'sessions.invoices.complete', 'sessions.status.counts'],
    makes: ['invoices', 'contents'],
    changes: ['sessions'],
  },
  'invoices.send': {
    rules: ['invoices.send.alternative'],
    makes: ['invoices', 'contents', 'sessions'],
  },
  invoice: {
    rules: [
      'invoices.status.outcome',
      'invoices.submit.accepted',
      'invoices.duplicate.rejected',
      'invoices.get.by-service-number',
      'sessions.status.counts',
    ],
    makes: ['claims', 'issued'],
    changes: ['invoices', 'contents', 'sessions'],
  },
  session: {
    rules: [
      'sessions.online.receipt-after-close',
      'sessions.status.moves-forward',
      'receipts.session.verifies',
    ],
    makes: ['receiptPages'],
    changes: ['sessions'],
  },
  expiry: { rules: ['sessions.status.dates', 'exports.expiry'], changes: ['sessions'] },
  batch: {
    rules: ['sessions.batch.close', 'sessions.status.counts', 'sessions.invoices.complete'],
    makes: ['invoices', 'contents'],
    changes: ['sessions'],
  },
  'exports.create': {
    rules: ['exports.create.accepted', 'exports.status.moves-forward'],
    makes: ['exports'],
  },
  export: {
    rules: ['exports.status.moves-forward', 'exports.package.content'],
    makes: ['parts'],
    changes: ['exports'],
  },
  operation: {
    rules: [...grants, 'permissions.revoke.effective'],
    makes: ['grants'],
    changes: ['grants', 'operations'],
  },
  'permissions.grantPerson': { rules: grants, makes: ['operations'] },
  'permissions.grantEntity': { rules: grants, makes: ['operations'] },
  'permissions.grantAuthorization': { rules: grants, makes: ['operations'] },
  'permissions.grantIndirect': { rules: grants, makes: ['operations'] },
  'permissions.grantSubunit': { rules: grants, makes: ['operations'] },
  'permissions.grantEuAdministration': { rules: grants, makes: ['operations'] },
  'permissions.grantEu': { rules: grants, makes: ['operations'] },
  'permissions.revoke': {
    rules: ['permissions.revoke.effective', 'operations.status.reports'],
    makes: ['operations'],
  },
  'permissions.revokeAuthorization': {
    rules: ['permissions.revoke.effective', 'operations.status.reports'],
    makes: ['operations'],
  },
  'certificates.enroll': {
    rules: ['certificates.enrol', 'certificates.limits'],
    makes: ['enrollments'],
  },
  enrollment: {
    rules: ['certificates.enrol', 'certificates.listed'],
    makes: ['certificates'],
    changes: ['enrollments'],
  },
  'certificates.revoke': { rules: ['certificates.revoke'], changes: ['certificates'] },
  certificate: { rules: ['certificates.revoke'], changes: ['certificates'] },
  'testdata.createSubject': { rules: ['testdata.entities'], makes: ['subjects'] },
  'testdata.createPerson': { rules: ['testdata.entities'], makes: ['persons'] },
  'testdata.grant': { rules: ['testdata.permissions'], makes: ['grants'] },
  'testdata.revoke': { rules: ['testdata.permissions'], changes: ['grants'] },
  'testdata.allowAttachments': { rules: ['testdata.attachments'], makes: ['consents'] },
  'testdata.denyAttachments': { rules: ['testdata.attachments'], changes: ['consents'] },
  'testdata.blockContext': { rules: ['testdata.blocks'], makes: ['blocks'] },
  'testdata.setSessionLimits': {
    rules: ['testdata.limit-simulation', 'limits.context'],
    makes: ['contextLimits'],
  },
  'testdata.setSubjectLimits': {
    rules: ['testdata.limit-simulation', 'certificates.limits', 'limits.subject'],
    makes: ['subjectLimits'],
  },
  'testdata.setRateLimits': { rules: ['testdata.limit-simulation'], makes: ['rates'] },
  'testdata.restoreRateLimits': { rules: ['testdata.limit-simulation'], changes: ['rates'] },
  'testdata.productionRateLimits': { rules: ['testdata.limit-simulation'], changes: ['rates'] },
}

/** Places that remove something, and from which table. */
export const removers: readonly (readonly [Place, Rules, TableName])[] = [
  ['testdata.unblockContext', ['testdata.blocks'], 'blocks'],
  ['testdata.removeSubject', ['testdata.entities'], 'subjects'],
  ['testdata.removePerson', ['testdata.entities'], 'persons'],
  [
    'testdata.restoreSessionLimits',
    ['testdata.limit-simulation', 'limits.context'],
    'contextLimits',
  ],
  [
    'testdata.restoreSubjectLimits',
    ['certificates.limits', 'limits.subject', 'testdata.limit-simulation'],
    'subjectLimits',
  ],
]

/** The tables that a place writes. */
export const written = ({ makes = [], changes = [] }: Writer): TableName[] => [
  ...new Set([...makes, ...changes]),
]

/** The places with what they write. */
export const places = Object.entries(writers) as readonly (readonly [Place, Writer])[]
