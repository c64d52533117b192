import type { Bearer, Permission } from '../../contract/types.ts'
import type { Instant } from '../base/instants.ts'
import type { Service } from '../call/service.ts'
import type { Caller } from '../call/call.ts'
import type { TokenClaims, TokenStage } from '../keys/jwt.ts'
import type { Policy } from '../policy/policy.ts'
import { refuse } from '../base/refusals.ts'
import { permissionsOfLogin } from '../rights/rights.ts'

/** Who calls: the bearer token of a call, compared with the stage that the operation takes. */

const wanted: Readonly<Record<Exclude<Bearer, 'none' | 'link'>, readonly TokenStage[]>> = {
  authentication: ['authentication'],
  access: ['access'],
  refresh: ['refresh'],
  'refresh-or-access': ['refresh', 'access'],
}

const tokenOf = (authorization: string, policy: Policy): string | undefined => {
  const end = authorization.indexOf(' ') + 1
  if (!policy.schemeAccepted(authorization.slice(0, Math.max(0, end - 1)))) return undefined
  const token = authorization.slice(end).trim()
  return token === '' || token.includes(' ') ? undefined : token
}

/**
 * The caller of a protected operation.
 * @throws refusals wrong-token, rubbish-token, expired-token, expired-authentication-token, refresh-refused
 */
export const callerOf = (
  service: Service,
  kind: Exclude<Bearer, 'none' | 'link'>,
  authorization: string | undefined,
  now: Instant,
): Caller => {
  const token = tokenOf(authorization ?? '', service.policy)
  if (token === undefined) {
    throw refuse('wrong-token', authorization === undefined ? 'no bearer token was sent' : [])
  }
  return callerBy(service, kind, service.jwt.verify(service.policy, token), now)
}

const callerBy = (
  service: Service,
  kind: keyof typeof wanted,
  claims: TokenClaims | 'rubbish' | 'forged',
  now: Instant,
): Caller => {
  const { policy } = service
  if (claims === 'rubbish') throw refuse('rubbish-token')
  if (claims === 'forged') throw refuse('wrong-token', 'the token is not one of this service')
  if (!policy.bearerFits(claims.stage, wanted[kind])) {
    throw refuse('wrong-token', `the operation takes another kind of token than ${claims.stage}`, {
      facts: { given: claims.stage },
    })
  }
  const authentication = service.state.authentications.get(claims.reference)
  if (authentication === undefined) throw refuse('wrong-token', 'the authentication is not known')
  if (claims.stage === 'access' && !policy.accessTokenAlive(claims.expiresAt, now)) {
    throw refuse('expired-token')
  }
  if (
    claims.stage === 'authentication' &&
    !policy.authenticationTokenAlive(claims.expiresAt, now)
  ) {
    throw refuse('expired-authentication-token')
  }
  if (claims.stage === 'refresh' && !policy.refreshTokenAlive(claims.expiresAt, now)) {
    throw refuse('refresh-refused', 'the refresh token has expired')
  }
  const { context } = authentication
  const subject = authentication.subject ?? { type: 'Nip', value: '' }
  let permissions: ReadonlySet<Permission> | undefined
  return {
    context,
    subject,
    // Computed only on demand: most calls need one permission, some none.
    permissions() {
      const live = () => permissionsOfLogin(service, authentication)
      return (permissions ??=
        claims.stage === 'access'
          ? policy.permissionsInForce({ live, issuedWith: claims.permissions })
          : live())
    },
    authentication,
    bearer: claims.stage,
  }
}
