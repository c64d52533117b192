import type { Outcome } from '../../lib/outcome.ts'

/**
 * What the running check waits for, so that a check that runs out of time can say whether the target kept it waiting.
 * One check runs in a worker at a time.
 */

interface Wait {
  readonly what: string
  readonly since: number
}

let pending = new Set<Wait>()
let spent = 0
let busySince = 0
let lastCall = 'nothing'

/** Forgets what earlier checks waited for. */
export const startWaiting = (): void => {
  pending = new Set()
  spent = 0
  lastCall = 'nothing'
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
export const waitForAnswer = <T>(call: string, work: () => Promise<T>): Promise<T> => {
  lastCall = call
  return waitFor(`the answer to ${call}`, work)
}

/** Notes a pause between two calls: for the next look at asynchronous work, or for a rate limit. */
export const pause = (work: () => Promise<void>): Promise<void> =>
  waitFor(`the time of the next call after ${lastCall}`, work)

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
    unreachable: 'ETIMEDOUT',
    cause: 'the target kept the check waiting until it ran out of time',
  }
}
