import type { VariantOf } from '../../contract/rules.ts'

interface Tokens {
  readonly accessToken: string
  readonly refreshToken: string
}

/** Bearers other than an authentication token, with the name of their variant. */
export const notOfAuthentication: readonly (readonly [
  VariantOf<'auth.redeem.wrong-bearer-refused'>,
  (tokens: Tokens) => string | null,
])[] = [
  ['access token', ({ accessToken }) => accessToken],
  ['refresh token', ({ refreshToken }) => refreshToken],
  ['no token', () => null],
  ['invalid token', () => 'this.is.rubbish'],
]
