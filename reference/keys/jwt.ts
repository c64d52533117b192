import { randomBytes, randomUUID } from 'node:crypto'
import { createDecoder, createSigner, createVerifier } from 'fast-jwt'
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
  }): { token: string; validUntil: Instant }
  /** Claims of a token of this service; `rubbish` when it is no JWT at all, `forged` when it is not authentic. */
  verify(policy: Pick<Policy, 'tokenAuthentic'>, token: string): TokenClaims | 'rubbish' | 'forged'
}

const issuer = 'invoice-clearing-service'

type Payload = Readonly<Record<string, unknown>>

const decode = createDecoder()

/** The payload of a token, unverified; undefined when it is no JWT. */
export const payloadOf = (token: string): Payload | undefined => {
  try {
    return decode(token) as Payload
  } catch {
    return undefined
  }
}

const claimsOf = (payload: Payload): TokenClaims | 'forged' => {
  const stage = (Object.keys(tokenTypes) as TokenStage[]).find(
    (name) => tokenTypes[name] === payload['typ'],
  )
  if (stage === undefined || typeof payload['arn'] !== 'string') return 'forged'
  return {
    stage,
    reference: payload['arn'],
    expiresAt: Number(payload['exp'] ?? 0) * 1000,
    issuedAt: Number(payload['iat'] ?? 0) * 1000,
    permissions: Array.isArray(payload['per'])
      ? payload['per'].map(String).filter(isPermission)
      : [],
  }
}

/** Claims of tokens that were made or verified: a token is sent with every call, and stays what it is. */
const maxRemembered = 10_000

/** What signs and verifies under a secret. */
const createKey = (secret: string) => {
  const key = Buffer.from(secret, 'base64')
  return {
    secret,
    sign: createSigner({ key, algorithm: 'HS256', iss: issuer, aud: issuer }),
    // Expiry is another decision.
    verify: createVerifier({
      key,
      algorithms: ['HS256'],
      allowedIss: issuer,
      allowedAud: issuer,
      requiredClaims: ['iss', 'aud'],
      ignoreExpiration: true,
    }),
  }
}

type Key = ReturnType<typeof createKey>

/** Signs and verifies under the secret of the service, which outlives a restart with the state. */
export const createJwt = (state: State): Jwt => {
  /** By their signatures, which take a tenth of the time to look up. */
  const remembered = new Map<string, { readonly token: string; readonly claims: TokenClaims }>()
  let key: Key | undefined
  /** The key of the present secret: after a reset there is another one, which made none of the earlier tokens. */
  const currentKey = (): Key => {
    const kept = state.values.get('jwt-secret')?.value
    if (kept !== undefined && kept === key?.secret) return key
    const secret = kept ?? randomBytes(32).toString('base64')
    if (kept === undefined) state.values.put({ id: 'jwt-secret', value: secret })
    remembered.clear()
    key = createKey(secret)
    return key
  }
  /** Why a token is not authentic; undefined when it is. */
  const failureOf = (by: Key, token: string): unknown => {
    try {
      by.verify(token)
      return undefined
    } catch (failure) {
      return failure
    }
  }
  const signatureOf = (token: string): string => token.slice(token.lastIndexOf('.') + 1)
  const remember = (token: string, claims: TokenClaims): void => {
    // The oldest are dropped first.
    if (remembered.size >= maxRemembered) remembered.delete(remembered.keys().next().value!)
    remembered.set(signatureOf(token), { token, claims })
  }
  return {
    sign({ stage, reference, now, lifetime, claims }) {
      const iat = Math.floor(now / 1000)
      const exp = iat + lifetime
      const payload = { ...claims, typ: tokenTypes[stage], arn: reference, iat, exp }
      const token = currentKey().sign({ ...payload, jti: randomUUID() })
      const made = claimsOf(payload)
      if (made !== 'forged') remember(token, made)
      return { token, validUntil: exp * 1000 }
    },
    verify({ tokenAuthentic }, token) {
      const by = currentKey()
      const known = remembered.get(signatureOf(token))
      if (known?.token === token)
        return tokenAuthentic({ token, failure: undefined }) ? known.claims : 'forged'
      const payload = payloadOf(token)
      if (payload === undefined) return 'rubbish'
      const failure = failureOf(by, token)
      const claims = claimsOf(payload)
      if (failure === undefined && claims !== 'forged') remember(token, claims)
      return tokenAuthentic({ token, failure }) ? claims : 'forged'
    },
  }
}
