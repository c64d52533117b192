import { createRng } from '../../lib/random.ts'

/**
 * A source of choices. Generators are plain functions of a `Draw`; the same function serves
 * fast-check (with shrinking, see `drawn`) and the streaming of corpora (`seededDraw`).
 *
 * Every choice shrinks towards its first value: the minimum of a range, the first item, `false`.
 */
export interface Draw {
  /** A whole number between two bounds, both included; the span is at most 2^32. */
  int(min: number, max: number): number
  /** `true` in `percent` of a hundred cases. */
  chance(percent: number): boolean
  pick<T>(items: readonly T[]): T
  /** A whole number between two bounds, both included, of any size. */
  big(min: bigint, max: bigint): bigint
}

type Index = (range: number) => number

const limb = 0x40000000

/** Builds the vocabulary on one primitive: a number from 0 to `range`. */
export function vocabulary(index: Index): Draw {
  const big = (min: bigint, max: bigint): bigint => {
    const range = max - min
    if (range < 0x7fffffffn) return min + BigInt(index(Number(range)))
    // High limb first: a smaller high limb is a simpler value.
    let limbs = 0
    for (let rest = range; rest > 0n; rest >>= 30n) limbs++
    let value = 0n
    for (let i = 0; i < limbs; i++) value = (value << 30n) | BigInt(index(limb - 1))
    return min + (value % (range + 1n))
  }
  return {
    int: (min, max) => min + index(max - min),
    chance: (percent) => index(99) >= 100 - percent,
    pick: (items) => items[index(items.length - 1)]!,
    big,
  }
}

/** A draw from a seed (any 32-bit integer), without a record: for streaming. */
export function seededDraw(seed: number): Draw {
  const rng = createRng(String(seed))
  return vocabulary((range) => (range < 1 ? 0 : rng.int(0, range)))
}

/** A draw that repeats recorded choices, and takes the simplest ones where the record ends. */
export function replayedDraw(record: readonly number[], made: number[] = []): Draw {
  let at = 0
  return vocabulary((range) => {
    const value = Math.min(record[at++] ?? 0, range)
    made.push(value)
    return value
  })
}

/** A draw that takes the simplest choice every time. */
export const simplestDraw: Draw = {
  int: (min) => min,
  chance: () => false,
  pick: (items) => items[0]!,
  big: (min) => min,
}

/** Bytes from choices: the same for the same draw. */
export const drawBytes = (draw: Draw, count: number): Uint8Array =>
  Uint8Array.from({ length: count }, () => draw.int(0, 255))
