import { publicRate, rateRules } from '../contract/limits.ts'
import type { RateRuleId } from '../contract/limits.ts'
import type { Dialect } from '../contract/dialect.ts'
import type { Sleep } from './poll.ts'
import { createWindows } from './windows.ts'
import type { Thresholds, Windows } from './windows.ts'

/** A call that the pacer let go: its place in the windows. */
interface Ticket {
  readonly key: string
  readonly at: number
}

/** Keeps calls within the rate limits of a target, one set of windows per (counted subject, rate rule). */
export interface Pacer {
  /** Waits until the call is legal, and counts it. `subject` is the context, or the address for public calls. */
  wait(subject: string, rule: string, thresholds: Thresholds): Promise<Ticket>
  /** Counts a call that goes out unpaced. */
  note(subject: string, rule: string, thresholds: Thresholds): Ticket
  /** The answer is there: the target counted the call when it arrived, which was now at the latest. */
  answered(ticket: Ticket): void
  /** The target refused the call: it does not count, and the next one waits at least `waitMs` more. */
  refused(ticket: Ticket, waitMs: number | undefined): void
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

/** A pacer for one target; share it among all clients that call from one address. */
export function createPacer({ now, sleep, marginMs = 100 }: PacerOptions): Pacer {
  const all = new Map<string, Windows>()
  const blocked = new Map<string, number>()

  function windowsOf(key: string, thresholds: Thresholds): Windows {
    const known = all.get(key)
    if (known !== undefined) return known
    const windows = createWindows(thresholds)
    all.set(key, windows)
    return windows
  }

  return {
    async wait(subject, rule, thresholds) {
      const key = `${subject} ${rule}`
      const windows = windowsOf(key, thresholds)
      // The place is taken before sleeping, so that concurrent calls queue up behind each other.
      const t = now()
      const earliest = Math.max(t, blocked.get(key) ?? t)
      const free = windows.nextFree(earliest)
      const at = free > t ? free + marginMs : t
      windows.count(at)
      try {
        if (at > t) await sleep(at - t)
      } catch (error) {
        // The call is not made after all.
        windows.forget(at)
        throw error
      }
      return { key, at }
    },
    note(subject, rule, thresholds) {
      const key = `${subject} ${rule}`
      const at = now()
      windowsOf(key, thresholds).count(at)
      return { key, at }
    },
    answered({ key, at }) {
      const windows = all.get(key)
      if (windows === undefined) return
      windows.forget(at)
      windows.count(Math.max(at, now()))
    },
    refused({ key, at }, waitMs) {
      all.get(key)?.forget(at)
      if (waitMs !== undefined) blocked.set(key, Math.max(blocked.get(key) ?? 0, now() + waitMs))
    },
  }
}

/**
 * The thresholds of a rate rule in a dialect, as an environment multiplies them; undefined when the rule is
 * `unlimited`. Source: specification, Limits > Rate limits.
 */
export function thresholdsOf(rule: string, dialect: Dialect, factor = 1): Thresholds | undefined {
  if (rule === 'public') return publicRate
  if (rule === 'unlimited') return undefined
  const id = countedAs(rule, dialect) as RateRuleId
  const { perSecond, perMinute, perHour } = dialect.rates[id] ?? rateRules[id].window
  return {
    perSecond: perSecond * factor,
    perMinute: perMinute * factor,
    perHour: perHour * factor,
  }
}

/** The rate rule whose calls a rule's calls are counted with, as one: mostly itself. */
export const countedAs = (rule: string, dialect: Dialect): string =>
  dialect.shares?.[rule as RateRuleId] ?? rule
