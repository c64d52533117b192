import type { Bound, Burst, WindowName } from './timetable.ts'

/** A part of a schedule that repeats: calls at one moment, or parts in a row. */
export interface Repeat {
  /** When it first starts, from the start of the part that it belongs to. */
  readonly from: number
  readonly repeats: number
  /** Time from the start of one repeat to the next; 0 when there is one only. */
  readonly every: number
  /** Calls in each repeat. */
  readonly calls: number
  /** What each repeat consists of; empty when all its calls are due at its start. */
  readonly parts: readonly Repeat[]
  /** What its first call waits for. */
  readonly after: Bound | undefined
  /** What each further repeat waits for; undefined when there is one only. */
  readonly bound: Bound | undefined
}

const length = { second: 1, minute: 2, hour: 3 } as const satisfies Record<WindowName, number>
const lengthOf = (bound: Bound | undefined): number =>
  bound === undefined ? 0 : length[bound.window]

/** A schedule in short: bursts by the second within rounds by the minute within rounds by the hour. */
export function cyclesOf(bursts: readonly Burst[]): readonly Repeat[] {
  let items: readonly Repeat[] = bursts.map(({ at, calls, bound }) => ({
    from: at,
    repeats: 1,
    every: 0,
    calls,
    parts: [],
    after: bound,
    bound: undefined,
  }))
  for (const longest of [length.second, length.minute])
    items = split(items, longest).map((piece) => group(collapse(piece)))
  return collapse(items)
}

/** Pieces that begin where a wait for a longer window than `longest` ends. */
function split(items: readonly Repeat[], longest: number): readonly (readonly Repeat[])[] {
  const pieces: Repeat[][] = []
  for (const item of items) {
    const piece = pieces.at(-1)
    if (piece === undefined || lengthOf(item.after) > longest) pieces.push([item])
    else piece.push(item)
  }
  return pieces
}

/** Neighbours that are alike and equally far apart become one. */
function collapse(items: readonly Repeat[]): readonly Repeat[] {
  const result: Repeat[] = []
  for (const item of items) {
    const last = result.at(-1)
    const gap = last === undefined ? 0 : item.from - (last.from + (last.repeats - 1) * last.every)
    const alike =
      last !== undefined &&
      item.repeats === 1 &&
      last.calls === item.calls &&
      JSON.stringify(rhythm(last.parts)) === JSON.stringify(rhythm(item.parts))
    if (alike && (last.repeats === 1 || (last.every === gap && same(last.bound, item.after))))
      result[result.length - 1] = {
        ...last,
        repeats: last.repeats + 1,
        every: gap,
        bound: item.after,
      }
    else result.push(item)
  }
  return result
}

const rhythm = (parts: readonly Repeat[]): unknown =>
  parts.map(({ from, repeats, every, calls, parts: inner }) => [
    from,
    repeats,
    every,
    calls,
    rhythm(inner),
  ])

const same = (a: Bound | undefined, b: Bound | undefined): boolean =>
  a?.rule === b?.rule && a?.window === b?.window

function group(parts: readonly Repeat[]): Repeat {
  const [first] = parts
  if (first === undefined) throw new RangeError('a group needs a part')
  if (parts.length === 1 && first.repeats === 1) return first
  const { from, after } = first
  return {
    from,
    repeats: 1,
    every: 0,
    calls: parts.reduce((sum, part) => sum + part.calls * part.repeats, 0),
    parts: parts.map((part) => ({ ...part, from: part.from - from })),
    after,
    bound: undefined,
  }
}

/** How long calls wait for each window of each rule, milliseconds in all, and since when; the longest wait first. */
export function waitsOf(
  bursts: readonly Burst[],
): readonly { readonly bound: Bound; readonly ms: number; readonly from: number }[] {
  const waits = new Map<string, { bound: Bound; ms: number; from: number }>()
  let before = 0
  for (const { at, bound } of bursts) {
    if (bound !== undefined) {
      const key = `${bound.rule} ${bound.window}`
      const wait = waits.get(key) ?? { bound, ms: 0, from: before }
      wait.ms += at - before
      waits.set(key, wait)
    }
    before = at
  }
  return [...waits.values()].toSorted((a, b) => b.ms - a.ms)
}
