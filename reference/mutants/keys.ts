import { environments, tokensUntil } from '../../contract/environments.ts'
import { policy } from '../policy/policy.ts'
import type { Mutant } from './mutant.ts'
import {
  answers,
  behindLogin,
  refuses,
  refusesOtherSchemes,
  refusesTokens,
  succeeds,
} from './rewrite.ts'
import {
  allWithTheFirst,
  dateOfItsPredecessor,
  oneEarlierKey,
  openedBefore,
  otherUsageLost,
  packagesLost,
  tokensByOneName,
  withdrawnTogether,
  withdrawsAll,
} from './rotations.ts'
import { day } from './spans.ts'

interface Listed {
  readonly usage: readonly string[]
  readonly certificate: string
  readonly validFrom: string
  readonly validTo: string
}

/** Entries with other fields. */
const listed = (change: object | ((key: Listed) => object)): Mutant =>
  answers(['keys.list'], (answer) => ({
    ...answer,
    body: (answer.body as readonly Listed[]).map((key) => ({
      ...key,
      ...(typeof change === 'function' ? (change as (key: Listed) => object)(key) : change),
    })),
  }))

/** Entries that a rotation made, with other fields. */
const rotated = (change: object): Mutant => {
  let first = Infinity
  return listed(({ validFrom }: Listed) => {
    first = Math.min(first, Date.parse(validFrom))
    return Date.parse(validFrom) > first ? change : {}
  })
}

/** A withdrawn key still works for requests that name it. */
const withdrawnByName = (): Mutant => {
  let isNamed = false
  return {
    call(call, next) {
      isNamed =
        typeof (call.body as { publicKeyId?: unknown } | undefined)?.publicKeyId === 'string'
      return next(call)
    },
    policy: {
      keyLive: (from, to, withdrawn, at) =>
        policy.keyLive(from, to, isNamed ? undefined : withdrawn, at),
    },
  }
}

/** After a key is withdrawn, the symmetric keys that were in use no longer decrypt. */
const withdrawsOpened = (): Mutant => {
  const seen = new Set<string>()
  const lost = new Set<string>()
  const withdrawals = new Set<number>()
  return {
    policy: {
      keyLive(from, to, withdrawn, at) {
        if (withdrawn !== undefined && withdrawn <= at && !withdrawals.has(withdrawn)) {
          withdrawals.add(withdrawn)
          for (const key of seen) lost.add(key)
          seen.clear()
        }
        return policy.keyLive(from, to, withdrawn, at)
      },
      decryptContent(key, iv, bytes) {
        const name = Buffer.from(key).toString('hex')
        seen.add(name)
        return lost.has(name) ? undefined : policy.decryptContent(key, iv, bytes)
      },
    },
  }
}

/** Operations that open nothing that was encrypted with an earlier key. */
const newKeyAlone: Mutant['policy'] = {
  keyLive: (from, to, withdrawn, at) =>
    policy.keyLive(from, to, withdrawn, at) && withdrawn === undefined,
}

const daysLater = (instant: string, days: number): string =>
  new Date(Date.parse(instant) + days * 24 * 3600 * 1000).toISOString()

/** The entries of keys, changed by what the service knows of each. */
const changedBy = (
  rewrite: (entry: Listed, key: { readonly withdrawnFrom?: number | undefined }) => object,
): Mutant =>
  answers(['keys.list'], (answer, { service: { keys, policy: decisions }, now }) => ({
    ...answer,
    body: keys
      .published(decisions, now)
      .map((key, at) => rewrite((answer.body as readonly Listed[])[at]!, key)),
  }))

/** Time until a new key has reached every part of a service, ms. */
const settling = 60_000

/** What callers encrypt for. */
const encrypted = [
  'auth.token',
  'sessions.openOnline',
  'sessions.openBatch',
  'exports.create',
] as const

/** Defects of the list of public keys. */
export const keysMutants = {
  'keys.list.public/behind-login': behindLogin('keys.list'),
  'keys.list.public/looks-at-a-token': refusesTokens('keys.list'),
  'keys.list.public/other-schemes-refused': refusesOtherSchemes('keys.list'),
  'keys.list.public/rotated-without-their-start': rotated({ validFrom: null }),
  'keys.list.public/rotated-without-their-end': rotated({ validTo: undefined }),
  'keys.list.public/rotated-without-a-usage': rotated({ usage: [] }),
  'keys.list.usages/one-usage': listed({ usage: ['SymmetricKeyEncryption'] }),
  'keys.list.usages/all-usages': listed({
    usage: ['SvcTokenEncryption', 'SymmetricKeyEncryption'],
  }),
  'keys.list.usages/replaced-for-nothing': changedBy((entry, { withdrawnFrom }) => ({
    ...entry,
    ...(withdrawnFrom !== undefined && { usage: [] }),
  })),
  'keys.list.usages/withdrawn-together': withdrawnTogether(),
  'keys.list.usages/none-for-tokens-in-their-last-month': answers(
    ['keys.list'],
    (answer, { now }) =>
      now < Date.parse(tokensUntil) - 30 * day
        ? answer
        : {
            ...answer,
            body: (answer.body as readonly Listed[]).filter(
              ({ usage }) => !usage.includes('SvcTokenEncryption'),
            ),
          },
  ),
  'keys.list.usages/three-newest': answers(['keys.list'], (answer) => ({
    ...answer,
    body: (answer.body as readonly Listed[]).slice(-3),
  })),
  'keys.list.usages/none-for-tokens-to-the-logged-in': answers(['keys.list'], (answer, call) => ({
    ...answer,
    body: (answer.body as readonly Listed[]).filter(
      ({ usage }) =>
        call.headers['authorization'] === undefined || usage.includes('SymmetricKeyEncryption'),
    ),
  })),
  'keys.list.certificates-parse/other-dates': listed(({ validFrom, validTo }) => ({
    validFrom: daysLater(validFrom, -1),
    validTo: daysLater(validTo, 1),
  })),
  'keys.list.certificates-parse/in-base64url': listed(({ certificate }) => ({
    certificate: Buffer.from(certificate, 'base64').toString('base64url'),
  })),
  'keys.list.certificates-parse/ends-with-the-overlap': changedBy((entry, { withdrawnFrom }) => ({
    ...entry,
    ...(withdrawnFrom !== undefined && { validTo: new Date(withdrawnFrom).toISOString() }),
  })),
  'keys.list.certificates-parse/start-of-its-predecessor': dateOfItsPredecessor('validFrom'),
  'keys.list.certificates-parse/end-of-its-predecessor': dateOfItsPredecessor('validTo'),
  'keys.list.certificates-parse/id-of-nothing': listed({
    certificateId: '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
  }),
  'keys.list.certificates-parse/of-the-authority': answers(
    ['keys.list'],
    (answer, { service: { keys } }) => ({
      ...answer,
      body: (answer.body as readonly Listed[]).map((key) => ({
        ...key,
        certificate: keys.authority.certificate,
      })),
    }),
  ),
  'keys.rotation.served/other-usage-lost': otherUsageLost,
  'keys.rotation.served/tokens-by-the-new-name-only': tokensByOneName('earlier'),
  'keys.rotation.served/tokens-by-the-earlier-name-only': tokensByOneName('new'),
  'keys.rotation.served/packages-lost': packagesLost(),
  'keys.rotation.served/withdraws-all': withdrawsAll,
  'keys.rotation.served/named-as-the-first': answers(['keys.list'], (answer) => {
    const keys = answer.body as readonly { usage: readonly string[]; publicKeyId: string }[]
    const first = (usage: string) => keys.find((key) => key.usage.includes(usage))?.publicKeyId
    return { ...answer, body: keys.map((key) => ({ ...key, publicKeyId: first(key.usage[0]!) })) }
  }),
  'keys.rotation.served/new-key-not-known-by-its-id': refuses(
    ['sessions.openOnline', 'sessions.openBatch', 'exports.create'],
    'public-key-unknown',
    ({ body, service: { keys }, now }) => {
      const { publicKeyId } = body as { readonly publicKeyId?: unknown }
      const [newest, ...earlier] = keys
        .published(policy, now)
        .filter(({ usage }) => usage.includes('SymmetricKeyEncryption'))
        .toSorted((one, other) => other.validFrom - one.validFrom)
      return earlier.length > 0 && publicKeyId === newest?.publicKeyId
    },
  ),
  'keys.rotation.served/withdrawn-tokens-by-name': { at: ['auth.token'], ...withdrawnByName() },
  'keys.rotation.served/withdraws-what-was-opened': withdrawsOpened(),
  'keys.rotation.served/sessions-opened-before': openedBefore('sessions.openOnline'),
  'keys.rotation.served/packages-opened-before': openedBefore('sessions.openBatch'),
  'keys.rotation.served/exports-opened-before': openedBefore('exports.create'),
  'keys.rotation.served/tokens-opened-before': openedBefore('auth.token'),
  'keys.rotation.served/withdrawn-works': { policy: { keyLive: () => true } },
  'keys.rotation.served/new-key-unlisted': {
    at: ['keys.list'],
    policy: {
      keyLive: (from, to, withdrawn, at) =>
        policy.keyLive(from, to, withdrawn, at) && at - from > settling,
    },
  },
  'keys.rotation.served/new-key-not-in-use-yet': {
    at: encrypted,
    policy: {
      keyLive: (from, to, withdrawn, at) =>
        policy.keyLive(from, to, withdrawn, at) && at - from > settling,
    },
  },
  'keys.rotation.served/no-overlap': {
    at: encrypted,
    policy: newKeyAlone,
  },
  'keys.rotation.served/one-earlier-key': oneEarlierKey(),
  'keys.rotation.served/tokens-lose-every-key': { at: ['auth.token'], ...allWithTheFirst() },
  'keys.rotation.served/no-overlap-of-packages': {
    at: ['sessions.openBatch'],
    policy: newKeyAlone,
  },
  'keys.rotation.served/no-overlap-of-exports': { at: ['exports.create'], policy: newKeyAlone },
  'keys.list.previous-version-absent/previous-version-there': succeeds('unknown-path', (path) =>
    /public-?key/i.test(path),
  ),
  'keys.list.previous-version-absent/single-key-there': succeeds('unknown-path', (path) =>
    /\/security\/public-?key$/i.test(path),
  ),
  'keys.list.previous-version-absent/key-as-pem-there': succeeds('unknown-path', (path) =>
    /\/security\/public-?key\/pem$/i.test(path),
  ),
  'keys.list.previous-version-absent/common-key-there': succeeds('unknown-path', (path) =>
    /\/common\/public-?key$/i.test(path),
  ),
  'keys.list.previous-version-absent/to-the-logged-in': {
    exchange: (running, next) =>
      /\/(security|common)\/public-?key/i.test(running.path) &&
      !running.path.endsWith('certificates') &&
      running.headers['authorization'] !== undefined
        ? new Response(null, { status: 200 })
        : next(running),
  },
  'keys.list.production-calendar/one-usage': answers(['keys.list'], (answer, { service }) =>
    service.environment.id === 'production'
      ? { ...answer, body: (answer.body as readonly Listed[]).slice(0, 1) }
      : answer,
  ),
  'keys.list.production-calendar/for-some-months': {
    policy: {
      keysListedFrom: (first, at) =>
        policy.keysListedFrom(first, at) &&
        (first < Date.parse(environments.production.keysFrom) || at < first + 100 * day),
    },
  },
  'keys.list.production-calendar/demo-keeps-the-calendar': {
    policy: { keysListedFrom: (_first, at) => at >= Date.parse(environments.production.keysFrom) },
  },
  'keys.list.production-calendar/not-in-the-first-month-of-a-year': {
    policy: {
      keysListedFrom: (first, at) =>
        policy.keysListedFrom(first, at) && new Date(at).getUTCMonth() > 0,
    },
  },
  'keys.list.production-calendar/from-the-same-hour-of-the-day': {
    policy: {
      keysListedFrom: (first, at) =>
        policy.keysListedFrom(first, at) && new Date(at).getUTCHours() !== 22,
    },
  },
  'keys.list.production-calendar/ahead-of-the-calendar': {
    policy: {
      keysListedFrom: () => true,
      keyLive: (_, validTo, withdrawnFrom, at) => policy.keyLive(at, validTo, withdrawnFrom, at),
    },
  },
} as const satisfies Readonly<Record<string, Mutant>>
