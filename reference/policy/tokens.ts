import type { ServiceToken } from '../model/entities.ts'

/** Decisions about service tokens. */
export const tokensPolicy = {
  // tokens.create.within-rights: a token carries no more than its author has
  tokenPermissionsFit: (lacking: readonly string[]): boolean => lacking.length === 0,
  // tokens.create.within-rights: no tokens for EU entities
  tokenContextFits: (kind: string): boolean => kind !== 'NipVatUe',
  // tokens.status.moves-forward: a revoked token, or one that is being revoked, stays so
  tokenRevocable: (status: ServiceToken['status']): boolean =>
    status === 'Active' || status === 'Pending',
  // tokens.revoke.logins
  loginByToken: (status: ServiceToken['status'] | undefined): boolean => status === 'Active',
  // tokens.list.scope: all tokens for a caller that reads or manages credentials, else its own
  tokenVisible: (managed: boolean, own: boolean): boolean => managed || own,
  // tokens.revoke.rights
  tokenMayBeRevoked: (manages: boolean, own: boolean): boolean => manages || own,
}
