interface Tokens {
  readonly accessToken: string
  readonly refreshToken: string
}

/** Bearers that are no authentication token, by name. */
export const notOfAuthentication: Readonly<Record<string, (tokens: Tokens) => string | null>> = {
  'access token': ({ accessToken }) => accessToken,
  'refresh token': ({ refreshToken }) => refreshToken,
  'no token': () => null,
  rubbish: () => 'this.is.rubbish',
}
