import type { Permission } from '../../contract/types.ts'
import type { Service } from '../call/service.ts'
import type { Grant, GrantKind } from '../model/entities.ts'
import { keyOf, nipOf } from '../model/entities.ts'
import type { ProtectedCall } from '../call/call.ts'
import { contextFits } from '../model/context-form.ts'
import { refuse } from '../base/refusals.ts'
import { rolesOf } from './rights.ts'

/** Grants as a caller asks for them, and what may be wrong with them. Source: gap permission-grants. */

interface GrantRequest {
  readonly subjectIdentifier: Grant['subject']
  readonly description: string
  readonly subjectDetails?: { readonly subjectDetailsType?: string } & Readonly<
    Record<string, unknown>
  >
}

const detailsField: Readonly<Record<string, string>> = {
  PersonByIdentifier: 'personById',
  PersonByFingerprintWithIdentifier: 'personByFpWithId',
  PersonByFingerprintWithoutIdentifier: 'personByFpNoId',
  EntityByFingerprint: 'entityByFp',
}

/**
 * Refuses a request whose parts do not go together.
 * @throws refusal invalid-input
 */
const checkRequest = (request: GrantRequest): void => {
  const { subjectIdentifier, subjectDetails } = request
  const invalid = (detail: string) => refuse('invalid-input', detail)
  if (!contextFits(subjectIdentifier)) {
    throw invalid(`'subjectIdentifier.value' is no ${subjectIdentifier.type}`)
  }
  if (subjectIdentifier.type === 'Fingerprint' && !/^[0-9A-F]{64}$/.test(subjectIdentifier.value)) {
    throw invalid("'subjectIdentifier.value' is no fingerprint")
  }
  const kind = subjectDetails?.subjectDetailsType
  if (kind === undefined) return
  const field = detailsField[kind]
  if (field !== undefined && (subjectDetails?.[field] ?? null) === null) {
    throw invalid(`'subjectDetails.${field}' is required`)
  }
  if (kind.includes('Fingerprint') !== (subjectIdentifier.type === 'Fingerprint')) {
    throw invalid("'subjectDetails.subjectDetailsType' does not fit the subject identifier")
  }
}

/** The grants that a request asks for, one per permission. */
export const grantsOf = (
  call: ProtectedCall & { readonly body: GrantRequest },
  kind: GrantKind,
  permissions: readonly Grant['permission'][],
  more: Partial<Grant> = {},
): Grant[] => {
  const request = call.body
  checkRequest(request)
  if (new Set(permissions).size < permissions.length) {
    throw refuse('invalid-input', "'permissions' has an entry twice")
  }
  return permissions.map((permission) => ({
    id: call.service.identifiers.uuid(),
    kind,
    context: call.caller.context,
    grantedIn: call.caller.context,
    subject: request.subjectIdentifier,
    permission,
    author: call.caller.subject,
    description: request.description,
    subjectDetails: request.subjectDetails,
    startsAt: call.now,
    ...more,
  }))
}

/** Why a grant cannot be given, with the code that its operation ends with. */
export interface GrantProblem {
  readonly code: number
  readonly detail: string
}

/** Why a grant cannot be given; undefined when it can. */
export const grantProblem = (service: Service, grant: Grant): GrantProblem | undefined => {
  const { policy, state, clock } = service
  const { context, grantedIn, permission, kind } = grant
  const nip = nipOf(grantedIn)
  if (
    permission === 'EnforcementOperations' &&
    kind !== 'testdata' &&
    !policy.enforcementGrantable(rolesOf(service, nip))
  )
    return { code: 430, detail: 'the context has no power of enforcement' }
  if (kind === 'subunit' && context.type === 'InternalId') {
    if (!policy.unitOfContext(nipOf(context), nip))
      return { code: 410, detail: 'the unit does not belong to the context' }
  } else if (kind === 'subunit' && context.type === 'Nip') {
    if (!policy.unitSubordinate(state.subjects.get(nip), context.value))
      return { code: 430, detail: 'the unit is not subordinate to the context' }
  }
  if (kind === 'euAdministration' && !policy.euEntityOfContext(nipOf(context), nip))
    return { code: 410, detail: 'the EU entity is not tied to the context' }
  if (kind === 'indirect' && grant.target?.value !== undefined) {
    const client = { type: grant.target.type, value: grant.target.value }
    const inForce = state.grants
      .by('context', keyOf(client))
      .filter(({ startsAt, revokedAt }) => policy.grantHolds(startsAt, revokedAt, clock.now()))
    if (!policy.delegated(inForce, nip))
      return { code: 420, detail: 'the client has not let any permission be passed on' }
  }
  return undefined
}

/** The permission that is needed to revoke a grant. */
export const revokerOf = (kind: GrantKind): readonly Permission[] =>
  kind === 'subunit'
    ? ['SubunitManage', 'CredentialsManage']
    : kind === 'eu'
      ? ['VatUeManage']
      : ['CredentialsManage']
