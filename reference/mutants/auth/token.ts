import { dayOf } from '../../base/identifiers.ts'
import type { ContextIdentifier, ServiceToken } from '../../model/entities.ts'
import { keyOf } from '../../model/entities.ts'
import { policy } from '../../policy/policy.ts'
import { endsWithTokens } from '../certificate-readers.ts'
import { statedUntilTheChallengeEnds } from '../lifetimes.ts'
import {
  lockedByAnotherContext,
  lockedBySpoiltText,
  lockedByWrongChallenge,
} from '../locked-tokens.ts'
import type { Mutant } from '../mutant.ts'
import { rightOnce } from '../once-more.ts'
import { ignores, refuses } from '../rewrite.ts'
import { day, minute } from '../spans.ts'
import {
  datedLikeTheNewest,
  endsInTestOnly,
  forInvoicesOnly,
  onceAtAnInstant,
} from '../token-dates.ts'
import { asNumbers, masksBySha1Too, namedKeyOfAnyUsage, readAs } from '../token-envelopes.ts'
import { oneInProgress } from '../under-way.ts'

/** The texts of service tokens, by their references. */
const issued = new Map<string, string>()

/** A timestamp before the last one that was accepted is refused. */
const timesInOrder = (): Mutant => {
  let last = 0
  return {
    policy: {
      tokenTimestampAccepted(timestamp, now, skew) {
        const isAccepted = timestamp >= last && policy.tokenTimestampAccepted(timestamp, now, skew)
        if (isAccepted) last = timestamp
        return isAccepted
      },
    },
  }
}

/** Tokens that a caller other than their author revoked stay usable. */
const usableUnlessByAuthor = (): Mutant => {
  const revoked = new Set<string>()
  return {
    call(call, next) {
      const { operation, caller, path, service } = call
      const reference = path['referenceNumber'] ?? ''
      const author = service.state.tokens.get(reference)?.author
      if (operation === 'tokens.revoke' && caller !== undefined && author !== undefined)
        if (caller.authentication.token !== undefined || keyOf(author) !== keyOf(caller.subject))
          revoked.add(reference)
      return next(call)
    },
    tables: {
      tokens: {
        find: (found, index) =>
          index === 'digest'
            ? found.map((one) =>
                revoked.has(one.referenceNumber) ? { ...one, status: 'Active' } : one,
              )
            : found,
      },
    },
  }
}

/** Service tokens of which only a part is compared. */
const comparedBy = (partOf: (token: string) => string): Mutant => ({
  async call(call, next) {
    const given = await next(call)
    if (call.operation !== 'tokens.create') return given
    const { referenceNumber, token } = given.body as Readonly<Record<string, string>>
    issued.set(referenceNumber ?? '', token ?? '')
    return given
  },
  tables: {
    authentications: {
      write(next, before, state) {
        const envelope = before?.envelope
        if (envelope === undefined || !('token' in envelope) || next.status.code !== 450)
          return next
        const known = [...issued].find(([, token]) => partOf(token) === partOf(envelope.token))
        const token = state.tokens.get(known?.[0] ?? '')
        if (token?.status !== 'Active' || keyOf(token.context) !== keyOf(next.context)) return next
        return {
          ...next,
          token: token.referenceNumber,
          subject: token.author,
          status: { code: 200, description: 'succeeded' },
        }
      },
    },
  },
})

/** A further token of an author ends the use of those before it. */
const newestOnly: Mutant = {
  at: ['authentication'],
  tables: {
    tokens: {
      find(found, index, _value, table) {
        const newestOf = ({ author, context }: ServiceToken) =>
          [...table.values()].findLast(
            (one) => keyOf(one.author) === keyOf(author) && keyOf(one.context) === keyOf(context),
          )
        return index === 'digest'
          ? found.filter((one) => newestOf(one)?.referenceNumber === one.referenceNumber)
          : found
      },
    },
  },
}

/** The end of the last day of service tokens, in Warsaw. */
const sunset = Date.parse('2026-12-31T23:00:00Z')

const parts = (token: string): string[] => token.split('|')

/** Defects of logins by a service token. */
export const authTokenMutants = {
  'auth.token.unusable-refused/revoked-by-others-usable': usableUnlessByAuthor(),
  'auth.token.accepted/never-accepted': { policy: { tokenUsable: () => false } },
  'auth.token.accepted/not-in-units': refuses(
    ['auth.token'],
    'invalid-input',
    ({ body }) =>
      (body as { readonly contextIdentifier: ContextIdentifier }).contextIdentifier.type ===
      'InternalId',
  ),
  'auth.token.accepted/for-invoices-only': forInvoicesOnly,
  'auth.token.accepted/no-parameter-of-its-media-type': refuses(
    ['auth.token'],
    'unreadable-body',
    ({ headers }) => headers['content-type']?.includes(';') === true,
  ),
  'auth.token.accepted/once-at-an-instant': onceAtAnInstant(),
  'auth.token.accepted/newest-only': newestOnly,
  'auth.token.accepted/stated-until-the-challenge-ends': statedUntilTheChallengeEnds('auth.token'),
  'auth.token.accepted/one-in-progress': oneInProgress('auth.token'),
  'auth.token.accepted/locked-by-another-context': lockedByAnotherContext(),
  'auth.token.accepted/locked-by-a-spoilt-text': lockedBySpoiltText(),
  'auth.token.accepted/locked-by-a-wrong-challenge': lockedByWrongChallenge(),
  'auth.token.plaintext-form/times-in-order': timesInOrder(),
  'auth.token.plaintext-form/seconds-expected': {
    policy: { tokenTimestampForm: (text) => /^\d{10}$/.test(text) },
  },
  'auth.token.plaintext-form/newest-key-only': {
    at: ['auth.token'],
    policy: {
      keyLive: (from, to, withdrawn, at) =>
        policy.keyLive(from, to, withdrawn, at) && withdrawn === undefined,
    },
  },
  'auth.token.plaintext-form/ciphertext-as-a-number': asNumbers,
  'auth.token.plaintext-form/seconds-too': readAs((text) =>
    text.replace(/\|(\d{10})$/, (_, seconds) => `|${seconds}000`),
  ),
  'auth.token.plaintext-form/dates-too': readAs((text) =>
    text.replace(/\|([\d-]+T[\d:.]+Z)$/, (_, date) => `|${Date.parse(String(date))}`),
  ),
  'auth.token.plaintext-form/time-first-too': readAs((text) =>
    text.replace(/^(\d{13})\|(.+)$/, '$2|$1'),
  ),
  'auth.token.plaintext-form/colon-too': readAs((text) => text.replace(/:(\d{13})$/, '|$1')),
  'auth.token.plaintext-form/more-behind-the-time-ignored': {
    also: ['auth.token.wrong-timestamp-refused'],
    ...readAs((text) => text.replace(/\|(\d{13})[^|]+$/, '|$1')),
  },
  'auth.token.plaintext-form/line-end-ignored': readAs((text) => text.replace(/\r?\n$/, '')),
  'auth.token.plaintext-form/fraction-ignored': readAs((text) => text.replace(/\.\d+$/, '')),
  'auth.token.plaintext-form/time-as-any-number': readAs((text) =>
    text.replace(/\|[\s+0]*(\d{13})(?:\.0+)?\s*$/, '|$1'),
  ),
  'auth.token.plaintext-form/ended-by-a-zero-byte': readAs((text) => text.replace(/\0[^]*$/, '')),
  'auth.token.plaintext-form/trimmed': readAs((text) =>
    text
      .split('|')
      .map((part) => part.trim())
      .join('|'),
  ),
  'auth.token.wrong-encryption-refused/oaep-sha1-accepted': {
    policy: { oaepHashAccepted: () => true },
  },
  'auth.token.wrong-encryption-refused/named-key-of-any-usage': namedKeyOfAnyUsage,
  'auth.token.wrong-encryption-refused/masks-by-sha1-too': masksBySha1Too,
  'auth.token.wrong-encryption-refused/name-unread': ignores(['auth.token'], 'publicKeyId'),
  'auth.token.wrong-timestamp-refused/time-kept': rightOnce('tokenTimestampAccepted'),
  'auth.token.wrong-timestamp-refused/time-unchecked': {
    policy: { tokenTimestampForm: () => true, tokenTimestampAccepted: () => true },
  },
  'auth.token.wrong-timestamp-refused/seconds-accepted': {
    policy: {
      tokenTimestampForm: (text) => /^(\d{10}|\d{13})$/.test(text),
      tokenTimestampAccepted: (time, now, skew) =>
        policy.tokenTimestampAccepted(time < 1e11 ? time * 1000 : time, now, skew),
    },
  },
  'auth.token.wrong-timestamp-refused/none-needed': {
    policy: {
      tokenTimestampForm: (text) => text === '' || policy.tokenTimestampForm(text),
      tokenTimestampAccepted: (time, now, skew) =>
        time === 0 || policy.tokenTimestampAccepted(time, now, skew),
    },
  },
  'auth.token.wrong-timestamp-refused/words-taken-for-the-present': {
    policy: {
      tokenTimestampForm: () => true,
      tokenTimestampAccepted: (time, now, skew) =>
        Number.isNaN(time) || policy.tokenTimestampAccepted(time, now, skew),
    },
  },
  'auth.token.wrong-timestamp-refused/past-unbounded': {
    policy: { tokenTimestampAccepted: (time, now, skew) => time - now <= skew * 1000 },
  },
  'auth.token.wrong-timestamp-refused/future-unbounded': {
    policy: { tokenTimestampAccepted: (time, now, skew) => now - time <= skew * 1000 },
  },
  'auth.token.wrong-timestamp-refused/held-against-the-challenge': {
    at: ['authentication'],
    tables: {
      authentications: {
        read: (found) =>
          found?.envelope !== undefined && 'challengeIssuedAt' in found.envelope
            ? { ...found, startedAt: found.envelope.challengeIssuedAt }
            : found,
      },
    },
  },
  'auth.token.other-context-refused/any-context': {
    policy: { tokenOfContext: () => true, permissionsSuffice: () => true },
  },
  'auth.token.other-context-refused/where-its-author-works': {
    policy: {
      tokenOfContext: (given, asked) =>
        given === asked || (given.startsWith('Nip:') && asked.startsWith('Nip:')),
    },
  },
  'auth.token.expired-refused/dated-like-the-newest': datedLikeTheNewest,
  'auth.token.expired-refused/by-the-day': {
    policy: { tokenInDates: (validUntil, now) => dayOf(now) <= dayOf(validUntil) },
  },
  'auth.token.expired-refused/an-hour-early': {
    policy: { tokenInDates: (validUntil, now) => now < validUntil - 60 * minute },
  },
  'auth.token.expired-refused/minutes-late': {
    policy: { tokenInDates: (validUntil, now) => now < validUntil + 5 * minute },
  },
  'auth.token.expired-refused/never-expires': { policy: { tokenInDates: () => true } },
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
  'auth.token.unusable-refused/revoked-works': { policy: { tokenUsable: () => true } },
  'auth.token.unusable-refused/by-its-secret': comparedBy((token) => parts(token).at(-1) ?? ''),
  'auth.token.unusable-refused/by-its-reference': comparedBy((token) => parts(token)[0] ?? ''),
  'auth.token.unusable-refused/by-reference-and-secret': comparedBy((token) =>
    [parts(token)[0], parts(token).at(-1)].join('|'),
  ),
  'auth.token.unusable-refused/by-its-first-characters': comparedBy((token) => token.slice(0, 100)),
  'auth.token.sunset/no-sunset': {
    policy: { tokenLoginOpen: () => true, tokenInDates: () => true },
  },
  'auth.token.sunset/midnight-in-utc': {
    policy: { tokenLoginOpen: (now, lastDay) => new Date(now).toISOString() < `${lastDay}T24` },
  },
  'auth.token.sunset/minutes-longer': {
    policy: {
      tokenLoginOpen: (now, lastDay) => policy.tokenLoginOpen(now - 10 * minute, lastDay),
      tokenInDates: () => true,
    },
  },
  'auth.token.sunset/for-some-months': {
    policy: {
      tokenLoginOpen: (now, lastDay) =>
        policy.tokenLoginOpen(now, lastDay) || now > sunset + 180 * day,
      tokenInDates: () => true,
    },
  },
  'auth.token.sunset/in-test-only': endsInTestOnly(),
  'auth.token.sunset/own-certificates-too': endsWithTokens(sunset, 'issued'),
  'auth.token.sunset/nameless-certificates-too': endsWithTokens(sunset, 'nameless'),
  'auth.token.sunset/documents-too': refuses(
    ['auth.xades'],
    'challenge-invalid',
    ({ now }) => !policy.tokenLoginOpen(now, '2026-12-31'),
  ),
} as const satisfies Readonly<Record<string, Mutant>>
