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

/** The older way to name the method; a self-made certificate counts as what it stands in for. */
const methodName = ({ credential, attributes }: Authentication): string =>
  credential !== 'SelfSigned'
    ? credential
    : attributes?.organizationIdentifier === undefined
      ? 'QualifiedSignature'
      : 'QualifiedSeal'

/** What a caller is told of an authentication. */
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

const revoke = (service: Service, authentication: Authentication, now: number): void => {
  const { policy, state } = service
  const ended = policy.endsAnotherLogin()
    ? state.authentications.by('context', keyOf(authentication.context))
    : [authentication]
  for (const entry of ended) {
    entry.revokedAt = now
    entry.status = { code: 425, description: 'revoked' }
    state.authentications.put(entry)
  }
}

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
    const here = policy.loginsOfContextOnly()
      ? state.authentications.by('context', keyOf(caller.context))
      : [...state.authentications.values()]
    const mine = here
      .filter((entry) =>
        policy.loginListed({
          own: entry.subject !== undefined && keyOf(entry.subject) === keyOf(caller.subject),
          redeemed: entry.redeemedAt !== undefined,
          running: entry.revokedAt === undefined,
          refreshable: (entry.refreshValidUntil ?? Infinity) > now,
        }),
      )
      .toSorted((a, b) => (place(a) < place(b) ? 1 : -1))
    const { items, continuationToken } = page(service, policy.loginsShown(mine), {
      scope: `logins ${keyOf(caller.context)} ${keyOf(caller.subject)}`,
      size: Number(call.query['pageSize']),
      token: call.headers['x-continuation-token'],
      place,
      after: (entry, at) => place(entry) < at,
    })
    return {
      body: {
        items: items.map((entry) =>
          policy.loginShown({
            referenceNumber: entry.referenceNumber,
            ...authenticationView(entry),
            isCurrent: entry.referenceNumber === caller.authentication.referenceNumber,
          }),
        ),
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
    const own =
      entry?.subject !== undefined &&
      keyOf(entry.context) === keyOf(caller.context) &&
      keyOf(entry.subject) === keyOf(caller.subject)
    if (entry === undefined || !service.policy.loginMayBeEnded(own))
      throw refuse('authentication-unknown')
    revoke(service, entry, now)
    return {}
  },
}
