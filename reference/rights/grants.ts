import type { Permission } from '../../contract/types.ts'
import type { Service } from '../call/service.ts'
import type { ContextIdentifier, Grant, GrantKind } from '../model/entities.ts'
import { keyOf } from '../model/entities.ts'
import type { ProtectedCall } from '../call/call.ts'
import { contextFits } from '../model/context-form.ts'
import { refuse } from '../base/refusals.ts'
import { nipOf, rolesOf } from './rights.ts'

/** Grants as a caller asks for them, and what may be wrong with them. Source: gap permission-grants. */

export interface GrantRequest {
  readonly subjectIdentifier: { readonly type: string; readonly value: string }
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
  call: ProtectedCall,
  kind: GrantKind,
  permissions: readonly Grant['permission'][],
  more: Partial<Grant> = {},
): Grant[] => {
  const request = call.body as GrantRequest
  checkRequest(request)
  if (new Set(permissions).size < permissions.length) {
    throw refuse('invalid-input', "'permissions' has an entry twice")
  }
  return permissions.map((permission) => ({
    id: call.service.identifiers.uuid(),
    kind,
    context: call.caller.context,
    grantedIn: call.caller.context,
    subject: request.subjectIdentifier as Grant['subject'],
    permission,
    author: call.caller.subject,
    description: request.description,
    subjectDetails: request.subjectDetails,
    startsAt: call.now,
    ...more,
  }))
}

/** The check digit of an internal id: weights 1 and 3 in turn over what stands before it, modulo 10. */
export const internalIdHolds = (value: string): boolean => {
  const digits = Array.from(value.replace('-', ''), Number)
  const sum = digits
    .slice(0, -1)
    .reduce((total, digit, at) => total + digit * (at % 2 === 0 ? 1 : 3), 0)
  return sum % 10 === digits.at(-1)
}

/** Why a grant cannot be given, with the code that its operation ends with; undefined when it can. */
export const grantProblem = (
  service: Service,
  grant: Grant,
): { code: number; detail: string } | undefined => {
  const { context, grantedIn, permission } = grant
  const nip = nipOf(grantedIn)
  const roles = rolesOf(service, nip)
  if (permission === 'EnforcementOperations' && grant.kind !== 'testdata') {
    const may = roles.includes('EnforcementAuthority') || roles.includes('CourtBailiff')
    if (!may) return { code: 430, detail: 'the context has no power of enforcement' }
  }
  if (grant.kind === 'subunit') {
    if (context.type === 'InternalId' && nipOf(context) !== nip) {
      return { code: 410, detail: 'the unit is not one of the context' }
    }
    if (context.type === 'Nip' && !isUnitOf(service, context, nip)) {
      return { code: 430, detail: 'the unit is not subordinate to the context' }
    }
  }
  if (grant.kind === 'euAdministration' && nipOf(context) !== nip) {
    return { code: 410, detail: 'the EU entity is not tied to the context' }
  }
  if (grant.kind === 'indirect' && grant.target?.value !== undefined) {
    const client = { type: grant.target.type, value: grant.target.value }
    const delegated = service.state.grants
      .by('context', keyOf(client))
      .some(
        (base) =>
          base.kind === 'entity' &&
          base.canDelegate === true &&
          base.permission === permission &&
          base.subject.value === nip &&
          service.policy.grantHolds(base.startsAt, base.revokedAt, service.clock.now()),
      )
    if (!delegated)
      return { code: 420, detail: 'the client has not let the permission be passed on' }
  }
  return undefined
}

const isUnitOf = (service: Service, unit: ContextIdentifier, nip: string): boolean =>
  service.state.subjects.get(nip)?.subunits.some((one) => one.nip === unit.value) ?? false

/** Which permission takes a grant back. */
export const revokerOf = (kind: GrantKind): readonly Permission[] =>
  kind === 'subunit'
    ? ['SubunitManage', 'CredentialsManage']
    : kind === 'eu'
      ? ['VatUeManage']
      : ['CredentialsManage']
