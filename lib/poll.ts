/** How often to poll, and how many times. */
export interface Polling {
  /** Milliseconds before the second poll; each later wait is 1.5 times as long, up to `atMostMs`. */
  readonly everyMs: number
  /** Total number of polls; at least one. */
  readonly times: number
  /** Maximum wait between two polls, ms; 2000 when absent. */
  readonly atMostMs?: number
  /** Milliseconds after which no further poll starts, however few there were; unbounded when absent. */
  readonly withinMs?: number
  /** If waiting costs nothing: after the polls have run out, one last poll this many milliseconds later. */
  readonly finallyMs?: number
}

export type Sleep = (ms: number) => Promise<void>

export const sleep: Sleep = (ms) =>
  new Promise((resolve) => {
    setTimeout(() => resolve(), ms)
  })

export interface Polled<T> {
  /** Whether `until` was satisfied before the polls ran out. */
  readonly done: boolean
  readonly last: T
  /** Every value seen, in order. */
  readonly seen: readonly T[]
}

/**
 * Polls immediately, then repeatedly, until `until` holds or the polls run out. Does not throw by itself: the caller
 * decides what a timeout means.
 */
export async function poll<T>(
  look: () => Promise<T>,
  until: (value: T) => boolean,
  {
    everyMs,
    times,
    atMostMs = 2000,
    withinMs,
    finallyMs,
    sleep: pause,
  }: Polling & { readonly sleep: Sleep },
): Promise<Polled<T>> {
  const latest = Date.now() + (withinMs ?? Number.POSITIVE_INFINITY)
  let last = await look()
  const seen = [last]
  const lookAfter = async (ms: number): Promise<boolean> => {
    await pause(ms)
    last = await look()
    seen.push(last)
    return until(last)
  }
  let done = until(last)
  let wait = everyMs
  while (!done && seen.length < times && Date.now() < latest) {
    done = await lookAfter(wait)
    wait = Math.min(wait * 1.5, Math.max(everyMs, atMostMs))
  }
  if (!done && finallyMs !== undefined) done = await lookAfter(finallyMs)
  return { done, last, seen }
}
