import type { Outcome } from '../../../lib/outcome.ts'

/**
 * What the running check waits for, so that a check that runs out of time can say whether the target kept it waiting,
 * and so that a slow target, or a wait for room within its limits, takes no time away from the check. One check runs in
 * a worker at a time.
 */

/** The running check's time budget; Playwright's `TestInfo`. */
export interface Timed {
  readonly timeout: number
  setTimeout(ms: number): void
}

/** How much time a slow target may add to a check, ms: every check has a bound. */
const maxAdded = 240_000

/** Answers that come sooner than this add nothing, ms: a few checks make three hundred calls. */
const slowAnswer = 50

interface Wait {
  readonly what: string
  readonly since: number
}

let pending = new Set<Wait>()
let spent = 0
let busySince = 0
let lastCall = 'nothing'
let check: Timed | undefined
let added = 0
let addedUntil = 0
let roomAt = 0
let mayWait = true
let plannedMs = 0

/** What the plan of a run says of the waits of a check. */
export interface PlannedWaits {
  /** Whether it may wait long for room within the rate limits. */
  readonly mayWaitLong: boolean
  /** What the run was to take up to its end without long waits, ms. */
  readonly plannedMs: number
}

const unplanned: PlannedWaits = { mayWaitLong: true, plannedMs: 0 }

/** Called when a check starts: forgets earlier waits. */
export const startWaiting = (started: Timed, planned: PlannedWaits = unplanned): void => {
  pending = new Set()
  spent = 0
  lastCall = 'nothing'
  check = started
  added = 0
  addedUntil = 0
  roomAt = 0
  mayWait = planned.mayWaitLong
  plannedMs = planned.plannedMs
}

/** After the check, calls wait for room only briefly: the patience of the run is for checks. */
export const endPatience = (): void => {
  mayWait = false
}

/** Whether the running check may use the patience of the run. */
export const mayWaitForRoom = (): boolean => mayWait

export const plannedUntilNow = (): number => plannedMs

const addTime = (ms: number): void => check?.setTimeout(check.timeout + Math.ceil(ms))

/** A check must not run out of time because the target is slow; time that several calls wait together is added once. */
const addAnswered = (since: number): void => {
  const now = Date.now()
  if (now - since < slowAnswer) return
  const ms = Math.min(now - Math.max(since, addedUntil), maxAdded - added)
  addedUntil = now
  if (ms <= 0) return
  added += ms
  addTime(ms)
}

const waitFor = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
  const wait = { what, since: Date.now() }
  const ours = pending
  if (ours.size === 0) busySince = wait.since
  ours.add(wait)
  try {
    return await work()
  } finally {
    ours.delete(wait)
    if (ours.size === 0 && ours === pending) spent += Date.now() - busySince
  }
}

/** Notes that a call is under way. */
export const waitForAnswer = async <T>(call: string, work: () => Promise<T>): Promise<T> => {
  lastCall = call
  const since = Date.now()
  const answer = await waitFor(`the answer to ${call}`, work)
  addAnswered(since)
  return answer
}

const rest = (ms: number): Promise<void> =>
  waitFor(
    `the time of the next call after ${lastCall}`,
    () =>
      new Promise((resolve) => {
        setTimeout(resolve, ms)
      }),
  )

/** Waits between two calls, for the next look at asynchronous work; slow work takes no time away from the check. */
export const pause = async (ms: number): Promise<void> => {
  const since = Date.now()
  await rest(ms)
  addAnswered(since)
}

/** Waits for room within the rate limits; the check gets the time in addition. */
export const waitForRoom = (ms: number): Promise<void> => {
  const now = Date.now()
  addTime(Math.max(0, now + ms - Math.max(now, roomAt)))
  roomAt = Math.max(roomAt, now + ms)
  return rest(ms)
}

/** What the check waits for right now, and how long it has waited for the target in all, ms. */
const waited = (): { readonly now: string | undefined; readonly ms: number } => {
  const [first] = pending
  return {
    now: first?.what,
    ms: spent + (pending.size > 0 ? Date.now() - busySince : 0),
  }
}

/** A check that ran out of time: the target kept it waiting, or the tool itself took too long. */
export const outcomeOfTimeout = (timeout: number): Outcome => {
  const { now, ms } = waited()
  const seconds = (of: number) => `${(of / 1000).toFixed(1)} s`
  if (now === undefined && ms < timeout / 2)
    return {
      kind: 'broken',
      reason: `the check ran for ${seconds(timeout)} and waited for the target only ${seconds(ms)} of them`,
    }
  return {
    kind: 'inconclusive',
    reason: `the check ran out of time (${seconds(timeout)}), of which it waited ${seconds(ms)} for the target${now === undefined ? '' : `; at the end it waited for ${now}`}`,
    expected: 'answers in time',
    fault: 'environment',
    unreachable: 'ETIMEDOUT',
    cause: 'the target kept the check waiting until it ran out of time',
  }
}
