import { familyOf } from '../../suites/support/checks/families.ts'
import { variantName } from '../../contract/rules.ts'
import { readMeasured } from '../measured.ts'
import type { PackedCost, RegisteredCheck } from '../registered.ts'

/** What a check costs on a target whose clock cannot be moved, as it was measured (`npm run costs`). */
export interface Cost {
  readonly ms: number
  /** Calls that keep to the rate limits, by what they are counted under. */
  readonly calls: Readonly<Record<string, number>>
  /** How many of them for the one caller with the most, where there are several. */
  readonly callsOfOne?: Readonly<Record<string, number>>
  /** Contexts that it works in, each with its own credentials. */
  readonly contexts: number
  /** How many of them it can do without. */
  readonly spareContexts: number
}

/** What is known of a rule: its checks by their variants, empty where it has one, and one of them for those that were not measured. */
interface Known {
  readonly checks: ReadonlyMap<string, Cost>
  readonly others: Cost
}

/** Calls as they are written: a place in `rows`, how many, the next place, and so on. */
type Calls = readonly number[]

/** Calls, those of one caller where there are several, contexts, and how many of these it can do without. */
type Shape = readonly [calls: Calls, callsOfOne?: Calls, contexts?: number, spareContexts?: number]

/** What was measured of a check: its milliseconds and its shape, or the place of that in `shapes`. */
type Row = readonly [ms: number, ...shape: Shape] | PackedCost

interface Measured {
  /** What calls are counted under. */
  readonly rows: readonly string[]
  readonly shapes?: readonly Shape[]
  /** Rule -> variant -> row. */
  readonly rules: Readonly<Record<string, Readonly<Record<string, Row>>>>
}

let known: ReturnType<typeof read> | undefined

const nothing: Cost = { ms: 0, calls: {}, contexts: 1, spareContexts: 0 }

/** A check of which nothing is known: a login and a call. */
const unmeasured: Cost = { ms: 500, calls: { public: 4 }, contexts: 1, spareContexts: 0 }

const callsIn = ({ calls }: Cost): number =>
  Object.values(calls).reduce((all, count) => all + count, 0)

/** The one in the middle: a search with hundreds of calls says little about the other checks of its rule. */
const middleOf = <Check>(checks: readonly Check[], costIn: (check: Check) => Cost) =>
  checks.toSorted((a, b) => callsIn(costIn(a)) - callsIn(costIn(b)))[
    Math.floor((checks.length - 1) / 2)
  ]

const table = () => (readMeasured('costs.json') ?? { rows: [], rules: {} }) as Measured

const decoderOf = ({ rows, shapes = [] }: Measured) => {
  const named = (calls: Calls): Cost['calls'] =>
    Object.fromEntries(
      calls.flatMap((at, place) => (place % 2 === 0 ? [[rows[at], calls[place + 1]]] : [])),
    )
  return (row: Row): Cost => {
    const [ms, first] = row
    const shape = typeof first === 'number' ? shapes[first] : (row.slice(1) as unknown as Shape)
    const [calls, callsOfOne, contexts = 1, spareContexts = 0]: Shape = shape ?? [[]]
    return {
      ms,
      calls: named(calls),
      ...(callsOfOne && { callsOfOne: named(callsOfOne) }),
      contexts,
      spareContexts,
    }
  }
}

const read = () => {
  const measured = table()
  const decode = decoderOf(measured)
  const rules = Object.entries(measured.rules).map(([rule, variants]): [string, Known] => {
    const checks = Object.entries(variants).map(([variant, row]) => [variant, decode(row)] as const)
    const others = middleOf(checks, ([, cost]) => cost)?.[1] ?? unmeasured
    return [rule, { checks: new Map(checks), others }]
  })
  return { decode, rules: new Map(rules) }
}

export const costOf = ({
  rule,
  variant = '',
  cost,
  joins,
}: Pick<RegisteredCheck, 'rule' | 'variant' | 'cost' | 'joins'>): Cost => {
  if (joins) return nothing
  known ??= read()
  if (cost !== undefined) return known.decode(cost)
  const own = known.rules.get(rule)
  return own?.checks.get(variant) ?? own?.others ?? unmeasured
}

/** The family of a check whose checks do their work together; undefined for others. */
export const togetherIn = ({ variant }: Pick<RegisteredCheck, 'variant'>): string | undefined => {
  const name = variantName(variant ?? '')
  return familyOf(name)?.together === true ? name : undefined
}

/** Checks as they run together: of those that do their work together, the first does it. */
export const joined = (checks: readonly RegisteredCheck[]): readonly RegisteredCheck[] => {
  const begun = new Set<string>()
  return checks.map((check) => {
    const family = togetherIn(check)
    if (family === undefined) return check
    if (begun.has(family)) return { ...check, joins: true }
    begun.add(family)
    return check
  })
}

/**
 * Gives each check what was measured of it, by which the build avoids a table that repeats the names of all checks: what
 * is left of the table are the shapes, and a check in the middle for each rule.
 */
export const packCosts = <Check extends Pick<RegisteredCheck, 'rule' | 'variant'>>(
  { rows, rules }: Measured,
  checks: readonly Check[],
) => {
  const decode = decoderOf({ rows, rules })
  const places = new Map<string, number>()
  const packed = ([ms, ...shape]: Row): PackedCost => {
    const text = JSON.stringify(shape)
    const place = places.get(text) ?? places.size
    places.set(text, place)
    return [ms, place]
  }
  const withCosts = checks.map((check) => {
    const row = rules[check.rule]?.[check.variant ?? '']
    return row === undefined ? check : { ...check, cost: packed(row) }
  })
  const others = Object.entries(rules).flatMap(([rule, variants]) => {
    const middle = middleOf(Object.values(variants), decode)
    return middle === undefined ? [] : [[rule, { '': packed(middle) }] as const]
  })
  const shapes = [...places.keys()].map((text) => JSON.parse(text) as Shape)
  return { checks: withCosts, table: { rows, shapes, rules: Object.fromEntries(others) } }
}
