import type { IntSource } from '../../lib/random.ts'
import { shuffled } from '../../lib/random.ts'

/** The values of each facet, by its name. */
export type Facets = Readonly<Record<string, readonly string[]>>

/** A value of each facet. */
export type Combination<F extends Facets> = { readonly [Name in keyof F]: F[Name][number] }

type Values = Readonly<Record<string, string>>
type Setting = readonly [facet: string, value: string]

const keyOf = (...pair: readonly Setting[]): string =>
  JSON.stringify(pair.toSorted(([a], [b]) => (a < b ? -1 : 1)))

/**
 * Combinations in which each pair of values of two facets occurs, except for those that cannot be: a covering array of
 * strength two. A greedy search in a random order finds few, not the fewest; the same draws give the same ones.
 *
 * @param isImpossible whether some values, of two facets or more, cannot be together; no value may be impossible alone
 * @throws when a possible pair is part of no possible combination
 */
export function coveringArray<F extends Facets>(
  source: IntSource,
  facets: F,
  isImpossible: (some: Partial<Combination<F>>) => boolean = () => false,
): Combination<F>[] {
  const fits = (some: Values): boolean => !isImpossible(some as Partial<Combination<F>>)
  const settings = Object.entries(facets).flatMap(([name, values]) =>
    values.map((value): Setting => [name, value]),
  )
  const pairs = settings.flatMap((one, at) =>
    settings.slice(at + 1).flatMap((other) => (one[0] === other[0] ? [] : [[one, other] as const])),
  )
  const open = new Map(
    shuffled(source, pairs)
      .filter((pair) => fits(Object.fromEntries(pair)))
      .map((pair) => [keyOf(...pair), pair]),
  )
  const rows: Combination<F>[] = []
  for (const pair of open.values()) {
    const row: Record<string, string> = Object.fromEntries(pair)
    const gain = (one: Setting): number =>
      Object.entries(row).filter((other) => open.has(keyOf(one, other))).length
    for (const [name, values] of shuffled(source, Object.entries(facets))) {
      if (name in row) continue
      const possible = shuffled(source, values).filter((value) => fits({ ...row, [name]: value }))
      const gains = possible.map((value) => gain([name, value]))
      const best = possible[gains.indexOf(Math.max(...gains))]
      if (best === undefined) throw new RangeError(`no ${name} for ${JSON.stringify(row)}`)
      row[name] = best
    }
    const set = Object.entries(row)
    for (const one of set) for (const other of set) open.delete(keyOf(one, other))
    rows.push(row as Combination<F>)
  }
  return rows
}
