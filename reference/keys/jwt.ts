import { randomBytes, randomUUID } from 'node:crypto'
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

/** Claims of tokens that were verified: a token is sent with every call, and stays what it is. */
const maxRemembered = 10_000

/** Signs and verifies under the secret of the service, which outlives a restart with the state. */
export const createJwt = (state: State): Jwt => {
  const secret = (): Uint8Array => {
    const kept = state.values.get('jwt-secret')?.value
    if (kept !== undefined) return Buffer.from(kept, 'base64')
    const made = randomBytes(32)
    state.values.put({ id: 'jwt-secret', value: made.toString('base64') })
    return made
  }
  /** By their signatures, which take a tenth of the time to look up. */
  const remembered = new Map<string, { readonly token: string; readonly claims: TokenClaims }>()
  let rememberedFor: unknown
  /** Why a token is not authentic; undefined when it is. Expiry is another decision: here it is the time of issue. */
  const failureOf = (token: string, { iat }: JWTPayload): Promise<unknown> =>
    jwtVerify(token, secret(), {
      algorithms: ['HS256'],
      issuer,
      audience: issuer,
      currentDate: new Date((iat ?? 0) * 1000),
    }).then(
      () => undefined,
      (failure: unknown) => failure,
    )
  const remember = (signature: string, token: string, claims: TokenClaims): void => {
    // The oldest are dropped first.
    if (remembered.size >= maxRemembered) remembered.delete(remembered.keys().next().value!)
    remembered.set(signature, { token, claims })
  }
  return {
    async sign({ stage, reference, now, lifetime, claims }) {
      const iat = Math.floor(now / 1000)
      const exp = iat + lifetime
      const token = await new SignJWT({ ...claims, typ: tokenTypes[stage], arn: reference })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setIssuer(issuer)
        .setAudience(issuer)
        .setIssuedAt(iat)
        .setExpirationTime(exp)
        .setJti(randomUUID())
        .sign(secret())
      return { token, validUntil: exp * 1000 }
    },
    async verify({ tokenAuthentic }, token) {
      // After a reset there is another secret.
      const key = state.values.get('jwt-secret')
      if (rememberedFor !== key) remembered.clear()
      rememberedFor = key
      const signature = token.slice(token.lastIndexOf('.') + 1)
      const known = remembered.get(signature)
      if (known?.token === token)
        return tokenAuthentic({ token, failure: undefined }) ? known.claims : 'forged'
      const payload = payloadOf(token)
      if (payload === undefined) return 'rubbish'
      const failure = await failureOf(token, payload)
      const claims = claimsOf(payload)
      const isCurrent = rememberedFor === state.values.get('jwt-secret')
      if (failure === undefined && claims !== 'forged' && isCurrent)
        remember(signature, token, claims)
      return tokenAuthentic({ token, failure }) ? claims : 'forged'
    },
  }
}
