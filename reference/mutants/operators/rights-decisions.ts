import type { Place } from '../mutant.ts'
import type { Rows } from './decision-rows.ts'
import { row } from './decision-rows.ts'
import { keyRules, keyed, keyedRules } from './document-decisions.ts'

/** Decisions about keys, rates, rights, certificates and test data. */

const listsGrants = [
  'permissions.queryPersonal',
  'permissions.queryPersons',
  'permissions.querySubunits',
  'permissions.queryEntities',
  'permissions.queryAuthorizations',
  'permissions.queryEu',
] as const satisfies readonly Place[]

export const rightsDecisions: Rows = {
  keyLive: row(
    ['keys.rotation.served', ...keyRules],
    ['keys.list.usages', 'keys.list.public', ...keyedRules],
    ['keys.list', ...keyed],
  ),
  keysListedFrom: row(['keys.list.production-calendar'], ['keys.list.public']),
  oaepHashAccepted: row(
    ['auth.token.wrong-encryption-refused', ...keyRules],
    [...keyedRules, 'auth.token.accepted'],
    keyed,
  ),

  callCounts: row(
    ['limits.rate.windows-slide'],
    ['limits.rate.each-rule', 'limits.rate.windows-slide'],
  ),
  outcomeCounts: row(['limits.rate.windows-slide'], ['limits.rate.each-rule']),
  windowIsFull: row(
    ['auth.challenge.address-limit', 'limits.rate.each-rule'],
    ['limits.rate.each-rule'],
  ),
  earlierBlockRemembered: row(['limits.rate.escalation'], ['limits.rate.escalation']),
  blockHolds: row(
    ['limits.rate.retry-after'],
    ['limits.rate.retry-after', 'limits.rate.each-rule'],
  ),

  permitted: row(['permissions.matrix'], ['permissions.matrix']),
  ownsContext: row(
    ['permissions.matrix', 'permissions.grant.effective'],
    ['permissions.matrix', 'auth.xades.context-kinds'],
  ),
  grantHolds: row(
    ['permissions.revoke.effective', 'permissions.grant.effective'],
    ['permissions.grant.effective'],
  ),
  mayPassOn: row(['permissions.grant.effective'], ['permissions.grant.effective']),
  passedOnTo: row(['permissions.grant.effective'], ['permissions.grant.effective']),
  authorizationHolds: row(['permissions.revoke.effective'], ['permissions.grant.effective']),
  enforcementGrantable: row(
    ['permissions.grant.refusals', 'testdata.entities'],
    ['permissions.grant.refusals', 'permissions.grant.effective', 'testdata.entities'],
  ),
  unitOfContext: row(
    ['permissions.grant.refusals'],
    ['permissions.grant.refusals', 'permissions.grant.effective'],
  ),
  unitSubordinate: row(
    ['permissions.grant.refusals'],
    ['permissions.grant.refusals', 'permissions.grant.effective'],
  ),
  euEntityOfContext: row(
    ['permissions.grant.refusals'],
    ['permissions.grant.refusals', 'permissions.grant.effective'],
  ),
  delegated: row(
    ['permissions.grant.refusals'],
    ['permissions.grant.refusals', 'permissions.grant.effective'],
  ),
  unitCheckDigitFits: row(
    ['permissions.grant.refusals'],
    ['permissions.grant.refusals', 'permissions.grant.effective'],
  ),
  unitNameFits: row(
    ['permissions.grant.refusals'],
    ['permissions.grant.refusals', 'permissions.grant.effective'],
  ),
  revocationInContext: row(
    ['permissions.revoke.refusals'],
    ['permissions.revoke.effective'],
    ['permissions.revoke', 'permissions.revokeAuthorization'],
  ),
  revocationPermitted: row(
    ['permissions.revoke.refusals'],
    ['permissions.revoke.effective'],
    ['permissions.revoke', 'permissions.revokeAuthorization'],
  ),
  revokedBefore: row(
    ['permissions.revoke.effective'],
    ['permissions.revoke.refusals'],
    ['permissions.revoke', 'permissions.revokeAuthorization'],
  ),
  operationVisible: row(['operations.status.isolated'], ['operations.status.reports']),
  grantListed: row(
    ['permissions.query.scope', 'permissions.grant.listed', 'permissions.revoke.effective'],
    ['permissions.grant.listed'],
    listsGrants,
  ),
  grantInScope: row(
    ['permissions.query.scope', 'permissions.grant.listed'],
    ['permissions.query.scope', 'permissions.grant.listed'],
    listsGrants,
  ),
  statusKept: row(
    ['operations.status.kept'],
    ['operations.status.kept', 'operations.status.reports'],
    ['operations.status', 'exports.status', 'certificates.enrollment'],
  ),

  enrollmentMethodFits: row(
    ['certificates.enrol'],
    ['certificates.enrol'],
    ['certificates.data', 'certificates.enroll'],
  ),
  revocationMethodFits: row(['certificates.revoke'], ['certificates.revoke']),
  csrSubjectFits: row(['certificates.enrol'], ['certificates.enrol']),
  csrKeyFits: row(['certificates.enrol'], ['certificates.enrol']),
  csrAlgorithmFits: row(['certificates.enrol'], ['certificates.enrol']),
  keyMayBeCertified: row(['certificates.enrol'], ['certificates.enrol']),
  enrollmentHasRoom: row(['certificates.limits'], ['certificates.enrol', 'certificates.limits']),
  certificateCounts: row(['certificates.limits'], ['certificates.limits']),
  certificateHasRoom: row(['certificates.limits'], ['certificates.enrol', 'certificates.limits']),
  certificateRevocable: row(['certificates.revoke'], ['certificates.revoke']),
  subjectCreatable: row(
    ['testdata.entities'],
    ['testdata.entities'],
    ['testdata.createSubject', 'testdata.createPerson'],
  ),
}
