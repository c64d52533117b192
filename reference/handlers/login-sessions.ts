import type { Service } from '../call/service.ts'
import type { Authentication } from '../model/entities.ts'
import { keyOf } from '../model/entities.ts'
import type { Handlers } from '../call/call.ts'
import { page } from '../http/paging.ts'
import { refuse } from '../base/refusals.ts'

/** Authentications as callers see them, and the login sessions that they become. Source: gap login-sessions. */

export const iso = (instant: number): string => new Date(instant).toISOString()

const methodInfo = ({ method, credential }: Authentication) => ({
  category: method,
  code:
    method === 'Token' ? 'token' : `xades.${credential[0]!.toLowerCase()}${credential.slice(1)}`,
  displayName: method === 'Token' ? 'service token' : 'signed document',
})

/** The older name of the method; a self-signed certificate counts as the credential that it replaces. */
const methodName = ({ credential, attributes }: Authentication): string =>
  credential !== 'SelfSigned'
    ? credential
    : attributes?.organizationIdentifier === undefined
      ? 'QualifiedSignature'
      : 'QualifiedSeal'

/** What a caller sees of an authentication. */
export const authenticationView = (authentication: Authentication) => ({
  startDate: iso(authentication.startedAt),
  authenticationMethod: methodName(authentication),
  authenticationMethodInfo: methodInfo(authentication),
  status: authentication.status,
  isTokenRedeemed: authentication.redeemedAt !== undefined,
  ...(authentication.refreshedAt !== undefined && {
    lastTokenRefreshDate: iso(authentication.refreshedAt),
  }),
  ...(authentication.refreshValidUntil !== undefined && {
    refreshTokenValidUntil: iso(authentication.refreshValidUntil),
  }),
})

const revoke = ({ state }: Service, authentication: Authentication, now: number): void =>
  state.authentications.put({
    ...authentication,
    revokedAt: now,
    status: { code: 425, description: 'revoked' },
  })

type SessionHandlers = Pick<
  Handlers<'auth'>,
  'auth.sessions' | 'auth.revokeCurrent' | 'auth.revoke'
>

export const loginSessions: SessionHandlers = {
  'auth.sessions': (call) => {
    const { service, caller, now } = call
    const place = ({ startedAt, referenceNumber }: Authentication): string =>
      `${String(startedAt).padStart(16, '0')} ${referenceNumber}`
    const { policy, state } = service
    const listed = state.authentications
      .by('context', keyOf(caller.context))
      .filter((entry) => policy.loginListed(entry, caller, now))
      .toSorted((a, b) => (place(a) < place(b) ? 1 : -1))
    const { items, continuationToken } = page(service, listed, {
      scope: `logins ${keyOf(caller.context)} ${keyOf(caller.subject)}`,
      size: Number(call.query['pageSize']),
      token: call.headers['x-continuation-token'],
      place,
      after: (entry, at) => place(entry) < at,
    })
    return {
      body: {
        items: items.map((entry) => ({
          referenceNumber: entry.referenceNumber,
          ...authenticationView(entry),
          isCurrent: entry.referenceNumber === caller.authentication.referenceNumber,
        })),
        continuationToken,
      },
    }
  },

  'auth.revokeCurrent': ({ service, caller, now }) => {
    revoke(service, caller.authentication, now)
    return {}
  },

  'auth.revoke': ({ service, caller, path, now }) => {
    const entry = service.state.authentications.get(path.referenceNumber)
    if (entry === undefined || !service.policy.loginMayBeEnded(entry, caller))
      throw refuse('authentication-unknown')
    revoke(service, entry, now)
    return {}
  },
}
