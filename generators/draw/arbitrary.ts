import fc from 'fast-check'
import type { Draw } from './draw.ts'
import { replayedDraw, vocabulary } from './draw.ts'

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
