import type { OperationId } from '../../../contract/endpoints.ts'
import { endpoint } from '../../../contract/endpoints.ts'
import type { RefusalId } from '../../../contract/errors.ts'
import type { RuleId } from '../../../contract/rules.ts'
import type { Rules } from './operator.ts'
import { ownersOf, pagingRules, rateRuleOf } from './owners.ts'

/** The rules that each refusal keeps, wherever an operation makes it. */

type Chosen = Rules | ((operation: OperationId) => Rules)

const bearer = (operation: OperationId): Rules => {
  const byStage: Partial<Record<OperationId, RuleId>> = {
    'auth.status': 'auth.status.wrong-bearer-refused',
    'auth.redeem': 'auth.redeem.wrong-bearer-refused',
    'auth.refresh': 'auth.refresh.wrong-bearer-refused',
  }
  return [
    byStage[operation] ?? 'auth.access-token.required',
    ...(operation === 'receipts.link' ? (['receipts.link.parties-only'] as const) : []),
  ]
}
const unknown = (operation: OperationId): Rules => [
  'transport.unknown-is-404',
  ...(/^(sessions|receipts)\.|^invoices\.(submit|inSession)$/.test(operation)
    ? (['sessions.online.isolated'] as const)
    : []),
  ...(operation === 'sessions.closeOnline' ? (['sessions.online.close'] as const) : []),
]
/** Where rules state that an operation needs a permission, beside the one for all of them. */
const permissionRules: Partial<Record<OperationId, Rules>> = {
  'sessions.openOnline': ['sessions.online.needs-permission'],
  'invoices.send': ['invoices.send.alternative'],
  'invoices.bySvcNumber': ['invoices.get.parties-only'],
  'queries.metadata': ['queries.metadata.filters'],
  'exports.create': ['exports.create.accepted'],
  'permissions.grantEu': ['permissions.grant.refusals'],
}
const key = (operation: OperationId): Rules =>
  operation === 'sessions.openOnline'
    ? ['sessions.online.bad-key-refused']
    : operation === 'sessions.openBatch'
      ? ['sessions.batch.bad-key-refused']
      : ['exports.create.accepted']
const queries: Rules = [
  'queries.metadata.date-type',
  'queries.metadata.filters',
  'queries.metadata.paging',
  'queries.general.date-range',
]
/** Where rules state what an operation takes, beside the one for all bodies. */
const inputRules: Partial<Record<OperationId, Rules>> = {
  'auth.token': ['auth.token.wrong-encryption-refused'],
  'sessions.openOnline': [
    'sessions.online.bad-key-refused',
    'sessions.online.bad-form-code-refused',
  ],
  'sessions.openBatch': ['sessions.batch.bad-key-refused'],
  'tokens.create': ['tokens.create.within-rights'],
  'tokens.list': ['tokens.list.narrowed'],
  'certificates.enroll': ['certificates.enrol'],
  'certificates.query': ['certificates.listed'],
  'exports.create': ['exports.create.accepted'],
  'testdata.setRateLimits': ['testdata.limit-simulation'],
  'testdata.setSessionLimits': ['testdata.limit-simulation', 'limits.context'],
  'testdata.setSubjectLimits': ['testdata.limit-simulation', 'limits.subject'],
}
const invalidInput = (operation: OperationId): Rules =>
  operation.startsWith('queries.')
    ? ['queries.metadata.date-bounds', ...queries, 'transport.malformed-body']
    : [
        endpoint(operation).request === undefined
          ? 'transport.malformed-parameter'
          : 'transport.malformed-body',
        ...(operation.startsWith('permissions.query')
          ? (['permissions.query.narrowed'] as const)
          : []),
        ...(inputRules[operation] ?? []),
      ]
const signature: Rules = ['auth.xades.incomplete-signature-refused', 'auth.xades.tampered-refused']

const chosen: Partial<Record<RefusalId, Chosen>> = {
  'wrong-token': bearer,
  'rubbish-token': bearer,
  'expired-token': ['auth.access-token.expires'],
  'missing-permission': (operation) => [
    'permissions.matrix',
    ...(permissionRules[operation] ?? []),
  ],
  'media-type': ['transport.media-type'],
  'unreadable-body': ['transport.malformed-body'],
  'invalid-input': invalidInput,
  'rate-limited': (operation) => [rateRuleOf(operation)],
  'continuation-token-malformed': (operation) => pagingRules[operation] ?? ownersOf(operation),
  'resource-gone': ['operations.status.kept'],
  'document-unreadable': [
    'auth.xades.hostile-xml',
    'transport.malformed-body',
    'auth.xades.wrapping-refused',
  ],
  'document-encoding': [
    'auth.xades.hostile-xml',
    'transport.malformed-body',
    'auth.signature.transforms-refused',
  ],
  'document-invalid': ['auth.xades.detached-refused', 'auth.xades.wrapping-refused', ...signature],
  'document-schema': ['auth.xades.subject-type', 'auth.xades.context-kinds'],
  'signature-missing': ['auth.xades.incomplete-signature-refused'],
  'signature-not-single': [
    'auth.xades.incomplete-signature-refused',
    'auth.xades.wrapping-refused',
  ],
  'signature-invalid': [...signature, 'auth.xades.wrapping-refused'],
  'challenge-invalid': [
    'auth.challenge.unknown-refused',
    'auth.challenge.single-use',
    'auth.challenge.ten-minutes',
  ],
  'certificate-without-identifier': ['auth.xades.fingerprint'],
  'subject-context-mismatch': ['auth.xades.context-kinds'],
  'token-refused': ['auth.token.unusable-refused', 'auth.token.wrong-encryption-refused'],
  'authentication-unknown': (operation) =>
    operation === 'auth.status'
      ? ['auth.status.wrong-bearer-refused', 'transport.unknown-is-404']
      : ['auth.sessions.ended', 'transport.unknown-is-404'],
  'redeem-refused': ['auth.redeem.once', 'auth.redeem.not-before-success'],
  'deceased-since-login': ['testdata.entities'],
  'refresh-refused': ['auth.sessions.ended', 'tokens.revoke.logins'],
  'public-key-unknown': (operation) =>
    operation === 'auth.token'
      ? ['auth.token.wrong-encryption-refused', 'keys.rotation.served']
      : operation === 'exports.create'
        ? ['exports.create.accepted', 'keys.rotation.served']
        : [
            'sessions.online.bad-key-refused',
            'sessions.batch.bad-key-refused',
            'keys.rotation.served',
          ],
  'token-unknown': ['transport.unknown-is-404', 'tokens.list.scope', 'tokens.revoke.rights'],
  'token-permissions-lacking': ['tokens.create.within-rights'],
  'token-context-unfit': ['tokens.create.within-rights'],
  'session-unknown': unknown,
  'session-state-forbids': (operation) =>
    operation === 'sessions.closeBatch' ? ['sessions.batch.close'] : ['sessions.online.close'],
  'session-key-refused': key,
  'form-code-refused': (operation) =>
    operation === 'sessions.openBatch'
      ? ['sessions.batch.bad-form-code-refused']
      : ['sessions.online.bad-form-code-refused'],
  'session-full': ['sessions.online.ten-thousand', 'limits.context'],
  'part-size-wrong': ['sessions.batch.too-large-refused', 'sessions.batch.part-checked'],
  'too-many-parts': ['sessions.batch.too-large-refused'],
  'package-too-large': ['sessions.batch.too-large-refused'],
  'part-refused': ['sessions.batch.part-checked'],
  'part-missing': ['sessions.batch.close'],
  'upload-time-exceeded': ['sessions.batch.close'],
  'link-refused': (operation) =>
    operation === 'sessions.uploadPart' ? ['sessions.batch.part-checked'] : ['exports.isolated'],
  'link-expired': (operation) =>
    operation === 'receipts.link' ? ['receipts.link.expires'] : ['exports.expiry'],
  'content-not-base64': ['invoices.submit.bad-base64'],
  'encrypted-size-mismatch': ['invoices.submit.encrypted-metadata-mismatch'],
  'encrypted-hash-mismatch': ['invoices.submit.encrypted-metadata-mismatch'],
  'invoice-unknown': (operation) => [
    'transport.unknown-is-404',
    'invoices.get.parties-only',
    'invoices.get.rejected-absent',
    ...(operation === 'invoices.inSession' ? (['sessions.online.isolated'] as const) : []),
  ],
  'invoice-not-yet-stored': ['invoices.get.by-service-number'],
  'collective-unknown': ['invoices.get.parties-only', 'invoices.collective.listed'],
  'invoice-not-collectable': ['invoices.collective.created'],
  'collectives-exhausted': ['invoices.collective.created'],
  'invoice-number-ambiguous': ['invoices.get.by-invoice-number'],
  'correction-unavailable': ['invoices.correction'],
  'correction-forbidden': ['invoices.correction'],
  'receipt-unknown': (operation) => [
    'receipts.link.parties-only',
    'receipts.not-by-number-alone',
    'transport.unknown-is-404',
    ...(operation === 'receipts.invoice' ? (['invoices.get.rejected-absent'] as const) : []),
  ],
  'query-outside-data': ['queries.metadata.date-bounds'],
  'exports-running': ['exports.running-limit'],
  'export-unknown': ['exports.isolated', 'transport.unknown-is-404'],
  'operation-unknown': [
    'operations.status.isolated',
    'transport.unknown-is-404',
    'operations.status.reports',
  ],
  'permission-unknown': ['permissions.revoke.refusals', 'transport.unknown-is-404'],
  'permission-already-revoked': ['permissions.revoke.refusals'],
  'permission-no-access': ['permissions.revoke.refusals'],
  'enrollment-method-unfit': ['certificates.enrol'],
  'enrollment-data-differ': ['certificates.enrol'],
  'csr-malformed': ['certificates.enrol'],
  'csr-key-refused': ['certificates.enrol'],
  'csr-algorithm-refused': ['certificates.enrol'],
  'enrollment-limit': ['certificates.limits'],
  'certificate-limit': ['certificates.limits'],
  'enrollment-unknown': ['transport.unknown-is-404', 'certificates.enrol'],
  'certificate-unknown': ['transport.unknown-is-404', 'certificates.revoke'],
  'certificate-not-revocable': ['certificates.revoke'],
  'testdata-exists': ['testdata.entities'],
}

/** The refusals that have such rules. */
export const refusalIds = Object.keys(chosen) as RefusalId[]

/** The rules that a refusal of an operation keeps. */
export const rulesOf = (refusal: RefusalId, operation: OperationId): Rules | undefined => {
  const rules = chosen[refusal]
  return typeof rules === 'function' ? rules(operation) : rules
}
