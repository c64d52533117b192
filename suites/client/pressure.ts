import { performance } from 'node:perf_hooks'

/** How busy the machine is: on an overloaded one, short lifetimes and timeouts end before a sound client can act. */

const every = 50

/** Starts to watch. The returned function stops it and returns the longest time that this process was stalled, ms. */
export function watchStalls(): () => number {
  let last = performance.now()
  let longest = 0
  const look = () => {
    const now = performance.now()
    longest = Math.max(longest, now - last - every)
    last = now
  }
  const timer = setInterval(look, every)
  return () => {
    look()
    clearInterval(timer)
    return Math.max(0, Math.round(longest))
  }
}

/** From here on, ms, the verdicts of an ordeal that depend on time are withheld: the shortest lifetime is 3 s. */
export const overloaded = 1000
