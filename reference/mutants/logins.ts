import { keyOf } from '../model/entities.ts'
import type { Policy } from '../policy/policy.ts'
import { policy } from '../policy/policy.ts'
import type { Mutant } from './mutant.ts'
import type { Change } from './rewrite.ts'
import { bodies, firstTenOnly, oldestFirst, records } from './rewrite.ts'

/** Defects of login sessions, and of what a login is bound to. */

const lists = (loginListed: Policy['loginListed']): Mutant => ({ policy: { loginListed } })

const shown = (change: Change): Mutant => records(['auth.sessions'], 'items', change)

export const loginsMutants = {
  'auth.challenge.client-address/client-address-fixed': bodies(['auth.challenge'], {
    clientIp: '10.0.0.1',
  }),
  'auth.address-policy/not-enforced': {
    policy: { addressAllowed: () => true },
  },
  'auth.address-policy/single-addresses-only': {
    policy: { addressAllowed: (address, { addresses }) => addresses.includes(address) },
  },
  'auth.address-policy/masks-unread': {
    policy: {
      addressAllowed: (address, allowed) =>
        policy.addressAllowed(address, { ...allowed, masks: [] }),
    },
  },
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
  'auth.sessions.listed/lists-none': lists(() => false),
  'auth.sessions.listed/oldest-first': oldestFirst(['auth.sessions'], 'items'),
  'auth.sessions.listed/first-page-only': firstTenOnly(['auth.sessions'], 'items'),
  'auth.sessions.described/all-are-present': shown({ isCurrent: true }),
  'auth.sessions.described/none-is-present': shown({ isCurrent: false }),
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
  'auth.sessions.ended/lists-ended': lists(({ revokedAt: _, ...login }, viewer, now) =>
    policy.loginListed(login, viewer, now),
  ),
  'auth.sessions.ended/ended-refreshes': {
    policy: { refreshAfterRevocation: () => true },
  },
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
  'auth.sessions.ended/anyone-ends': {
    policy: { loginMayBeEnded: () => true },
  },
} as const satisfies Readonly<Record<string, Mutant>>
