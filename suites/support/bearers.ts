import type { VariantOf } from '../../contract/rules.ts'
import type { WrongBearer } from './matrices.ts'

interface Tokens {
  readonly accessToken: string
  readonly refreshToken: string
}

/** Bearers other than an authentication token, with the name of their variant. */
export const notOfAuthentication: readonly (readonly [
  VariantOf<'auth.redeem.wrong-bearer-refused'>,
  (tokens: Tokens) => string | null,
  WrongBearer,
])[] = [
  ['access token', ({ accessToken }) => accessToken, 'wrong stage'],
  ['refresh token', ({ refreshToken }) => refreshToken, 'wrong stage'],
  ['no token', () => null, 'no token'],
  ['invalid token', () => 'this.is.rubbish', 'invalid token'],
]
