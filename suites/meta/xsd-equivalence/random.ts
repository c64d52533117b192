/** A seeded source of choices; two sources with one seed make the same choices. */
export interface Random {
  /** A whole number from 0 up to, not including, `bound`. */
  below(bound: number): number
  pick<T>(list: readonly T[]): T
}

/** The mulberry32 generator. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  function below(bound: number): number {
    state = (state + 0x6d2b79f5) >>> 0
    let word = Math.imul(state ^ (state >>> 15), state | 1)
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61)
    return Math.floor((((word ^ (word >>> 14)) >>> 0) / 2 ** 32) * bound)
  }
  return {
    below,
    pick(list) {
      const choice = list[below(list.length)]
      if (choice === undefined) throw new RangeError('nothing to pick from')
      return choice
    },
  }
}
