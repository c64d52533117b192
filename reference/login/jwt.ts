import { randomBytes, randomUUID } from 'node:crypto'
import type { JWTPayload } from 'jose'
import { SignJWT, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import type { Permission } from '../../contract/types.ts'
import type { Instant } from '../time/clock.ts'
import { isPermission } from '../rights/rights.ts'
import type { Soon } from '../base/soon.ts'
import type { State } from '../model/state.ts'

/** Tokens of the stages, JWT signed with HS256. Source: specification, Authentication; gap token-form. */

export const tokenTypes = {
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
  /** Claims of a token as it stands, whoever made it; `forged` when they are none of ours. */
  read(token: string): TokenClaims | 'forged'
  /** Claims of a token of this service; `rubbish` when it is no JWT at all, `forged` when it is not ours. */
  verify(token: string): Soon<TokenClaims | 'rubbish' | 'forged'>
}

const issuer = 'invoice-clearing-service'

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
const mostRemembered = 10_000

/** Signs and verifies under the secret of the service, which outlives a restart with the state. */
export const createJwt = (state: State): Jwt => {
  const secret = (): Uint8Array => {
    const kept = state.values.get('jwt-secret')?.value
    if (kept !== undefined) return Buffer.from(kept, 'base64')
    const made = randomBytes(32)
    state.values.put({ id: 'jwt-secret', value: made.toString('base64') })
    return made
  }
  /** By their signatures, which are looked up in a tenth of the time. */
  const remembered = new Map<string, { readonly token: string; readonly claims: TokenClaims }>()
  let rememberedFor: string | undefined
  const verify = async (token: string): Promise<TokenClaims | 'rubbish' | 'forged'> => {
    try {
      decodeProtectedHeader(token)
      decodeJwt(token)
    } catch {
      return 'rubbish'
    }
    try {
      // Expiry is a decision of the policy: here the token is read as of its own beginning.
      const { iat } = decodeJwt(token)
      const { payload } = await jwtVerify(token, secret(), {
        algorithms: ['HS256'],
        issuer,
        audience: issuer,
        currentDate: new Date((iat ?? 0) * 1000),
      })
      return claimsOf(payload)
    } catch {
      return 'forged'
    }
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
    read: (token) => claimsOf(decodeJwt(token)),
    verify(token) {
      // A reset makes another secret.
      const key = state.values.get('jwt-secret')?.value
      if (rememberedFor !== key) remembered.clear()
      rememberedFor = key
      const signature = token.slice(token.lastIndexOf('.') + 1)
      const known = remembered.get(signature)
      if (known?.token === token) return known.claims
      return verify(token).then((claims) => {
        if (typeof claims === 'object' && rememberedFor === state.values.get('jwt-secret')?.value) {
          // The oldest go first.
          if (remembered.size >= mostRemembered) remembered.delete(remembered.keys().next().value!)
          remembered.set(signature, { token, claims })
        }
        return claims
      })
    },
  }
}
