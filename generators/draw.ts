import fc from 'fast-check'

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
function vocabulary(index: Index): Draw {
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

/** xoshiro128**, seeded by splitmix32: small, fast, and the same on every machine. */
function words(seed: number): () => number {
  let s = seed | 0
  const next = () => {
    s = (s + 0x9e3779b9) | 0
    let z = s ^ (s >>> 16)
    z = Math.imul(z, 0x21f0aaad)
    z ^= z >>> 15
    z = Math.imul(z, 0x735a2d97)
    return z ^ (z >>> 15)
  }
  let [a, b, c, d] = [next(), next(), next(), next()]
  return () => {
    const five = Math.imul(b, 5)
    const result = Math.imul((five << 7) | (five >>> 25), 9)
    const t = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= t
    d = (d << 11) | (d >>> 21)
    return result >>> 0
  }
}

/** A draw from a seed (any 32-bit integer), without a record: for streaming. */
export function seededDraw(seed: number): Draw {
  const next = words(seed)
  // The bias of the multiplication is below 2^-32 * range: of no account for documents.
  return vocabulary((range) => Math.floor((next() / 0x100000000) * (range + 1)))
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

/** Derives a 32-bit seed from anything that names a place: (seed, rule, variant, index). */
export function seedFrom(...parts: readonly (string | number)[]): number {
  let hash = 0x811c9dc5
  for (const part of parts) {
    const text = `${part}\u0000`
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  }
  hash ^= hash >>> 16
  hash = Math.imul(hash, 0x85ebca6b)
  return (hash ^ (hash >>> 13)) | 0
}

/** Simpler records of choices, boldest first: cut a stretch, flatten a stretch, lower one choice. */
function* simpler(record: readonly number[]): IterableIterator<readonly number[]> {
  const n = record.length
  for (let size = n >> 1; size >= 1; size >>= 1) {
    for (let at = n - size; at >= 0; at -= size) {
      yield [...record.slice(0, at), ...record.slice(at + size)]
      if (record.slice(at, at + size).some((value) => value !== 0)) {
        yield [...record.slice(0, at), ...Array<number>(size).fill(0), ...record.slice(at + size)]
      }
    }
  }
  for (let at = 0; at < n; at++) {
    for (let step = record[at]!; step >= 1; step = Math.floor(step / 2)) {
      yield [...record.slice(0, at), record[at]! - step, ...record.slice(at + 1)]
    }
  }
}

/** Shorter is simpler; among equals, the smaller first difference. */
function isSimpler(a: readonly number[], b: readonly number[]): boolean {
  if (a.length !== b.length) return a.length < b.length
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return a[i]! < b[i]!
  return false
}

class Drawn<T> extends fc.Arbitrary<T> {
  readonly #build: (draw: Draw) => T

  constructor(build: (draw: Draw) => T) {
    super()
    this.#build = build
  }

  override generate(mrng: fc.Random): fc.Value<T> {
    const record: number[] = []
    const draw = vocabulary((range) => {
      const value = range === 0 ? 0 : mrng.nextInt(0, range)
      record.push(value)
      return value
    })
    return new fc.Value(this.#build(draw), record)
  }

  override canShrinkWithoutContext(_value: unknown): _value is T {
    return false
  }

  override shrink(_value: T, context: unknown): fc.Stream<fc.Value<T>> {
    if (!Array.isArray(context)) return fc.Stream.nil()
    return fc.stream(this.#shrunk(context as readonly number[]))
  }

  *#shrunk(record: readonly number[]): IterableIterator<fc.Value<T>> {
    for (const candidate of simpler(record)) {
      const made: number[] = []
      const value = this.#build(replayedDraw(candidate, made))
      if (isSimpler(made, record)) yield new fc.Value(value, made)
    }
  }
}

/**
 * Turns a function of choices into an arbitrary. The choices are recorded, and shrinking simplifies the
 * record and builds again, so whatever the function promises of its values holds for shrunk ones too.
 */
export function drawn<T>(build: (draw: Draw) => T): fc.Arbitrary<T> {
  return new Drawn(build)
}

/** Hands values of an arbitrary to a visitor, as a property would get them, and keeps none. */
export function sampled<T>(
  arbitrary: fc.Arbitrary<T>,
  { seed, count }: { readonly seed: number; readonly count: number },
  visit: (value: T) => void,
): void {
  fc.sample(
    arbitrary.map((value) => visit(value)),
    { seed, numRuns: count },
  )
}
