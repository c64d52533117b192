import { refuse } from '../../base/refusals.ts'
import { keyOf } from '../../model/entities.ts'
import type { Policy } from '../../policy/policy.ts'
import { policy } from '../../policy/policy.ts'
import type { Mutant } from '../mutant.ts'
import { ofTheSameCertificate } from '../namesakes.ts'
import type { Change } from '../rewrite.ts'
import { bodies, firstTenOnly, oldestFirst, records, refuses } from '../rewrite.ts'
import { lists as rewrittenLists } from '../rewrite.ts'

const lists = (loginListed: Policy['loginListed']): Mutant => ({ policy: { loginListed } })
const shown = (change: Change): Mutant => records(['auth.sessions'], 'items', change)

type Item = Readonly<Record<string, unknown>>

const lastDate = ({ lastTokenRefreshDate, startDate }: Item): string =>
  String(lastTokenRefreshDate ?? startDate)

/** Defects of login sessions, and of what a login is bound to. */
export const authSessionsMutants = {
  'auth.sessions.listed/lists-other-subjects': lists((login, viewer, now) =>
    policy.loginListed({ ...login, subject: viewer.subject }, viewer, now),
  ),
  'auth.sessions.listed/lists-other-contexts': {
    ...lists((login, viewer, now) =>
      policy.loginListed({ ...login, context: viewer.context }, viewer, now),
    ),
    tables: { authentications: { find: (_found, _index, _value, table) => [...table.values()] } },
  },
  'auth.sessions.listed/lists-unredeemed': lists((login, viewer, now) =>
    policy.loginListed({ ...login, redeemedAt: now }, viewer, now),
  ),
  'auth.sessions.listed/lists-run-out': lists((login, viewer, now) =>
    policy.loginListed({ ...login, refreshValidUntil: Infinity }, viewer, now),
  ),
  'auth.sessions.listed/lists-refreshed-longer': lists((login, viewer, now) =>
    policy.loginListed(
      login.refreshedAt === undefined ? login : { ...login, refreshValidUntil: Infinity },
      viewer,
      now,
    ),
  ),
  'auth.sessions.listed/lists-none': lists(() => false),
  'auth.sessions.listed/oldest-first': oldestFirst(['auth.sessions'], 'items'),
  'auth.sessions.listed/first-page-only': firstTenOnly(['auth.sessions'], 'items'),
  'auth.sessions.listed/one-of-an-instant': {
    tables: {
      authentications: {
        find: (found) =>
          found.filter(
            ({ startedAt }, place) =>
              place === found.findLastIndex((other) => other.startedAt === startedAt),
          ),
      },
    },
  },
  'auth.sessions.listed/logins-by-token-hidden': {
    at: ['auth.sessions'],
    tables: {
      authentications: { find: (found) => found.filter(({ method }) => method !== 'Token') },
    },
  },
  'auth.sessions.listed/by-the-last-refresh': rewrittenLists<Item>(
    ['auth.sessions'],
    'items',
    (items) => items.toSorted((a, b) => lastDate(b).localeCompare(lastDate(a))),
  ),
  'auth.sessions.listed/by-the-redemption': {
    at: ['auth.sessions'],
    async call(call, next) {
      const answer = await next(call)
      const { items } = answer.body as {
        readonly items: readonly { readonly referenceNumber: string }[]
      }
      const redeemedAt = ({ referenceNumber }: { readonly referenceNumber: string }): number =>
        call.service.state.authentications.get(referenceNumber)?.redeemedAt ?? 0
      const sorted = items.toSorted((a, b) => redeemedAt(b) - redeemedAt(a))
      return { ...answer, body: { ...(answer.body as object), items: sorted } }
    },
  },
  'auth.sessions.listed/token-without-a-subject': {
    at: ['auth.sessions'],
    async call(call, next) {
      // A token of another caller continues with the caller's own list, from its beginning.
      const { 'x-continuation-token': token, ...headers } = call.headers
      if (token === undefined || token === 'bm8gdG9rZW4=') return next(call)
      try {
        return await next(call)
      } catch {
        if (call.caller === undefined) throw refuse('wrong-token')
        return next({ ...call, headers })
      }
    },
  },
  'auth.sessions.described/all-are-present': shown({ isCurrent: true }),
  'auth.sessions.described/none-is-present': shown({ isCurrent: false }),
  'auth.sessions.described/refreshed-is-not-current': shown(
    ({ isCurrent, lastTokenRefreshDate }) => ({
      isCurrent: isCurrent === true && (lastTokenRefreshDate ?? null) === null,
    }),
  ),
  'auth.sessions.described/start-unknown': shown({ startDate: '2000-01-01T00:00:00.000Z' }),
  'auth.sessions.described/always-in-progress': shown({
    status: { code: 100, description: 'in progress' },
  }),
  'auth.sessions.described/redeem-unseen': shown({ isTokenRedeemed: false }),
  'auth.sessions.described/end-unknown': shown({ refreshTokenValidUntil: null }),
  'auth.sessions.described/refresh-unseen': shown({ lastTokenRefreshDate: null }),
  'auth.sessions.described/refresh-is-start': shown(({ lastTokenRefreshDate, startDate }) =>
    lastTokenRefreshDate === undefined ? {} : { lastTokenRefreshDate: startDate },
  ),
  'auth.sessions.described/all-by-document': shown({
    authenticationMethodInfo: {
      category: 'XadesSignature',
      code: 'xades',
      displayName: 'document',
    },
  }),
  'auth.sessions.described/first-refresh-remembered': {
    tables: {
      authentications: {
        write: (next, before) =>
          before?.refreshedAt === undefined ? next : { ...next, refreshedAt: before.refreshedAt },
      },
    },
  },
  'auth.sessions.described/seals-and-signatures-swapped': bodies(
    ['auth.status'],
    ({ authenticationMethod: named }) => ({
      authenticationMethod:
        named === 'QualifiedSeal'
          ? 'QualifiedSignature'
          : named === 'QualifiedSignature'
            ? 'QualifiedSeal'
            : named,
    }),
  ),
  'auth.sessions.described/own-certificates-as-signatures': bodies(
    ['auth.status'],
    ({ authenticationMethod: named }) => ({
      authenticationMethod: named === 'InternalCertificate' ? 'QualifiedSignature' : named,
    }),
  ),
  'auth.sessions.ended/lists-ended': lists(({ revokedAt: _, ...login }, viewer, now) =>
    policy.loginListed(login, viewer, now),
  ),
  'auth.sessions.ended/ended-refreshes': { policy: { refreshAfterRevocation: () => true } },
  'auth.sessions.ended/own-by-reference-refused': refuses(
    ['auth.revoke'],
    'authentication-unknown',
    ({ caller, path }) => caller?.authentication.referenceNumber === path['referenceNumber'],
  ),
  'auth.sessions.ended/ends-all': {
    tables: {
      authentications: {
        write(next, before, { authentications }) {
          const { revokedAt, status } = next
          if (revokedAt !== undefined && before?.revokedAt === undefined)
            for (const login of authentications.by('context', keyOf(next.context)))
              authentications.put({ ...login, revokedAt, status })
          return next
        },
      },
    },
  },
  'auth.sessions.ended/ends-the-token': {
    at: ['auth.revoke', 'auth.revokeCurrent'],
    tables: {
      authentications: {
        write(next, _before, { tokens }) {
          const token = tokens.get(next.token ?? '')
          if (token !== undefined) tokens.put({ ...token, status: 'Revoked' })
          return next
        },
      },
    },
  },
  'auth.sessions.ended/ended-is-redeemed': {
    policy: { redeemAllowed: (code) => code === 200 || code === 425 },
  },
  'auth.sessions.ended/anyone-ends': { policy: { loginMayBeEnded: () => true } },
  'auth.sessions.ended/of-the-subject-anywhere': {
    policy: {
      loginMayBeEnded: ({ subject }, viewer) =>
        subject !== undefined && keyOf(subject) === keyOf(viewer.subject),
    },
  },
  'auth.sessions.listed/of-the-same-certificate': ofTheSameCertificate,
} as const satisfies Readonly<Record<string, Mutant>>
