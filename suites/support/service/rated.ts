import type { Dialect } from '../../../contract/dialect.ts'
import { endpoint } from '../../../contract/endpoints.ts'
import type { OperationId } from '../../../contract/endpoints.ts'
import { environments } from '../../../contract/environments.ts'
import { rateRules } from '../../../contract/limits.ts'
import type { RateRuleId } from '../../../contract/limits.ts'
import type { BodyOf } from '../../../contract/schemas.ts'
import type { Client } from '../../../lib/client.ts'
import type { CallOptions } from '../../../lib/request.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import { refreshAccess } from '../../../lib/flows/login.ts'
import { Inconclusive, expectObject, expectOk } from '../../../lib/outcome.ts'
import { parseRetryAfter, retryAfterMs } from '../../../lib/retry-after.ts'
import { countedAs, thresholdsOf } from '../../../lib/pacer.ts'
import { createWindows } from '../../../lib/windows.ts'
import type { ExceededThreshold, Thresholds, Windows } from '../../../lib/windows.ts'
import type { CheckClock } from './check-clock.ts'
import type { Me } from './contexts.ts'
import { knownFields } from '../answers/known-fields.ts'
import type { Ledger } from '../run/ledger.ts'
import type { Bench, RatedCall } from '../../../lib/node/rated-calls.ts'
import { NotOffered, notOffered } from '../run/not-offered.ts'
import { sharesContext } from '../run/own-work.ts'
import { countEarlier, countedWith } from './rated-room.ts'
import type { Target } from './target.ts'

export type WindowName = ExceededThreshold['window']

/** Who calls, and how access is renewed. */
type Caller = Pick<Me, 'api' | 'refreshToken' | 'accessValidUntil'>

/** Calls against one rate rule, beside the exact oracle of what that rule lets through. */
export interface Rated<M extends Caller = Me> {
  readonly me: M
  readonly operation: OperationId
  readonly options: CallOptions
  readonly thresholds: Required<Thresholds>
  /** Knows every call that was let through. */
  readonly windows: Windows
  /** Makes one call now, whether or not there is room for it; `make` replaces the usual call. */
  readonly call: (make?: () => Promise<Exchange>) => Promise<Exchange>
  /** As many calls as the rule lets through at this moment. */
  readonly takeAll: () => Promise<Exchange[]>
  /**
   * Calls as early as the rule lets them through, until one window is full and the shorter ones are empty again: the
   * next call exceeds that window alone. Stops at the first call that is refused.
   */
  readonly fill: (window: WindowName) => Promise<Exchange[]>
}

export const isLimited = ({ status }: Exchange): boolean => status === 429

/** How many calls were refused because of the rate limits. */
export const limitedOf = (answers: readonly Exchange[]): number => answers.filter(isLimited).length

/**
 * Makes calls that together exceed a limit of one second.
 * @throws {Inconclusive} when none was refused, but the clock reached the next second meanwhile
 */
export const exceedSecond = async (
  now: () => number,
  makeCalls: () => Promise<Exchange[]>,
): Promise<Exchange[]> => {
  const begun = now()
  const answers = await makeCalls()
  if (limitedOf(answers) === 0 && now() - begun >= 1000)
    throw new Inconclusive(...tooSlow(answers.length), answers.at(-1))
  return answers
}

const tooSlow = (calls: number) =>
  ['exceed a limit of one second', `${calls} answers within a second`] as const

/**
 * Waits until the public limit of an address is free again: all checks share the address, and the next one must not
 * meet a block that another check caused.
 */
export const untilFree = (
  api: Client,
  answers: readonly Exchange[],
  now: () => number,
): Promise<void> =>
  api.sleep(
    Math.max(
      1_000,
      ...answers
        .filter(isLimited)
        .map(({ headers }) => retryAfterMs(headers['retry-after'], now()) ?? 0),
    ),
  )

// How long the shorter windows take to empty, and a millisecond, so that nothing rests on the boundary.
const settleMs: Readonly<Record<WindowName, number>> = { second: 0, minute: 1_001, hour: 60_001 }

/** The rate limits that a target reports for the context of a caller. */
export const reportedRates = async (api: Client): Promise<BodyOf<'RateLimits'>> =>
  knownFields(expectObject(await api.call('limits.rates'), 'read the rate limits'), 'RateLimits')

/** Maximum number of calls that a check may make to use up a limit. */
const maxCalls = 20_000

/**
 * The thresholds of a rule that are in force for a context: those of production if they were set for it, otherwise
 * those that the target reports, since a test environment has only approximately a multiple of production's.
 */
const inForce = async (
  rule: string,
  { dialect, environment }: RatedTools['target'],
  api: Client,
  production: boolean,
): Promise<Required<Thresholds>> => {
  const { rateFactor } = { ...environments[environment], ...dialect.environments?.[environment] }
  const expected = thresholdsOf(rule, dialect, production ? 1 : rateFactor) as Required<Thresholds>
  if (production || !(rule in rateRules)) return expected
  const { body } = await api.call('limits.rates')
  const { perSecond, perMinute, perHour } = {
    ...expected,
    ...(body as Partial<Record<string, Thresholds>> | undefined)?.[countedAs(rule, dialect)],
  }
  const all = [perSecond, perMinute, perHour]
  if (!all.every((calls) => Number.isInteger(calls) && calls > 0 && calls <= maxCalls))
    throw new NotOffered(`the target reports limits of ${all.join(', ')} calls, none to be reached`)
  return { perSecond, perMinute, perHour }
}

/**
 * Puts a context under production's limits, if the target can simulate them.
 * @returns whether it could
 */
export const simulateProduction = async (
  target: Pick<Target, 'has'>,
  { api }: Pick<Me, 'api'>,
): Promise<boolean> => {
  if (!target.has('testdata')) return false
  expectOk(await api.call('testdata.productionRateLimits'), "set production's rate limits")
  return true
}

/** Calls that no check makes. */
const plenty = 100_000

/** Limits that are never reached. */
export const wide = { perSecond: plenty, perMinute: plenty, perHour: plenty }

/**
 * Sets rate limits of a context: the given ones, and for every other rule one that is never reached.
 * @throws {Inconclusive} when that is refused
 */
export const setRates = async (
  api: Client,
  rates: Partial<Record<RateRuleId, Required<Thresholds>>>,
): Promise<void> => {
  const others = Object.fromEntries(Object.keys(rateRules).map((id) => [id, wide]))
  const body = { rateLimits: { ...others, ...rates } }
  expectOk(await api.call('testdata.setRateLimits', { body }), 'set rate limits of the context')
}

/** The rows of the rate table that count for themselves in a dialect. */
export const ownRows = ({ shares }: Pick<Dialect, 'shares'>): RateRuleId[] =>
  (Object.keys(rateRules) as RateRuleId[]).filter((id) => shares?.[id] === undefined)

export interface RatedTools {
  readonly target: Pick<Target, 'management' | 'dialect' | 'environment' | 'has' | 'now' | 'room'>
  readonly ledger: Pick<Ledger, 'exchanges'>
  readonly clock: Omit<CheckClock, 'restore'>
  readonly bench: Omit<Bench, 'api'>
}

/** The client of a caller, with access that does not end within a minute. */
export const keepAccess = (me: Caller, now: () => number): (() => Promise<Client>) => {
  let { api, accessValidUntil = Number.POSITIVE_INFINITY } = me
  return async () => {
    if (accessValidUntil - now() <= 60_000) {
      const fresh = await refreshAccess(api, me.refreshToken)
      api = api.with({ ...api.identity, bearer: fresh.accessToken })
      accessValidUntil = fresh.accessValidUntil ?? Number.POSITIVE_INFINITY
    }
    return api
  }
}

/**
 * Where a program besides this run calls in a shared context, its calls count too: a refusal of a call that had room
 * says nothing.
 * @throws {NotOffered} then
 */
const expectOwnCount = (answers: readonly Exchange[]): void => {
  if (sharesContext() && answers.some(isLimited))
    throw notOffered('fresh', 'calls of other checks fill the limit')
}

/** Prepares the calls of a rule for a caller that has logged in; stops the clock. */
export const prepareRated = async <M extends Caller>(
  tools: RatedTools,
  me: M,
  { operation, prepare }: RatedCall,
): Promise<Rated<M>> => {
  const { target, ledger, clock } = tools
  const production = await simulateProduction(target, me)
  const begun = ledger.exchanges.length
  const options = await prepare({ ...tools.bench, api: me.api })
  const thresholds = await inForce(endpoint(operation).rate, target, me.api, production)
  const ticks = target.management === undefined
  // No call of the preparation is still within the second.
  if (ticks) await clock.still()
  const windows = createWindows(thresholds)
  const prepared = countedWith(operation, target.dialect, ledger.exchanges.slice(begun))
  await countEarlier(target, me.api, operation, { windows, thresholds, prepared })
  const access = keepAccess(me, clock.now)
  /** Where the clock ticks: how often the check had waited when it filled the second. */
  let fullAfter: number | undefined
  const send = async () => (await access()).call(operation, { ...options, pace: false })
  const together = async (calls: number) => {
    await access()
    return Promise.all(Array.from({ length: calls }, send))
  }
  const fillUp = () => {
    const now = clock.now()
    let room = 0
    while (windows.admit(now)) room += 1
    return together(room)
  }
  const takeAll = async () => {
    const answers = await fillUp()
    expectOwnCount(answers)
    return answers
  }
  /** A call together with those that fill the second: one of them is refused if they arrive within it. */
  const atOnce = async (make: () => Promise<Exchange>): Promise<Exchange> => {
    await clock.still()
    const filling = fillUp()
    const onlySecond = windows.exceeded(clock.now())?.window === 'second'
    const answers = (await Promise.all([make().then((answer) => [answer]), filling])).flat()
    const refused = answers.find(isLimited)
    if (onlySecond && refused !== undefined) return refused
    if (!onlySecond && sharesContext()) throw notOffered('fresh', 'other calls leave no room')
    throw new Inconclusive(...tooSlow(answers.length), answers[0])
  }
  return {
    me,
    operation,
    options,
    thresholds,
    windows,
    async call(make = send) {
      await access()
      const sent = clock.now()
      const answer = await make()
      // Where the clock ticks, the service may have received it when there was room again.
      const unsure = !isLimited(answer) && fullAfter === clock.waits && windows.free(clock.now())
      if (windows.admit(sent)) expectOwnCount([answer])
      return unsure ? atOnce(make) : answer
    },
    takeAll,
    async fill(window) {
      const answers: Exchange[] = []
      for (;;) {
        const excess = windows.exceeded(clock.now())
        if (excess === undefined) {
          const taken = await takeAll()
          answers.push(...taken)
          // Where the clock ticks, the second may be over before all of them are answered.
          fullAfter = ticks && window === 'second' ? clock.waits : undefined
          if (taken.some(isLimited) || fullAfter !== undefined) return answers
        } else if (excess.window === window) {
          if (settleMs[window] > 0) await clock.advance(settleMs[window])
          return answers
        } else await clock.set(excess.until + 1)
      }
    },
  }
}

/** The seconds that a refusal says to wait. */
export const wholeSeconds = (refused: Exchange): number => {
  const header = parseRetryAfter(refused.headers['retry-after'])
  if (header.kind === 'seconds') return header.seconds
  throw new Inconclusive('read Retry-After', 'whole seconds', refused)
}

/** Uses up the second and calls once more: the refusal. */
export const offend = async ({ fill, call }: Pick<Rated, 'fill' | 'call'>): Promise<Exchange> => {
  if (limitedOf(await fill('second')) > 0)
    throw new Inconclusive('use up the limit per second', 'no refusal within the limits')
  return call()
}

/** A check of what a refusal is like, or of what goes on meanwhile, met none: the rules of limits say what that means. */
export const unlimited = (): NotOffered =>
  new NotOffered('the target did not refuse a call beyond its rate limits')

/**
 * Uses up the second and calls once more, for a check of what goes on meanwhile.
 * @throws {NotOffered} when that call is let through
 */
export const block = async (rated: Pick<Rated, 'fill' | 'call'>): Promise<void> => {
  if (!isLimited(await offend(rated))) throw unlimited()
}
