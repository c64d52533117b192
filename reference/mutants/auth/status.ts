import { keyOf } from '../../model/entities.ts'
import { onlyDecoded, takenOnceEnded } from '../callers.ts'
import type { Mutant } from '../mutant.ts'
import { describedAs } from '../reasons.ts'
import { bodies, calls, decidedBy, refuses } from '../rewrite.ts'
import { minute } from '../spans.ts'

interface Status {
  readonly status: { readonly code: number }
}

/** How often the status of an authentication was asked for. */
const asked = new Map<string, number>()

/** Failures of one code that do not say what they are. */
const unexplained = (code: number): Mutant =>
  bodies<Status>(['auth.status'], ({ status }) =>
    status.code === code ? { status: { ...status, description: '' } } : {},
  )

/** An authentication that has ended is shown to any authentication token. */
const anyOnceEnded = (isSuch: (status: { readonly code: number }) => boolean): Mutant =>
  calls(['auth.status'], (call) => {
    const found = call.service.state.authentications.get(call.path['referenceNumber'] ?? '')
    return found !== undefined && isSuch(found.status)
      ? decidedBy(call, { statusBearerMatches: () => true })
      : call
  })

/** Defects of how the state of an authentication is reported. */
export const authStatusMutants = {
  'auth.status.moves-forward/goes-back': bodies(['auth.status'], ({ status }: Status, { path }) => {
    const times = (asked.get(path['referenceNumber']!) ?? 0) + 1
    asked.set(path['referenceNumber']!, times)
    return status.code === 200 && times % 2 === 0 ? { status: { ...status, code: 100 } } : {}
  }),
  'auth.status.moves-forward/forgotten-after-half-an-hour': bodies(
    ['auth.status'],
    ({ status }: Status, { caller, now }) =>
      now - (caller?.authentication.startedAt ?? now) > 30 * minute
        ? { status: { ...status, code: 100 } }
        : {},
  ),
  'auth.status.wrong-bearer-refused/any-authentication-token': {
    policy: { statusBearerMatches: () => true },
  },
  'auth.status.wrong-bearer-refused/any-once-ended': anyOnceEnded(({ code }) => code >= 200),
  'auth.status.wrong-bearer-refused/any-once-failed': anyOnceEnded(({ code }) => code >= 400),
  'auth.status.wrong-bearer-refused/access-token-accepted': {
    also: ['auth.redeem.wrong-bearer-refused'],
    policy: {
      bearerFits: (given, wanted) =>
        wanted.includes(given) || (given === 'access' && wanted.includes('authentication')),
    },
  },
  'auth.status.wrong-bearer-refused/own-status-whatever-asked': calls(['auth.status'], (call) => ({
    ...call,
    path: { ...call.path, referenceNumber: call.caller?.authentication.referenceNumber ?? '' },
  })),
  'auth.status.failure-is-final/redeem-failed-redeems': {
    policy: { redeemAllowed: (code) => code >= 200 },
  },
  'auth.status.failure-is-final/spoils-the-next': {
    tables: {
      authentications: {
        write: (next, _before, { authentications }) => {
          const failed = authentications
            .by('context', keyOf(next.context))
            .find(({ status }) => status.code >= 400)
          return next.status.code === 200 && failed !== undefined
            ? { ...next, status: failed.status }
            : next
        },
      },
    },
  },
  'auth.status.failure-is-final/forgiven-by-the-next': bodies<Status>(
    ['auth.status'],
    ({ status }, { service, path }) => {
      const { authentications } = service.state
      const own = authentications.get(path['referenceNumber'] ?? '')
      const last = own && authentications.by('context', keyOf(own.context)).at(-1)
      return status.code >= 400 && last?.status.code === 200 ? { status: last.status } : {}
    },
  ),
  'auth.status.failure-is-final/described-as-in-progress': describedAs(
    ['auth.status'],
    'authentication',
    100,
  ),
  'auth.status.failure-is-final/described-as-succeeded': describedAs(
    ['auth.status'],
    'authentication',
    200,
  ),
  'auth.status.failure-is-final/bad-tokens-unexplained': unexplained(450),
  'auth.status.failure-is-final/bad-certificates-unexplained': unexplained(460),
  'auth.status.wrong-bearer-refused/only-decoded': onlyDecoded('auth.status'),
  'auth.status.wrong-bearer-refused/by-a-refresh-token-in-the-end': takenOnceEnded(
    ['auth.status'],
    'refresh',
  ),
  'auth.status.moves-forward/unknown-after-a-refresh': refuses(
    ['auth.status'],
    'authentication-unknown',
    ({ caller }) => caller?.authentication.refreshedAt !== undefined,
  ),
  'auth.status.moves-forward/replaced-by-the-next': bodies<Status>(
    ['auth.status'],
    ({ status }, { caller, service }) => {
      const mine = caller?.authentication
      const later = [
        ...service.state.authentications.by('context', mine ? keyOf(mine.context) : ''),
      ]
        .filter(({ redeemedAt }) => redeemedAt !== undefined)
        .findLast(({ referenceNumber }) => referenceNumber !== mine?.referenceNumber)
      const isReplaced = (later?.redeemedAt ?? 0) > (mine?.redeemedAt ?? Infinity)
      return isReplaced ? { status: { ...status, code: 425 } } : {}
    },
  ),
  'auth.status.failure-is-final/another-failure-later': bodies<Status>(
    ['auth.status'],
    ({ status }, { caller, now }) => {
      const { startedAt = now } = caller?.authentication ?? {}
      return status.code >= 400 && now - startedAt > 10 * minute
        ? { status: { ...status, code: status.code === 550 ? 500 : 550 } }
        : {}
    },
  ),
} as const satisfies Readonly<Record<string, Mutant>>
