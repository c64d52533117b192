/**
 * Checks that concurrent histories are linearizable. Calls of several clients that overlap may take effect in any
 * order, but each takes effect once, at one instant between its beginning and its end. A history is right when there is
 * an order of such instants in which every outcome is one that a sequential service may give; this search decides
 * whether there is one.
 */

/** The outcome of a call whose answer was lost: it may have taken effect, then or later, or not at all. */
export const unknown = 'unknown'

/** One call of a history. */
export interface HistoryCall<Op> {
  /** Who called: the calls of one client follow one another. */
  readonly client: string
  readonly operation: Op
  /** Places among all beginnings and ends of the history, in the order in which they were seen. */
  readonly began: number
  readonly ended: number
  /** `ok`, the id of a refusal, what was read, or {@link unknown}. */
  readonly outcome: string
}

/** A sequential service, as far as a history is about it. */
export interface SequentialService<State, Op> {
  readonly initial: State
  /** Every outcome that the operation may have in a state, and the state that it leaves behind. */
  readonly step: (state: State, operation: Op) => Readonly<Record<string, State>>
  /** Equal for equal states. */
  readonly key: (state: State) => string
}

export interface Linearization<Op> {
  /** The history, by the beginnings of its calls. */
  readonly calls: readonly HistoryCall<Op>[]
  /** Whether the whole history has an order that explains it. */
  readonly explained: boolean
  /** The order, or the longest prefix of one that was found. */
  readonly order: readonly HistoryCall<Op>[]
  /** Without an order: the outcomes that would have been possible for the calls that could come next. */
  readonly next: readonly { readonly call: HistoryCall<Op>; readonly possible: readonly string[] }[]
}

interface Node<State> {
  readonly state: State
  readonly done: bigint
  readonly order: readonly number[]
}

/** The calls that may take effect next: those that began before any call that is still to come ended. */
const candidates = (calls: readonly HistoryCall<unknown>[], done: bigint): number[] => {
  const waiting = [...calls.keys()].filter((place) => (done & (1n << BigInt(place))) === 0n)
  const firstEnd = Math.min(
    ...waiting.map((place) => {
      const { outcome, ended } = calls[place] ?? { outcome: unknown, ended: 0 }
      return outcome === unknown ? Infinity : ended
    }),
  )
  return waiting.filter((place) => (calls[place]?.began ?? 0) < firstEnd)
}

/** States that a call may leave behind, given how it came out. */
const after = <State, Op>(
  { step }: SequentialService<State, Op>,
  state: State,
  { operation, outcome }: HistoryCall<Op>,
): State[] => {
  const possible = step(state, operation)
  if (outcome === unknown) return Object.values(possible)
  return Object.hasOwn(possible, outcome) ? [possible[outcome] as State] : []
}

/**
 * Looks for an order of the calls that explains their outcomes, depth first; what was tried once is not tried again.
 * The time is exponential in the number of calls that overlap: histories of some twenty calls take no noticeable time.
 */
export const linearize = <State, Op>(
  calls: readonly HistoryCall<Op>[],
  service: SequentialService<State, Op>,
): Linearization<Op> => {
  const known = calls.reduce(
    (set, { outcome }, place) => (outcome === unknown ? set : set | (1n << BigInt(place))),
    0n,
  )
  const tried = new Set<string>()
  let longest: Node<State> = { state: service.initial, done: 0n, order: [] }
  const open = [longest]
  const inOrder = (places: readonly number[]) => places.flatMap((place) => calls[place] ?? [])
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const { state, done, order } = node
    if (order.length > longest.order.length) longest = node
    // Calls without an answer need not have taken effect.
    if ((done & known) === known) return { calls, explained: true, order: inOrder(order), next: [] }
    const name = `${done} ${service.key(state)}`
    if (tried.has(name)) continue
    tried.add(name)
    for (const place of candidates(calls, done).toReversed()) {
      const call = calls[place]
      if (call === undefined) continue
      for (const left of after(service, state, call))
        open.push({ state: left, done: done | (1n << BigInt(place)), order: [...order, place] })
    }
  }
  const next = inOrder(candidates(calls, longest.done)).map((call) => ({
    call,
    possible: Object.keys(service.step(longest.state, call.operation)),
  }))
  return { calls, explained: false, order: inOrder(longest.order), next }
}
