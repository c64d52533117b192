import type { Permission } from '../../contract/types.ts'
import type { Instant } from '../base/instants.ts'
import { isInternalId } from '../base/service-numbers.ts'
import type { Grant, TestSubject } from '../model/entities.ts'
import { keyOf, nipOf } from '../model/entities.ts'

/** The lists of grants. */
export type GrantList = 'personal' | 'persons' | 'subunits' | 'entities' | 'authorizations' | 'eu'

/** Who asks for a list of grants. */
export interface GrantViewer {
  /** Key of the context that the list is about. */
  readonly context: string
  /** NIP behind the caller's context. */
  readonly nip: string
  /** Keys of the caller's subject, and of everyone that counts as the same. */
  readonly names: ReadonlySet<string>
  readonly queryType: string | undefined
  /** Key of the caller's context, where the caller owns it and asks for no other. */
  readonly owned: string | undefined
}

const isInForce = (startsAt: Instant, revokedAt: Instant | undefined, now: Instant): boolean =>
  startsAt <= now && revokedAt === undefined

const scopes: Readonly<Record<GrantList, (grant: Grant, viewer: GrantViewer) => boolean>> = {
  // What the caller may do here, directly or through an intermediary, and what an owner's entity was granted.
  personal: (grant, { names, context, owned }) =>
    (names.has(keyOf(grant.subject)) &&
      [grant.context, grant.target].some((one) => one && `${one.type}:${one.value}` === context)) ||
    (grant.kind === 'entity' && owned === keyOf(grant.subject)),
  // What a person may do here, or what was granted here: an administrator of a unit may act in the unit.
  persons: (grant, { context, queryType }) =>
    keyOf(queryType === 'PermissionsInCurrentContext' ? grant.context : grant.grantedIn) ===
    context,
  subunits: (grant, { context }) => keyOf(grant.grantedIn) === context,
  entities: (grant, { nip }) => grant.subject.value === nip,
  authorizations: (grant, { nip, queryType }) =>
    queryType === 'Received' ? grant.subject.value === nip : nipOf(grant.context) === nip,
  eu: (grant, { context }) =>
    keyOf(grant.grantedIn) === context || keyOf(grant.context) === context,
}

/** The permissions of a caller with an access token. */
export interface TokenRights {
  /** Those that the grants in force now give. */
  readonly live: () => ReadonlySet<Permission>
  /** Those at the time when the token was issued. */
  readonly issuedWith: readonly Permission[]
}

/** Decisions about rights. */
export const permissionsPolicy = {
  // permissions.matrix: any one of the listed permissions suffices, and one of them is needed
  permitted: (held: ReadonlySet<Permission>, required: readonly Permission[]): boolean =>
    required.length === 0 || required.some((permission) => held.has(permission)),

  // permissions.revoke.effective: the grants in force now decide, not those at the time when the token was issued
  permissionsInForce: ({ live }: TokenRights): ReadonlySet<Permission> => live(),

  // permissions.matrix: the holder of a NIP owns the context of that NIP and the contexts below it
  ownsContext: (nip: string, contextNip: string): boolean => nip === contextNip,

  // permissions.grant.effective: a grant works from the end of its operation
  // permissions.revoke.effective: and no longer once its revocation has finished, for tokens issued before too
  grantHolds: isInForce,

  // permissions.grant.effective: a permission is passed on where its grantor allows that, and to the named client only
  mayPassOn: ({ canDelegate }: Grant): boolean => canDelegate === true,
  passedOnTo: (target: string | undefined, context: string): boolean =>
    target === undefined || target === context,
  // permissions.revoke.effective: after its revocation an authorization permits no invoices
  authorizationHolds: isInForce,

  // permissions.grant.refusals: only a context that may enforce grants enforcement
  enforcementGrantable: (roles: readonly string[]): boolean =>
    roles.includes('EnforcementAuthority') || roles.includes('CourtBailiff'),
  // permissions.grant.refusals: an internal identifier belongs to the NIP that it begins with
  unitOfContext: (unitNip: string, nip: string): boolean => unitNip === nip,
  // permissions.grant.refusals: a unit is one that the entity has named
  unitSubordinate: (entity: TestSubject | undefined, unit: string): boolean =>
    entity?.subunits.some(({ nip }) => nip === unit) ?? false,
  // permissions.grant.refusals: an EU entity is tied to a NIP
  euEntityOfContext: (entityNip: string, nip: string): boolean => entityNip === nip,
  // permissions.grant.refusals: a client has allowed the permission to be passed on
  delegated: (inForce: readonly Grant[], nip: string): boolean =>
    inForce.some(
      (base) => base.kind === 'entity' && base.canDelegate === true && base.subject.value === nip,
    ),
  // permissions.grant.refusals
  unitCheckDigitFits: isInternalId,
  unitNameFits: (kind: string, name: string | null | undefined): boolean =>
    kind !== 'InternalId' || (name ?? '') !== '',

  // permissions.revoke.refusals: a revocation needs the right to manage, in the context of the grant
  revocationInContext: (grantContext: string, callerContext: string): boolean =>
    grantContext === callerContext,
  revocationPermitted: (held: ReadonlySet<Permission>, needed: readonly Permission[]): boolean =>
    needed.some((permission) => held.has(permission)),
  // permissions.revoke.refusals: a grant is revoked once
  revokedBefore: (revokedAt: Instant | undefined): boolean => revokedAt !== undefined,

  // operations.status.isolated: an operation is shown in its own context only
  operationVisible: (operationContext: string, callerContext: string): boolean =>
    operationContext === callerContext,

  // permissions.grant.listed: the lists show the grants that are in force
  grantListed: ({ startsAt, revokedAt }: Grant, now: Instant): boolean =>
    isInForce(startsAt, revokedAt, now),
  // permissions.query.scope: whose grants a list shows
  grantInScope: (list: GrantList, grant: Grant, viewer: GrantViewer): boolean =>
    scopes[list](grant, viewer),

  // operations.status.kept: ms since it began, days that it is kept
  statusKept: (age: number, days: number): boolean => age <= days * 24 * 3600 * 1000,
}
