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
export const waited = (): { readonly now: string | undefined; readonly ms: number } => {
  const [first] = pending
  return {
    now: first?.what,
    ms: spent + (pending.size > 0 ? Date.now() - busySince : 0),
  }
}
