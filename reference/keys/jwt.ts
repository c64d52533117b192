import { randomBytes, randomUUID, webcrypto } from 'node:crypto'
import type { JWTPayload } from 'jose'
import { SignJWT, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import type { Permission } from '../../contract/types.ts'
import type { Instant } from '../base/instants.ts'
import { isPermission } from '../model/entities.ts'
import type { State } from '../model/state.ts'
import type { Policy } from '../policy/policy.ts'

/** Tokens of the stages, JWT signed with HS256. Source: specification, Authentication; gap token-form. */

const tokenTypes = {
  authentication: 'AuthenticationToken',
  access: 'ContextToken',
  refresh: 'RefreshToken',
} as const
export type TokenStage = keyof typeof tokenTypes

export interface TokenClaims {
  readonly stage: TokenStage
  /** Reference of the authentication. */
  readonly reference: string
  readonly expiresAt: Instant
  readonly issuedAt: Instant
  /** What an access token was made with. */
  readonly permissions: readonly Permission[]
}

export interface Jwt {
  /** Signs a token. `validUntil` loses what is finer than a second, because `exp` counts in seconds. */
  sign(request: {
    stage: TokenStage
    reference: string
    now: Instant
    lifetime: number
    claims: Readonly<Record<string, unknown>>
  }): Promise<{ token: string; validUntil: Instant }>
  /** Claims of a token of this service; `rubbish` when it is no JWT at all, `forged` when it is not authentic. */
  verify(
    policy: Pick<Policy, 'tokenAuthentic'>,
    token: string,
  ): Promise<TokenClaims | 'rubbish' | 'forged'>
}

const issuer = 'invoice-clearing-service'

/** The payload of a token, unverified; undefined when it is no JWT. */
const payloadOf = (token: string): JWTPayload | undefined => {
  try {
    decodeProtectedHeader(token)
    return decodeJwt(token)
  } catch {
    return undefined
  }
}

const claimsOf = (payload: JWTPayload): TokenClaims | 'forged' => {
  const stage = (Object.keys(tokenTypes) as TokenStage[]).find(
    (name) => tokenTypes[name] === payload['typ'],
  )
  if (stage === undefined || typeof payload['arn'] !== 'string') return 'forged'
  return {
    stage,
    reference: payload['arn'],
    expiresAt: (payload.exp ?? 0) * 1000,
    issuedAt: (payload.iat ?? 0) * 1000,
    permissions: Array.isArray(payload['per'])
      ? payload['per'].map(String).filter(isPermission)
      : [],
  }
}

/** Claims of tokens that were made or verified: a token is sent with every call, and stays what it is. */
const maxRemembered = 10_000

type Key = Awaited<ReturnType<typeof webcrypto.subtle.importKey>>

/** Signs and verifies under the secret of the service, which outlives a restart with the state. */
export const createJwt = (state: State): Jwt => {
  /** By their signatures, which take a tenth of the time to look up. */
  const remembered = new Map<string, { readonly token: string; readonly claims: TokenClaims }>()
  let secret: string | undefined
  let key: Promise<Key> | undefined
  /** The key of the present secret: after a reset there is another one, which made none of the earlier tokens. */
  const currentKey = (): Promise<Key> => {
    const kept = state.values.get('jwt-secret')?.value
    if (kept !== undefined && kept === secret && key !== undefined) return key
    secret = kept ?? randomBytes(32).toString('base64')
    if (kept === undefined) state.values.put({ id: 'jwt-secret', value: secret })
    remembered.clear()
    const algorithm = { name: 'HMAC', hash: 'SHA-256' }
    const bytes = Buffer.from(secret, 'base64')
    key = webcrypto.subtle.importKey('raw', bytes, algorithm, false, ['sign', 'verify'])
    return key
  }
  /** Why a token is not authentic; undefined when it is. Expiry is another decision: here it is the time of issue. */
  const failureOf = (by: Key, token: string, { iat }: JWTPayload): Promise<unknown> =>
    jwtVerify(token, by, {
      algorithms: ['HS256'],
      issuer,
      audience: issuer,
      currentDate: new Date((iat ?? 0) * 1000),
    }).then(
      () => undefined,
      (failure: unknown) => failure,
    )
  const signatureOf = (token: string): string => token.slice(token.lastIndexOf('.') + 1)
  const remember = (token: string, claims: TokenClaims): void => {
    // The oldest are dropped first.
    if (remembered.size >= maxRemembered) remembered.delete(remembered.keys().next().value!)
    remembered.set(signatureOf(token), { token, claims })
  }
  return {
    async sign({ stage, reference, now, lifetime, claims }) {
      const iat = Math.floor(now / 1000)
      const exp = iat + lifetime
      const by = currentKey()
      const payload = { ...claims, typ: tokenTypes[stage], arn: reference, iat, exp }
      const token = await new SignJWT(payload)
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setIssuer(issuer)
        .setAudience(issuer)
        .setJti(randomUUID())
        .sign(await by)
      const made = claimsOf(payload)
      if (made !== 'forged' && by === currentKey()) remember(token, made)
      return { token, validUntil: exp * 1000 }
    },
    async verify({ tokenAuthentic }, token) {
      const by = currentKey()
      const known = remembered.get(signatureOf(token))
      if (known?.token === token)
        return tokenAuthentic({ token, failure: undefined }) ? known.claims : 'forged'
      const payload = payloadOf(token)
      if (payload === undefined) return 'rubbish'
      const failure = await failureOf(await by, token, payload)
      const claims = claimsOf(payload)
      if (failure === undefined && claims !== 'forged' && by === currentKey())
        remember(token, claims)
      return tokenAuthentic({ token, failure }) ? claims : 'forged'
    },
  }
}
