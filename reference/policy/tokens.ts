import type { ServiceToken } from '../entities.ts'

/** Decisions about service tokens. */
export const tokensPolicy = {
  // auth.token.accepted: a token carries no more than its author has
  tokenPermissionsFit: (lacking: readonly string[]): boolean => lacking.length === 0,
  // auth.token.expired-refused: limited validity
  tokenLifetimeDays: (days: number): number => days,
  // tokens are activated and revoked a little later
  tokenDelay: (): number => 20,
  // auth.token.unusable-refused
  tokenAfterRevocation: (): ServiceToken['status'] => 'Revoked',
}
