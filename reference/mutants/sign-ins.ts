import { refuse } from '../base/refusals.ts'
import { nipOf } from '../model/entities.ts'
import type { Mutant } from './mutant.ts'
import { policy } from '../policy/policy.ts'
import { soon } from '../base/soon.ts'
import { calls, refuses } from './rewrite.ts'

/** Defects of one way to sign in, or of what a login keeps afterwards. */

/** A challenge that a document or a body names. */
const challengeIn = (bytes: Uint8Array, body: unknown): string =>
  /Challenge>([^<]+)</.exec(Buffer.from(bytes).toString())?.[1] ??
  String((body as { challenge?: unknown } | undefined)?.challenge)

const usesUp = (operation: 'auth.xades' | 'auth.token'): Mutant => ({
  at: [operation],
  async call(call, next) {
    try {
      return await next(call)
    } catch (error) {
      const { challenges } = call.service.state
      const found = challenges.get(challengeIn(call.bytes, call.body))
      if (found !== undefined) challenges.put({ ...found, spent: true })
      throw error
    }
  },
})

/** The validity of a certificate is compared with the time that its signer states. */
const datesAtSigning = (): Mutant => {
  let signed = 0
  return {
    policy: {
      signingTimeFits(signedAt, now) {
        signed = signedAt
        return policy.signingTimeFits(signedAt, now)
      },
      certificateInDates: (from, to) => policy.certificateInDates(from, to, signed),
    },
  }
}

export const signInsMutants = {
  'auth.challenge.ten-minutes/refused-document-uses-up': usesUp('auth.xades'),
  'auth.challenge.ten-minutes/refused-token-uses-up': usesUp('auth.token'),
  'auth.challenge.ten-minutes/expired-accepted-by-token': {
    at: ['auth.token'],
    policy: { challengeAlive: () => true },
  },
  'auth.challenge.ten-minutes/third-ends-the-first': {
    tables: {
      challenges: {
        write(next, before, { challenges }) {
          const open = [...challenges.values()].filter(({ spent }) => !spent)
          if (before === undefined)
            for (const { value } of open.slice(0, -1)) challenges.delete(value)
          return next
        },
      },
    },
  },
  'auth.xades.certificate-dates/at-the-signing-time': datesAtSigning(),
  'auth.xades.hostile-xml/doctype-behind-a-comment': calls(['auth.xades'], (call) => ({
    ...call,
    bytes: Buffer.from(
      Buffer.from(call.bytes)
        .toString()
        .replace(/^<!--.*?-->\s*<!DOCTYPE[^>]*>/, ''),
    ),
  })),
  'auth.token.expired-refused/prolonged-by-use': {
    tables: {
      tokens: {
        write: (next) =>
          next.lastUseAt === undefined
            ? next
            : { ...next, validUntil: next.lastUseAt + next.validUntil - next.createdAt },
      },
    },
  },
  'auth.challenge.unknown-refused/case-ignored': {
    tables: {
      challenges: {
        read: (found, value, { challenges }) =>
          found ??
          [...challenges.values()].find(
            (other) => other.value.toLowerCase() === value.toLowerCase(),
          ),
      },
    },
  },
  'auth.challenge.unknown-refused/case-ignored-in-documents': {
    at: ['auth.xades'],
    policy: { documentConforms: () => true },
    tables: {
      challenges: {
        read: (found, value, { challenges }) => found ?? challenges.get(value.toUpperCase()),
      },
    },
  },
  'auth.xades.context-kinds/context-of-the-subject': {
    tables: {
      authentications: {
        write: (next) =>
          next.status.code === 200 && next.subject?.type === 'Nip'
            ? { ...next, context: { type: 'Nip', value: next.subject.value } }
            : next,
      },
    },
  },
  'auth.xades.context-kinds/kinds-merged': {
    at: ['sessions.list'],
    tables: {
      sessions: {
        find: (found, index, value, table) =>
          index === 'context'
            ? [...table.values()].filter(
                ({ context }) => nipOf(context) === nipOf({ value: value.replace(/^\w+:/, '') }),
              )
            : found,
      },
    },
    policy: { sessionIsOfContext: () => true, sessionIsOfSubject: () => true },
  },
  'auth.challenge.single-use/reusable-by-document': {
    at: ['auth.xades'],
    policy: { challengeUnused: () => true },
  },
  'auth.redeem.once/again-after-a-token': {
    at: ['auth.redeem'],
    tables: {
      authentications: {
        write: ({ redeemedAt, ...next }) => ({
          ...next,
          ...(next.method !== 'Token' && redeemedAt !== undefined && { redeemedAt }),
        }),
      },
    },
  },
  'auth.status.wrong-bearer-refused/own-status-whatever-asked': calls(['auth.status'], (call) => ({
    ...call,
    path: { ...call.path, referenceNumber: call.caller?.authentication.referenceNumber ?? '' },
  })),
  'auth.refresh.repeatable/ends-the-earlier-token': refuses(
    ['limits.context'],
    'expired-token',
    ({ caller, headers }) => {
      const [, payload = ''] = String(headers['authorization']).split('.')
      const { iat = 0 } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as {
        iat?: number
      }
      return Math.floor((caller?.authentication.refreshedAt ?? 0) / 1000) > iat
    },
  ),
  'auth.access-token.jwt-lifetime/refreshed-expires-later': {
    at: ['auth.refresh'],
    limits: { 'accessToken.lifetime': (seconds) => 8 * seconds },
  },
  'auth.access-token.jwt-lifetime/refreshed-expires-sooner': {
    at: ['auth.refresh'],
    limits: { 'accessToken.lifetime': (seconds) => seconds - 420 },
  },
  'auth.sessions.described/first-refresh-remembered': {
    tables: {
      authentications: {
        write: (next, before) =>
          before?.refreshedAt === undefined ? next : { ...next, refreshedAt: before.refreshedAt },
      },
    },
  },
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
  'auth.sessions.listed/by-the-redemption': {
    at: ['auth.sessions'],
    call: (call, next) =>
      soon(next(call), (answer) => {
        const { items } = answer.body as {
          readonly items: readonly { readonly referenceNumber: string }[]
        }
        const redeemedAt = ({ referenceNumber }: { readonly referenceNumber: string }): number =>
          call.service.state.authentications.get(referenceNumber)?.redeemedAt ?? 0
        const sorted = items.toSorted((a, b) => redeemedAt(b) - redeemedAt(a))
        return { ...answer, body: { ...(answer.body as object), items: sorted } }
      }),
  },
  'auth.sessions.listed/token-without-a-subject': {
    at: ['auth.sessions'],
    call(call, next) {
      // A token of another caller goes on with the own list, from its beginning.
      const { 'x-continuation-token': token, ...headers } = call.headers
      if (token === undefined || token === 'bm8gdG9rZW4=') return next(call)
      try {
        return next(call)
      } catch {
        if (call.caller === undefined) throw refuse('wrong-token')
        return next({ ...call, headers })
      }
    },
  },
} as const satisfies Readonly<Record<string, Mutant>>
