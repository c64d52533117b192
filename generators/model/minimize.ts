/** A sequence that fails, by the places of the commands that it ran. */
export interface Failing {
  readonly made: readonly number[]
}

/**
 * Leaves commands out as long as what is left fails: halves of them first, then smaller and smaller pieces, finally
 * single ones. Each attempt runs a sequence.
 * @param maxAttempts how often it tries
 * @param attempt runs the sequence of these commands; undefined where it does not fail in the same way
 */
export const minimize = async <T extends Failing>(
  first: T,
  maxAttempts: number,
  attempt: (commands: readonly number[]) => Promise<T | undefined>,
): Promise<T> => {
  let shortest = first
  let left = maxAttempts
  for (let size = Math.ceil(first.made.length / 2); size >= 1;) {
    let shorter = false
    for (let from = 0; from < shortest.made.length && left > 0;) {
      const { made } = shortest
      left -= 1
      const seen = await attempt([...made.slice(0, from), ...made.slice(from + size)])
      if (seen === undefined) from += size
      else {
        shortest = seen
        shorter = true
      }
    }
    if (left === 0) break
    // Single ones are tried until none can be left out any more.
    if (size > 1) size = Math.ceil(size / 2)
    else if (!shorter) break
  }
  return shortest
}
