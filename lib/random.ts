/** What a whole number can be drawn from, both bounds included. */
export interface IntSource {
  int(low: number, high: number): number
}

/** A seeded source of draws: the same seed gives the same draws, everywhere. Not for keys. */
export interface Rng extends IntSource {
  /** Uniform over all 32-bit unsigned integers. */
  uint32(): number
  /** A seed for another generator: uniform over all 32-bit signed integers. */
  int32(): number
  /** Uniform over [0, 1), 32 bits of it. */
  float(): number
  /** Uniform; the distance of the bounds is below 2 to the 32nd. */
  int(low: number, high: number): number
  pick<T>(from: readonly T[]): T
  bytes(count: number): Uint8Array
  /** This many decimal digits. */
  digits(count: number): string
}

/** What the draws of a check are derived from. */
export interface DrawContext {
  /** The run's seed, an int32. */
  readonly seed: number
  readonly rule: string
  readonly variant?: string | undefined
  /** New for each run against a shared target, constant for generated files. */
  readonly namespace?: string | undefined
}

/** The draws of one check. */
export function rngFor({ seed, rule, variant = '', namespace = '' }: DrawContext): Rng {
  return createRng(labelOf(seed | 0, rule, variant, namespace))
}

const labelOf = (...parts: readonly (string | number)[]): string => parts.join('\u0000')

/** Derives a 32-bit seed from whatever identifies a place, such as (seed, rule, variant, index). */
export const seedFrom = (...parts: readonly (string | number)[]): number =>
  createRng(labelOf(...parts)).int32()

/** The random source of a label. */
export function createRng(label: string): Rng {
  const state = hash128(label)
  const uint32 = sfc32(state)
  // The first words of sfc32 still resemble its seed.
  for (let round = 0; round < 12; round += 1) uint32()

  function int(low: number, high: number): number {
    const size = high - low + 1
    if (size > 2 ** 32 || size < 1) throw new RangeError(`no draw between ${low} and ${high}`)
    const limit = 2 ** 32 - (2 ** 32 % size)
    let word = uint32()
    while (word >= limit) word = uint32()
    return low + (word % size)
  }

  return {
    uint32,
    int,
    int32: () => uint32() | 0,
    float: () => uint32() / 2 ** 32,
    pick(from) {
      if (from.length === 0) throw new RangeError('nothing to pick from')
      return from[int(0, from.length - 1)] as (typeof from)[number]
    },
    bytes: (count) => Uint8Array.from({ length: count }, () => uint32() & 255),
    digits: (count) => Array.from({ length: count }, () => int(0, 9)).join(''),
  }
}

/** The items in an order that the draws decide. */
export const shuffled = <T>(rng: IntSource, items: readonly T[]): T[] =>
  items
    .map((item) => ({ item, at: rng.int(0, 2 ** 31 - 1) }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item)

type Words = [number, number, number, number]

// cyrb128 (public domain): four multiplicative mixes over UTF-16 code units.
function hash128(text: string): Words {
  let [a, b, c, d] = [1779033703, 3144134277, 1013904242, 2773480762]
  for (let place = 0; place < text.length; place += 1) {
    const unit = text.charCodeAt(place)
    a = b ^ Math.imul(a ^ unit, 597399067)
    b = c ^ Math.imul(b ^ unit, 2869860233)
    c = d ^ Math.imul(c ^ unit, 951274213)
    d = a ^ Math.imul(d ^ unit, 2716044179)
  }
  a = Math.imul(c ^ (a >>> 18), 597399067)
  b = Math.imul(d ^ (b >>> 22), 2869860233)
  c = Math.imul(a ^ (c >>> 17), 951274213)
  d = Math.imul(b ^ (d >>> 19), 2716044179)
  const mixed = a ^ b ^ c ^ d
  return [mixed >>> 0, (b ^ mixed) >>> 0, (c ^ mixed) >>> 0, (d ^ mixed) >>> 0]
}

// sfc32 (Chris Doty-Humphrey, public domain): 128 bits of state, passes PractRand.
function sfc32([a, b, c, counter]: Words): () => number {
  return () => {
    const result = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + result) | 0
    return result >>> 0
  }
}
