import { createHash } from 'node:crypto'
import type { OperationId } from '../../../contract/endpoints.ts'
import type { RefusalId } from '../../../contract/errors.ts'
import { publicRate } from '../../../contract/limits.ts'
import { Refused } from '../../base/refusals.ts'
import { policy } from '../../policy/policy.ts'
import {
  countedByAddress,
  freedByRedemption,
  knownAtItsAddress,
  lookedAtWhenDone,
  renewedByAnAttempt,
  spentForAMinute,
  spentTooLate,
} from '../challenges.ts'
import { onOneDay } from '../lifetimes.ts'
import type { Mutant } from '../mutant.ts'
import {
  accepts,
  behindLogin,
  bodies,
  changesWhereRefused,
  refuses,
  refusesOtherSchemes,
  refusesTokens,
} from '../rewrite.ts'
import { challengeIn, logIn } from '../signed-documents.ts'
import { minute } from '../spans.ts'

/** A refused attempt uses its challenge up: any, or one that is refused in this way. */
const usesUp = (operation: 'auth.xades' | 'auth.token', refusal?: RefusalId): Mutant =>
  changesWhereRefused([operation], ({ service, bytes, body }, error) => {
    const { challenges } = service.state
    const found = challenges.get(challengeIn(bytes, body))
    const isMeant = refusal === undefined || (error instanceof Refused && error.id === refusal)
    if (found !== undefined && isMeant) challenges.put({ ...found, spent: true })
  })

/** The limit of an address is wider after an operation, until another one of some is called. */
const widerAfter = (operation: OperationId, among: RegExp): Mutant => {
  let isWide = false
  return {
    call(call, next) {
      if (call.operation === operation) isWide = true
      else if (among.test(call.operation)) isWide = false
      return next(call)
    },
    policy: {
      publicThresholds: (perSecond) => [
        { span: 1_000, maximum: isWide ? 2 * perSecond : perSecond },
      ],
    },
  }
}

/** A challenge is spent for the context that it authenticated in, and for no other. */
const oncePerContext = (): Mutant => {
  const spent = new Set<string>()
  return {
    at: ['auth.xades'],
    call(call, next) {
      const text = Buffer.from(call.bytes).toString()
      const value = challengeIn(call.bytes, call.body)
      const use = `${value} ${/<ContextIdentifier>.*?<\/ContextIdentifier>/s.exec(text)?.[0] ?? ''}`
      const { challenges } = call.service.state
      const found = challenges.get(value)
      if (found !== undefined && !spent.has(use)) challenges.put({ ...found, spent: false })
      spent.add(use)
      return next(call)
    },
  }
}

/** Calls are counted by what a header says. */
const countedBy = (header: 'authorization' | 'x-forwarded-for'): Mutant => ({
  exchange: (running, next) =>
    next({ ...running, address: running.headers[header] ?? running.address }),
})

/** A challenge of which only so many are different. */
const drawnFrom = (many: number, challenge: string): string => {
  const drawn = createHash('sha256').update(challenge).digest().readUInt32BE() % many
  const hex = createHash('sha256').update(String(drawn)).digest('hex').toUpperCase()
  return `${challenge.slice(0, 12)}${hex.slice(0, 10)}-${hex.slice(10, 20)}-${hex.slice(20, 22)}`
}

/** Challenges end with the day on which they were issued. */
const untilMidnight = (calendar: keyof typeof onOneDay): Mutant => ({
  policy: {
    challengeAlive: (issuedAt, now, lifetime) =>
      onOneDay[calendar](issuedAt, now) && policy.challengeAlive(issuedAt, now, lifetime),
  },
})

/** Defects of challenges. */
export const authChallengeMutants = {
  'auth.challenge.public/behind-login': behindLogin('auth.challenge'),
  'auth.challenge.public/looks-at-a-token': refusesTokens('auth.challenge'),
  'auth.challenge.public/not-to-the-logged-in': refuses(
    ['auth.challenge'],
    'wrong-token',
    ({ headers }) => /\.eyJ[^.]{99}/.test(headers['authorization'] ?? ''),
  ),
  'auth.challenge.public/two-instants': bodies<{ readonly timestampMs: number }>(
    ['auth.challenge'],
    ({ timestampMs }) => ({ timestampMs: timestampMs - 1000 }),
  ),
  'auth.challenge.individual/always-the-same': bodies(['auth.challenge'], {
    challenge: '20260615-CR-0000000000-0000000000-7D',
  }),
  'auth.challenge.individual/of-twelve-bits': bodies<{ readonly challenge: string }>(
    ['auth.challenge'],
    ({ challenge }) => ({ challenge: drawnFrom(4096, challenge) }),
  ),
  'auth.challenge.ten-minutes/looked-at-when-done': lookedAtWhenDone(),
  'auth.challenge.ten-minutes/at-its-address-only': knownAtItsAddress(),
  'auth.challenge.ten-minutes/signed-minutes-ago': {
    policy: { signingTimeFits: (signedAt, now) => now - signedAt < 5 * minute },
  },
  'auth.challenge.ten-minutes/lives-on': { policy: { challengeAlive: () => true } },
  'auth.challenge.ten-minutes/dies-early': {
    policy: { challengeAlive: (issuedAt, now, lifetime) => now - issuedAt <= lifetime * 500 },
  },
  'auth.challenge.ten-minutes/until-midnight-in-Warsaw': untilMidnight('Warsaw'),
  'auth.challenge.ten-minutes/until-midnight-in-UTC': untilMidnight('UTC'),
  'auth.challenge.ten-minutes/forgotten-by-the-next': {
    tables: {
      challenges: {
        write(next, before, { challenges }) {
          for (const { value, issuedAt } of challenges.values())
            if (before === undefined && issuedAt + 300_000 < next.issuedAt) challenges.delete(value)
          return next
        },
      },
    },
  },
  'auth.challenge.ten-minutes/refused-document-uses-up': usesUp('auth.xades'),
  'auth.challenge.ten-minutes/refused-token-uses-up': usesUp('auth.token'),
  'auth.challenge.ten-minutes/unknown-key-uses-up': usesUp('auth.token', 'public-key-unknown'),
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
  'auth.challenge.unknown-refused/unknown-accepted': {
    tables: {
      challenges: {
        read: (found, value) => found ?? { value, issuedAt: Number.MAX_SAFE_INTEGER, spent: false },
      },
    },
  },
  'auth.challenge.unknown-refused/check-characters-ignored': {
    tables: {
      challenges: {
        read: (found, value, { challenges }) =>
          found ??
          [...challenges.values()].find(
            (other) => other.value.slice(0, -2) === value.slice(0, other.value.length - 2),
          ),
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
  'auth.challenge.single-use/reusable': { policy: { challengeUnused: () => true } },
  'auth.challenge.single-use/by-two-tokens-at-once': spentTooLate(),
  'auth.challenge.single-use/for-a-minute': spentForAMinute(),
  'auth.challenge.single-use/freed-by-the-redemption': freedByRedemption(),
  'auth.challenge.single-use/once-per-context': oncePerContext(),
  'auth.challenge.single-use/reusable-by-token': {
    at: ['auth.token'],
    policy: { challengeUnused: () => true },
  },
  'auth.challenge.single-use/freed-by-a-refusal': {
    at: ['auth.xades', 'auth.token'],
    tables: {
      challenges: {
        read(found, _key, { challenges }) {
          if (found?.spent === true) challenges.put({ ...found, spent: false })
          return found
        },
      },
    },
  },
  'auth.challenge.single-use/reusable-by-document': {
    at: ['auth.xades'],
    policy: { challengeUnused: () => true },
  },
  'auth.challenge.address-limit/limit-doubled': {
    policy: { publicThresholds: (perSecond) => [{ span: 1_000, maximum: 2 * perSecond }] },
  },
  'auth.challenge.address-limit/wider-beside-a-wide-context': widerAfter(
    'testdata.setRateLimits',
    /RateLimits$/,
  ),
  'auth.challenge.address-limit/wider-once-attempted': widerAfter('auth.xades', /^auth.redeem/),
  'auth.challenge.address-limit/of-every-address': {
    policy: { publicRateKey: (_address, operation) => operation },
  },
  'auth.challenge.address-limit/of-all-public-calls': {
    policy: { publicRateKey: (address) => address },
  },
  'auth.challenge.address-limit/of-the-bearer': countedBy('authorization'),
  'auth.challenge.address-limit/of-the-stated-address': countedBy('x-forwarded-for'),
  'auth.challenge.address-limit/seconds-of-the-clock': {
    policy: {
      roomIn: (log, threshold, now, decisions) =>
        policy.roomIn(
          log,
          threshold,
          now,
          threshold.span === 1_000 && threshold.maximum === publicRate.perSecond
            ? { ...decisions, callCounts: (at) => at >= Math.floor(now / 1_000) * 1_000 }
            : decisions,
        ),
    },
  },
  'auth.challenge.client-address/client-address-fixed': bodies(['auth.challenge'], {
    clientIp: '10.0.0.1',
  }),
  'auth.challenge.client-address/as-stated': bodies(['auth.challenge'], (_body, { headers }) =>
    headers['x-forwarded-for'] === undefined ? {} : { clientIp: headers['x-forwarded-for'] },
  ),
  'auth.challenge.public/other-schemes-refused': refusesOtherSchemes('auth.challenge'),
  'auth.challenge.individual/counted-by-address': countedByAddress(),
  'auth.challenge.ten-minutes/renewed-by-an-attempt': renewedByAnAttempt,
  'auth.challenge.unknown-refused/references-too': accepts(
    ['auth.xades'],
    ['challenge-invalid', 'document-schema'],
    (call) =>
      call.service.state.authentications.get(challengeIn(call.bytes, call.body)) === undefined
        ? undefined
        : logIn(call),
  ),
  'auth.challenge.individual/spent-ones-again': bodies<{ readonly challenge: string }>(
    ['auth.challenge'],
    ({ challenge }, { service, now }) => ({
      challenge:
        [...service.state.challenges.values()].find(
          ({ spent, issuedAt }) => spent && now - issuedAt > minute / 2,
        )?.value ?? challenge,
    }),
  ),
} as const satisfies Readonly<Record<string, Mutant>>
