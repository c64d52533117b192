import type { ServiceToken } from '../model/entities.ts'

/** Which of the filters of the list a token meets; one that is not given is met. */
export interface TokenFilters {
  readonly status: boolean
  readonly description: boolean
  readonly author: boolean
  readonly authorType: boolean
}

/** A token as it is shown. */
export type TokenView = Readonly<Record<string, unknown>>

/** Decisions about service tokens. */
export const tokensPolicy = {
  // tokens.create.within-rights: a token carries no more than its author has
  tokenPermissionsFit: (lacking: readonly string[]): boolean => lacking.length === 0,
  // auth.token.expired-refused: limited validity
  tokenLifetimeDays: (days: number): number => days,
  // tokens.create.within-rights: none for EU entities
  tokenContextFits: (kind: string): boolean => kind !== 'NipVatUe',
  // tokens are activated and revoked a little later
  tokenDelay: (): number => 20,
  // tokens.status.moves-forward: what is revoked, or on its way to it, stays so
  tokenRevocable: (status: ServiceToken['status']): boolean =>
    status === 'Active' || status === 'Pending',
  // tokens.revoke.logins
  refreshByToken: (usable: boolean): boolean => usable,
  // auth.token.unusable-refused
  tokenAfterRevocation: (): ServiceToken['status'] => 'Revoked',
  // tokens.list.scope: of the context of the caller
  tokensOfContextOnly: (): boolean => true,
  // tokens.list.scope: all for who reads or manages credentials, else one's own
  tokenVisible: (managed: boolean, own: boolean): boolean => managed || own,
  // tokens.list.narrowed: every filter that is given must hold
  tokenListed: ({ status, description, author, authorType }: TokenFilters): boolean =>
    status && description && author && authorType,
  // tokens.list.narrowed: all of them, the newest first
  tokensShown: <T>(newestFirst: readonly T[]): readonly T[] => newestFirst,
  // tokens.status.described
  tokenShown: (view: TokenView): TokenView => view,
  // tokens.revoke.rights
  tokenMayBeRevoked: (manages: boolean, own: boolean): boolean => manages || own,
}
