import type { Mutant } from './mutant.ts'
import type { Policy } from '../policy/policy.ts'
import { policy } from '../policy/policy.ts'

/** Defects of login sessions, and of what a login is bound to. */

const listed = (loginListed: Policy['loginListed']): Mutant => ({
  breaks: ['auth.sessions.listed'],
  policy: { loginListed },
})

/** The view with some fields otherwise. */
const shown = (fields: Readonly<Record<string, unknown>>): Mutant => ({
  breaks: ['auth.sessions.described'],
  policy: { loginShown: (view) => ({ ...view, ...fields }) },
})

export const loginsMutants = {
  'auth.challenge.client-address-fixed': {
    breaks: ['auth.challenge.client-address'],
    policy: { clientAddress: () => '10.0.0.1' },
  },
  'auth.address-policy.not-enforced': {
    breaks: ['auth.address-policy'],
    policy: { addressAllowed: () => true },
  },
  'auth.address-policy.single-addresses-only': {
    breaks: ['auth.address-policy'],
    policy: { addressAllowed: (address, { addresses }) => addresses.includes(address) },
  },
  'auth.address-policy.masks-unread': {
    breaks: ['auth.address-policy'],
    policy: {
      addressAllowed: (address, allowed) =>
        policy.addressAllowed(address, { ...allowed, masks: [] }),
    },
  },
  'auth.sessions.lists-other-subjects': listed(
    ({ redeemed, running, refreshable }) => redeemed && running && refreshable,
  ),
  'auth.sessions.lists-other-contexts': {
    breaks: ['auth.sessions.listed'],
    policy: { loginsOfContextOnly: () => false },
  },
  'auth.sessions.lists-unredeemed': listed(
    ({ own, running, refreshable }) => own && running && refreshable,
  ),
  'auth.sessions.lists-run-out': listed(({ own, redeemed, running }) => own && redeemed && running),
  'auth.sessions.lists-none': listed(() => false),
  'auth.sessions.oldest-first': {
    breaks: ['auth.sessions.listed'],
    policy: { loginsShown: (newestFirst) => newestFirst.toReversed() },
  },
  'auth.sessions.first-page-only': {
    breaks: ['auth.sessions.listed'],
    policy: { loginsShown: (newestFirst) => newestFirst.slice(0, 10) },
  },
  'auth.sessions.all-are-present': shown({ isCurrent: true }),
  'auth.sessions.none-is-present': shown({ isCurrent: false }),
  'auth.sessions.start-unknown': shown({ startDate: '2000-01-01T00:00:00.000Z' }),
  'auth.sessions.always-in-progress': shown({ status: { code: 100, description: 'in progress' } }),
  'auth.sessions.redeem-unseen': shown({ isTokenRedeemed: false }),
  'auth.sessions.end-unknown': shown({ refreshTokenValidUntil: null }),
  'auth.sessions.refresh-unseen': shown({ lastTokenRefreshDate: null }),
  'auth.sessions.refresh-is-start': {
    breaks: ['auth.sessions.described'],
    policy: {
      loginShown: (view) => ({
        ...view,
        ...(view['lastTokenRefreshDate'] !== undefined && {
          lastTokenRefreshDate: view['startDate'],
        }),
      }),
    },
  },
  'auth.sessions.all-by-document': shown({
    authenticationMethodInfo: {
      category: 'XadesSignature',
      code: 'xades',
      displayName: 'document',
    },
  }),
  'auth.sessions.lists-ended': {
    breaks: ['auth.sessions.ended'],
    policy: {
      loginListed: ({ own, redeemed, refreshable }) => own && redeemed && refreshable,
    },
  },
  'auth.sessions.ended-refreshes': {
    breaks: ['auth.sessions.ended'],
    policy: { refreshAfterRevocation: () => true },
  },
  'auth.sessions.end-takes-all': {
    breaks: ['auth.sessions.ended'],
    policy: { endsAnotherLogin: () => true },
  },
  'auth.sessions.anyone-ends': {
    breaks: ['auth.sessions.ended'],
    policy: { loginMayBeEnded: () => true },
  },
} as const satisfies Record<string, Mutant>
