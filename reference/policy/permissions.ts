import type { Permission } from '../../contract/types.ts'
import type { ContextIdentifier } from '../entities.ts'

/** Decisions about rights. */
export const permissionsPolicy = {
  // permissions.matrix: any one of the listed permissions suffices, and one of them is needed
  permitted: (held: ReadonlySet<Permission>, required: readonly Permission[]): boolean =>
    required.length === 0 || required.some((permission) => held.has(permission)),

  // permissions.matrix: the holder of a NIP owns the context of that NIP and the contexts below it
  ownsContext: (nip: string, _context: ContextIdentifier, contextNip: string): boolean =>
    nip === contextNip,

  // permissions.grant.effective: a grant works from the end of its operation
  // permissions.revoke.effective: and no longer once its revocation has finished, for tokens issued before too
  grantHolds: (startsAt: number, revokedAt: number | undefined, now: number): boolean =>
    startsAt <= now && revokedAt === undefined,

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

  // operations.status.reports: the work of an operation takes a while
  operationDelay: (): number => 20,
}
