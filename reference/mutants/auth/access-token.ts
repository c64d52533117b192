import type { Mutant } from '../mutant.ts'
import { bodies, calls } from '../rewrite.ts'

/** Defects of access tokens. */
export const authAccessTokenMutants = {
  'auth.access-token.jwt-lifetime/lives-an-hour': {
    limits: { 'accessToken.lifetime': () => 3600 },
  },
  'auth.access-token.jwt-lifetime/dated-from-the-first-refresh': calls(
    ['auth.refresh'],
    (call) => ({
      ...call,
      now: call.caller?.authentication.refreshedAt ?? call.now,
    }),
  ),
  'auth.access-token.jwt-lifetime/stated-longer-after-a-refresh': bodies<{
    readonly accessToken: { readonly validUntil: string }
  }>(['auth.refresh'], ({ accessToken }) => ({
    accessToken: {
      ...accessToken,
      validUntil: new Date(Date.parse(accessToken.validUntil) + 300_000).toISOString(),
    },
  })),
  'auth.access-token.jwt-lifetime/refreshed-expires-later': {
    at: ['auth.refresh'],
    limits: { 'accessToken.lifetime': (seconds) => 8 * seconds },
  },
  'auth.access-token.jwt-lifetime/refreshed-expires-sooner': {
    at: ['auth.refresh'],
    limits: { 'accessToken.lifetime': (seconds) => seconds - 420 },
  },
  'auth.access-token.expires/never-expires': {
    also: ['auth.access-token.required'],
    policy: { accessTokenAlive: () => true },
  },
  'auth.access-token.expires/dies-early': {
    policy: { accessTokenAlive: (expiresAt, now) => now < expiresAt - 300_000 },
  },
  'auth.access-token.forged-refused/forged-accepted': { policy: { tokenAuthentic: () => true } },
  'auth.access-token.required/any-scheme': { policy: { schemeAccepted: () => true } },
  'auth.access-token.required/any-kind': {
    policy: { bearerFits: (given, wanted) => wanted.includes(given) || wanted.includes('access') },
  },
} as const satisfies Readonly<Record<string, Mutant>>
