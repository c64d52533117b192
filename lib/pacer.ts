import { publicRate, rateRules } from '../contract/limits.ts'
import type { RateRuleId } from '../contract/limits.ts'
import type { Dialect } from '../contract/dialect.ts'
import type { OperationId } from '../contract/endpoints.ts'
import type { Sleep } from './poll.ts'
import { wireOperation } from './wire.ts'
import type { Window } from '../contract/types.ts'
import { createWindows } from './windows.ts'
import type { Thresholds, Windows } from './windows.ts'

/** A call that the pacer let go: its place in the windows. */
interface Ticket {
  readonly key: string
  readonly at: number
}

/** What a target counts of a subject under a rate rule. */
export interface KnownCalls {
  /** When each call had arrived at the latest, in order. */
  readonly times: readonly number[]
  /** The end of the last block that a refusal announced: repeated refusals make it longer than the windows would. */
  readonly blockedUntil: number
}

/** Assigns places in the windows; it never waits itself, so that several processes can share one. */
export interface Places {
  /** Takes the earliest legal place for a call, which may be in the future. */
  reserve(subject: string, rule: string, thresholds: Thresholds): Ticket
  /** When this many calls can be made without waiting for the window of an hour, Unix milliseconds. */
  room(subject: string, rule: string, thresholds: Thresholds, calls: number): number
  /** What the target counts, as far as it is known. */
  known(subject: string, rule: string, thresholds: Thresholds): KnownCalls
  /** Counts a call that goes out unpaced. */
  note(subject: string, rule: string, thresholds: Thresholds): Ticket
  /** Gives a place back: its call is not made after all. */
  forget(ticket: Ticket): void
  /** The answer has arrived: the target counted the call when the call arrived, which was now at the latest. */
  answered(ticket: Ticket): void
  /** The target refused the call: it does not count, and the next one waits at least `waitMs` more. */
  refused(ticket: Ticket, waitMs: number | undefined): void
}

/** Times of calls, Unix milliseconds, by counted subject and rate rule: `Nip 5265877635 invoiceSubmit`. */
export type CountedCalls = Readonly<Record<string, readonly number[]>>

/** Places of this process. */
export interface OwnPlaces extends Places {
  /** The calls that they count. */
  counted(): CountedCalls
}

/** Keeps calls within the rate limits of a target, one set of windows per (counted subject, rate rule). */
export interface Pacer {
  /** Waits until the call is legal, and counts it. `subject` is the context, or the address for public calls. */
  wait(subject: string, rule: string, thresholds: Thresholds): Promise<Ticket>
  /** Counts a call that goes out unpaced. */
  note(subject: string, rule: string, thresholds: Thresholds): Ticket | Promise<Ticket>
  /** The answer has arrived: the target counted the call when the call arrived, which was now at the latest. */
  answered(ticket: Ticket): void | Promise<void>
  /** The target refused the call: it does not count, and the next one waits at least `waitMs` more. */
  refused(ticket: Ticket, waitMs: number | undefined): void | Promise<void>
}

export interface PacerOptions {
  /** Unix milliseconds. */
  readonly now: () => number
  readonly sleep: Sleep
  /**
   * Milliseconds added to every wait. The target counts when a request arrives, not when it was sent, so calls that
   * were sent exactly one window apart may arrive a little closer.
   */
  readonly marginMs?: number
}

/** Places for one target, of all callers that share an address. `earlier`: calls that the target counts already. */
export function createPlaces({
  now,
  marginMs = 100,
  earlier = {},
}: Pick<PacerOptions, 'now' | 'marginMs'> & { readonly earlier?: CountedCalls }): OwnPlaces {
  const all = new Map<string, Windows>()
  const blocked = new Map<string, number>()
  // Windows cannot count future calls, so places are assigned in the order of time.
  const last = new Map<string, number>()

  function windowsOf(key: string, thresholds: Thresholds): Windows {
    const known = all.get(key)
    if (known !== undefined) return known
    const windows = createWindows(thresholds)
    for (const at of earlier[key] ?? []) windows.count(at)
    all.set(key, windows)
    return windows
  }

  return {
    reserve(subject, rule, thresholds) {
      const key = `${subject} ${rule}`
      const windows = windowsOf(key, thresholds)
      const t = now()
      const earliest = Math.max(t, blocked.get(key) ?? t)
      const ahead = last.get(key) ?? t
      const free = windows.nextFree(Math.max(earliest, ahead))
      const at = free > Math.max(t, ahead) ? free + marginMs : free
      windows.count(at)
      last.set(key, at)
      return { key, at }
    },
    room(subject, rule, thresholds, calls) {
      const at = windowsOf(`${subject} ${rule}`, thresholds).roomFor(now(), calls)
      return at > now() ? at + marginMs : at
    },
    known(subject, rule, thresholds) {
      const key = `${subject} ${rule}`
      return { times: windowsOf(key, thresholds).times(), blockedUntil: blocked.get(key) ?? 0 }
    },
    note(subject, rule, thresholds) {
      const key = `${subject} ${rule}`
      const at = now()
      windowsOf(key, thresholds).count(at)
      return { key, at }
    },
    forget({ key, at }) {
      all.get(key)?.forget(at)
      if (last.get(key) === at) last.delete(key)
    },
    answered({ key, at }) {
      const windows = all.get(key)
      if (windows === undefined) return
      windows.forget(at)
      windows.count(Math.max(at, now()))
    },
    counted: () => Object.fromEntries([...all].map(([key, windows]) => [key, windows.times()])),
    refused({ key, at }, waitMs) {
      all.get(key)?.forget(at)
      if (waitMs !== undefined) blocked.set(key, Math.max(blocked.get(key) ?? 0, now() + waitMs))
    },
  }
}

/** Places, perhaps of another process. */
export type SharedPlaces = {
  readonly [Name in keyof Places]: (
    ...given: Parameters<Places[Name]>
  ) => ReturnType<Places[Name]> | Promise<ReturnType<Places[Name]>>
}

/** A pacer over places: it sleeps until a call's place has come. */
export const paceBy = (
  places: SharedPlaces,
  { now, sleep }: Pick<PacerOptions, 'now' | 'sleep'>,
): Pacer => ({
  async wait(...call) {
    // The place is taken before sleeping, so that concurrent calls queue up behind each other.
    const ticket = await places.reserve(...call)
    try {
      const ms = ticket.at - now()
      if (ms > 0) await sleep(ms)
    } catch (error) {
      await places.forget(ticket)
      throw error
    }
    return ticket
  },
  note: (...call) => places.note(...call),
  answered: (ticket) => places.answered(ticket),
  refused: (...refusal) => places.refused(...refusal),
})

/** A pacer for one target; share it among all clients that call from one address. */
export const createPacer = (options: PacerOptions): Pacer => paceBy(createPlaces(options), options)

/**
 * The thresholds of a rate rule in a dialect, as an environment multiplies them; undefined when the rule is
 * `unlimited`. Source: specification, Limits > Rate limits.
 */
export function thresholdsOf(rule: string, dialect: Dialect, factor = 1): Thresholds | undefined {
  if (rule === 'public') return publicRate
  if (rule === 'unlimited') return undefined
  const id = countedAs(rule, dialect) as RateRuleId
  return partOf(dialect.rates[id] ?? rateRules[id].window, factor)
}

/** Thresholds times a factor. */
export const partOf = ({ perSecond, perMinute, perHour }: Window, factor: number): Window => {
  // A window counts whole calls, and a threshold of 0 would mean waiting for ever.
  const scaled = (calls: number): number => Math.max(1, Math.floor(calls * factor))
  return {
    perSecond: scaled(perSecond),
    perMinute: scaled(perMinute),
    perHour: scaled(perHour),
  }
}

/** What the calls of an operation are counted under: a rate rule, or where it has none the operation itself. */
export const counterOf = (operation: OperationId, dialect: Dialect): string => {
  const { rate } = wireOperation(operation, dialect)
  return rate === 'default' ? operation : countedAs(rate, dialect)
}

/** The rate rule under which the calls of a rule are counted: usually the rule itself. */
export const countedAs = (rule: string, dialect: Dialect): string =>
  dialect.shares?.[rule as RateRuleId] ?? rule
