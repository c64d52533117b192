import { dialectOf, dialects } from '../../contract/dialects.ts'
import type { Dialect } from '../../contract/dialect.ts'
import { rateRules } from '../../contract/limits.ts'
import type { RateRuleId } from '../../contract/limits.ts'
import type { Window } from '../../contract/types.ts'
import { createClient } from '../../lib/client.ts'
import type { Client } from '../../lib/client.ts'
import { ratesIfReported } from '../../lib/flows/limits.ts'
import { drawNip } from '../../lib/identifiers/nip.ts'
import { cacheFolder } from '../../lib/node/cache-folder.ts'
import { callMemoryOf } from '../../lib/node/call-memory.ts'
import type { CallMemory } from '../../lib/node/call-memory.ts'
import { nodeCodec } from '../../lib/node/codec.ts'
import { loginAs } from '../../lib/node/context-login.ts'
import { sendToTarget } from '../../lib/node/target-send.ts'
import { ownProfile, takesOwnContexts } from '../../lib/node/target.ts'
import type { TargetContext, TargetProfile } from '../../lib/node/target.ts'
import { countedAs, createPlaces, paceBy, partOf } from '../../lib/pacer.ts'
import type { OwnPlaces } from '../../lib/pacer.ts'
import { rngFor } from '../../lib/random.ts'
import type { TaskAssignment } from '../../load/assignment.ts'
import type { Io } from '../io.ts'
import { usageError } from '../io.ts'
import type { LimitsOption } from '../limits.ts'
import { managementPort } from '../management-port.ts'
import { formatDuration } from '../plan/duration.ts'
import { declaresEnvironment, preflight, requireConsentToLoad, resolveTarget } from '../target.ts'
import { sleep } from '../../lib/poll.ts'

type TokenLogin = NonNullable<TaskAssignment['login']>

/** A context that is logged in. */
export interface LoadContext {
  readonly client: Client
  readonly refreshToken: string
  /** It is one of the profile of a target: others, or earlier runs, may call in it. */
  readonly shared: boolean
  /** NIP of the context: the seller of the invoices. */
  readonly seller: string
  /** A login by service token, where the context has one. */
  readonly login: TokenLogin | undefined
}

/** Calls that the limits of the target count. */
export interface CountedByTarget {
  /** Their times in a context under a rate rule, in order; those of earlier runs too. */
  readonly counted: (context: string, rule: RateRuleId) => readonly number[]
  /** Counts a call that k6 made. */
  readonly note: (context: string, rule: RateRuleId, at: number) => void
}

/** A service to load: where it is, who we are there, and what it lets us do. Its own context is the first. */
export interface LoadTarget extends LoadContext {
  /** As many as were wanted, or one where the target has no more. */
  readonly contexts: readonly LoadContext[]
  /** Thresholds in force for one rate rule; undefined when nothing limits. */
  readonly window: (rule: RateRuleId) => Window | undefined
  /** The part of these thresholds that the run may use. */
  readonly allowance: (rule: RateRuleId) => Window | undefined
  readonly profile: TargetProfile
  readonly calls: CountedByTarget
  readonly close: () => Promise<void>
}

/** Where embedded runs start, so that nothing changes its outcome when the calendar does. */
const embeddedStart = Date.parse('2026-06-15T08:00:00Z')

export interface Wanted {
  readonly target: string | undefined
  readonly seed: number
  readonly dialect?: string
  readonly limits?: LimitsOption
  /** Only reads: needs no consent. */
  readonly readsOnly?: boolean
  /** Contexts that share the load; 1 when absent. */
  readonly contexts?: number
}

/** A service that is there, and its profile. */
export interface Place {
  readonly profile: TargetProfile
  /** The limits in force are those of the contract times the factor of the environment. */
  readonly limited: boolean
  readonly close: () => Promise<void>
}

const embedded = async (wanted: Wanted): Promise<Place> => {
  const { startServer } = await import('../../reference/server/server.ts')
  const server = await startServer({
    host: '127.0.0.1',
    port: 0,
    managementPort: 0,
    seed: wanted.seed,
    startAt: embeddedStart,
    dedicated: true,
    ...(wanted.dialect === undefined ? {} : { dialect: wanted.dialect }),
    limits: wanted.limits ?? 'off',
  })
  return {
    profile: ownProfile(server.profile),
    limited: wanted.limits !== undefined && wanted.limits !== 'off',
    close: () => server.close(),
  }
}

const remote = async (target: string, wanted: Wanted, io: Io): Promise<Place> => {
  const profile = await resolveTarget(
    { target, ...(wanted.dialect === undefined ? {} : { dialect: wanted.dialect }) },
    io,
  )
  // What nobody declared counts as production unless it shows otherwise: that it shows nothing matters first.
  const isDeclared = declaresEnvironment(target, io)
  if (!isDeclared) await preflight(profile)
  if (wanted.readsOnly !== true) requireConsentToLoad(profile)
  if (isDeclared) await preflight(profile)
  return {
    profile,
    limited: wanted.limits !== 'off',
    close: () => Promise.resolve(),
  }
}

/** The service to load: the embedded reference, or a target whose operator agreed. */
export const openPlace = (wanted: Wanted, io: Io): Promise<Place> =>
  wanted.target === undefined ? embedded(wanted) : remote(wanted.target, wanted, io)

/**
 * New contexts at a management port, so that no earlier run counts. Otherwise those of the profile; more by self-signed
 * seals where the environment takes them and no consent excludes them.
 */
const contextsOf = async (
  profile: TargetProfile,
  { target, seed, contexts: wanted = 1 }: Wanted,
): Promise<readonly TargetContext[]> => {
  const { contexts = [] } = profile
  const port = target === undefined ? undefined : managementPort(profile)
  try {
    const create = port?.newContext
    if (create !== undefined) return await Promise.all(Array.from({ length: wanted }, create))
  } finally {
    port?.close()
  }
  const pool = contexts.filter(({ kind }) => kind === 'Nip')
  const rng = rngFor({ seed, rule: 'load' })
  const derived = (): TargetContext => ({ kind: 'Nip', value: drawNip(rng) })
  const mayDerive = takesOwnContexts(profile)
  if (pool.length === 0 && !mayDerive)
    throw usageError(
      'expected a context of the kind Nip in the profile, received none; add one with a credential to `contexts`',
    )
  const count = pool.length >= wanted || mayDerive ? wanted : 1
  return Array.from({ length: count }, (_, at) => pool[at] ?? derived())
}

const logIn = async (
  anonymous: Client,
  context: TargetContext,
): Promise<Omit<LoadContext, 'shared'>> => {
  const { value: seller, token } = context
  const { accessToken, refreshToken } = await loginAs(anonymous, context)
  return {
    client: anonymous.with({ bearer: accessToken, context: `Nip ${seller}` }),
    refreshToken,
    seller,
    login: token === undefined ? undefined : { context: { type: 'Nip', value: seller }, token },
  }
}

/** A wait that is longer than this is not silent, ms. */
const silentMs = 15_000

const sleepAloud =
  (io: Io) =>
  (ms: number): Promise<void> => {
    if (ms > silentMs) io.err(`waiting ${formatDuration(ms)} for room within the limits\n`)
    return sleep(ms)
  }

/** What the target counts: calls of this process, those of k6, and those of runs before. */
const countedBy = (
  places: OwnPlaces,
  memory: CallMemory | undefined,
  dialect: Dialect,
): CountedByTarget & { readonly keep: () => void } => {
  const ofK6 = new Map<string, number[]>()
  const keyOf = (context: string, rule: RateRuleId) => `${context} ${countedAs(rule, dialect)}`
  return {
    counted(context, rule) {
      const key = keyOf(context, rule)
      return places.counted()[key] ?? memory?.earlier[key] ?? []
    },
    note(context, rule, at) {
      const key = keyOf(context, rule)
      ofK6.set(key, [...(ofK6.get(key) ?? []), at])
    },
    keep() {
      for (const calls of [places.counted(), Object.fromEntries(ofK6)]) memory?.keep(calls)
    },
  }
}

/** Opens the service to load and logs in there. */
export const loadTarget = async (wanted: Wanted, io: Io): Promise<LoadTarget> => {
  const place = await openPlace(wanted, io)
  const { profile } = place
  const { pacingShare = 1 } = profile
  const dialect = dialectOf(profile.dialect ?? 'svc') ?? dialects.svc
  const sender = sendToTarget(profile, {
    dialect,
    ...(wanted.readsOnly === true ? {} : { work: 'load' }),
  })
  const memory = place.limited ? callMemoryOf(profile, cacheFolder(io.env)) : undefined
  const places = createPlaces({ now: Date.now, ...(memory && { earlier: memory.earlier }) })
  const anonymous = createClient({
    send: sender.send,
    baseUrl: profile.url,
    dialect,
    codec: nodeCodec,
    ...(place.limited ? { pace: paceBy(places, { now: Date.now, sleep: sleepAloud(io) }) } : {}),
    rateFactor: pacingShare,
  })
  const calls = countedBy(places, memory, dialect)
  const contexts: LoadContext[] = []
  for (const context of await contextsOf(profile, wanted))
    contexts.push({
      ...(await logIn(anonymous, context)),
      shared: wanted.target !== undefined && profile.contexts?.includes(context) === true,
    })
  const [first] = contexts
  if (first === undefined) throw new Error('a target without a context')
  const table: Readonly<Record<string, Window>> =
    typeof wanted.limits === 'object'
      ? wanted.limits
      : place.limited
        ? await ratesIfReported(first.client)
        : {}
  const windowOf = (rule: RateRuleId): Window | undefined => {
    if (!place.limited) return undefined
    // Production's limits are legal everywhere: a test environment is at least as wide.
    return table[rule] ?? dialect.rates[rule] ?? rateRules[rule].window
  }
  return {
    ...first,
    contexts,
    profile,
    window: windowOf,
    allowance: (rule) => {
      const window = windowOf(rule)
      return window && partOf(window, pacingShare)
    },
    calls,
    close: async () => {
      calls.keep()
      sender.close()
      await place.close()
    },
  }
}
