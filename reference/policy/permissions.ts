import type { OperationId } from '../../contract/endpoints.ts'
import type { Permission } from '../../contract/types.ts'
import type { ContextIdentifier, Grant } from '../model/entities.ts'

/** The lists of permissions. */
export type GrantList =
  | 'personal'
  | 'persons'
  | 'subunits'
  | 'entities'
  | 'roles'
  | 'subordinateRoles'
  | 'authorizations'
  | 'eu'

/** What narrows a list: who asks, or a filter by the name of its field. */
export type GrantFilter =
  | 'caller'
  | 'queryType'
  | 'contextIdentifier'
  | 'targetIdentifier'
  | 'permissionTypes'
  | 'permissionState'
  | 'authorIdentifier'
  | 'authorizedIdentifier'
  | 'authorizingIdentifier'
  | 'subunitIdentifier'
  | 'subordinateEntityIdentifier'
  | 'vatUeIdentifier'
  | 'authorizedFingerprintIdentifier'

/** Why a grant cannot be given, with the code that its operation ends with. */
export interface GrantProblem {
  readonly code: number
  readonly detail: string
}

/** A permission as a list shows it. */
export type GrantView = Readonly<Record<string, unknown>>

/** Decisions about rights. */
export const permissionsPolicy = {
  // permissions.matrix: any one of the listed permissions suffices, and one of them is needed
  permitted: (
    held: ReadonlySet<Permission>,
    required: readonly Permission[],
    _operation: OperationId,
  ): boolean => required.length === 0 || required.some((permission) => held.has(permission)),

  // permissions.revoke.effective: what counts are the grants as they stand, not those that the token was made with
  permissionsInForce: (
    live: () => ReadonlySet<Permission>,
    _carried: readonly Permission[],
  ): ReadonlySet<Permission> => live(),

  // permissions.matrix: the holder of a NIP owns the context of that NIP and the contexts below it
  ownsContext: (nip: string, _context: ContextIdentifier, contextNip: string): boolean =>
    nip === contextNip,

  // permissions.grant.effective: a grant works from the end of its operation
  // permissions.revoke.effective: and no longer once its revocation has finished, for tokens issued before too
  grantHolds: (startsAt: number, revokedAt: number | undefined, now: number): boolean =>
    startsAt <= now && revokedAt === undefined,

  // permissions.grant.effective: only what a client lets be passed on is, and only where it was passed on to
  delegable: (canDelegate: boolean): boolean => canDelegate,
  passedOnTo: (target: string | undefined, context: string): boolean =>
    target === undefined || target === context,
  // permissions.grant.refusals
  grantRefused: (problem: GrantProblem | undefined): GrantProblem | undefined => problem,
  unitFormFits: (_what: 'name' | 'check digit', fits: boolean): boolean => fits,
  // permissions.revoke.effective: an authorization that was taken back lets nobody invoice
  authorizationHolds: (startsAt: number, revokedAt: number | undefined, now: number): boolean =>
    startsAt <= now && revokedAt === undefined,
  // permissions.grant.effective: in its own context, not in those above or beside it
  grantsThere: (
    ofContext: () => readonly Grant[],
    _all: () => Iterable<Grant>,
    _nip: string,
  ): readonly Grant[] => ofContext(),
  // permissions.grant.effective: before its operation has finished a grant is nothing
  grantWorksAtOnce: (): boolean => false,
  // permissions.revoke.effective: it takes an operation, and takes the permission away
  revocationTakesEffect: (): boolean => true,

  // permissions.grant.effective: what was granted is what one has
  grantGives: (_permission: Permission): boolean => true,

  // permissions.revoke.refusals: who revokes needs the right to manage, in the context of the grant
  revocationInContext: (grantContext: string, callerContext: string): boolean =>
    grantContext === callerContext,
  revocationNeedsManage: (canManage: boolean): boolean => canManage,
  // permissions.revoke.refusals: an unknown grant cannot be revoked, and none twice
  revocationOfUnknownFails: (): boolean => true,
  revocationTwiceFails: (revokedAt: number | undefined): boolean => revokedAt !== undefined,

  // operations.status.isolated: an operation is shown in its own context only
  operationVisible: (operationContext: string, callerContext: string): boolean =>
    operationContext === callerContext,

  // permissions.grant.listed: the list of granted permissions shows what is in force
  grantListed: (inForce: boolean): boolean => inForce,
  // permissions.query.scope, permissions.query.narrowed: who asks and every filter that is given must fit
  grantFits: (_list: GrantList, _filter: GrantFilter, fits: boolean): boolean => fits,
  // permissions.query.paged: all of them, the newest first
  grantsShown: <T>(_list: GrantList, newestFirst: readonly T[]): readonly T[] => newestFirst,
  // permissions.query.paged
  grantsPage: <T>(_list: GrantList, page: { items: readonly T[]; hasMore: boolean }) => page,
  // permissions.query.described
  grantShown: (_list: GrantList, view: GrantView): GrantView => view,

  // operations.status.kept: ms since it began, days that it is kept
  statusKept: (age: number, days: number): boolean => age <= days * 24 * 3600 * 1000,

  // operations.status.reports: the work of an operation takes a while
  operationDelay: (): number => 60,
  // operations.status.reports
  operationShown: (code: number): number => code,
}
