import { readMeasured } from '../measured.ts'
import { formOf } from '../../suites/support/other-forms.ts'
import type { RegisteredCheck } from '../registered.ts'

/** What a check costs on a target whose time cannot be turned, as it was measured (`npm run costs`). */
export interface Cost {
  readonly ms: number
  /** Calls that keep to the rate limits, by what they are counted under. */
  readonly calls: Readonly<Record<string, number>>
  /** How many of them for the one caller with the most, where there are several. */
  readonly callsOfOne?: Readonly<Record<string, number>>
  /** Contexts that it works in, each with its own credentials. */
  readonly contexts: number
}

/** What is known of a rule: its checks by their variants, empty where it has one, and one of them for those that were not measured. */
interface Known {
  readonly checks: ReadonlyMap<string, Cost>
  readonly others: Cost
}

/** Calls as they are written: a place in `rows`, how many, the next place, and so on. */
type Calls = readonly number[]

interface Measured {
  /** What calls are counted under. */
  readonly rows: readonly string[]
  /** Rule -> variant -> milliseconds, calls, those of one caller where there are several, and contexts. */
  readonly rules: Readonly<
    Record<
      string,
      Readonly<
        Record<string, readonly [ms: number, calls: Calls, callsOfOne?: Calls, contexts?: number]>
      >
    >
  >
}

let known: ReadonlyMap<string, Known> | undefined

/** A check of which nothing is known: a login and a call. */
const unmeasured: Cost = { ms: 500, calls: { public: 4 }, contexts: 1 }

/** The one in the middle: a search with hundreds of calls says little about the other checks of its rule. */
const middleOf = (costs: readonly Cost[]): Cost =>
  costs.toSorted((a, b) => a.ms - b.ms)[Math.floor((costs.length - 1) / 2)] ?? unmeasured

const read = (): ReadonlyMap<string, Known> => {
  const { rows, rules } = (readMeasured('costs.json') ?? { rows: [], rules: {} }) as Measured
  const named = (calls: Calls): Cost['calls'] =>
    Object.fromEntries(
      calls.flatMap((at, place) => (place % 2 === 0 ? [[rows[at], calls[place + 1]]] : [])),
    )
  return new Map(
    Object.entries(rules).map(([rule, variants]) => {
      const checks = Object.entries(variants).map(
        ([variant, [ms, calls, callsOfOne, contexts = 1]]) =>
          [
            variant,
            {
              ms,
              calls: named(calls),
              ...(callsOfOne && { callsOfOne: named(callsOfOne) }),
              contexts,
            },
          ] as const,
      )
      return [rule, { checks: new Map(checks), others: middleOf(checks.map(([, cost]) => cost)) }]
    }),
  )
}

export const costOf = ({ rule, variant = '' }: Pick<RegisteredCheck, 'rule' | 'variant'>): Cost => {
  known ??= read()
  const own = known.get(rule)
  const plain = formOf(variant)?.variant ?? variant
  return own?.checks.get(variant) ?? own?.checks.get(plain) ?? own?.others ?? unmeasured
}
