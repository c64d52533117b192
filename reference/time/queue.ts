import type { Instant } from '../base/instants.ts'

/** Pieces of work by the instant at which they are due: a heap, so that thousands of them cost little. */

export type Work = () => void | Promise<void>

interface Entry {
  readonly due: Instant
  readonly order: number
  readonly work: Work
}

export interface Queue {
  /** The entry that is due first; equal instants in the order of their scheduling. */
  first(): Entry | undefined
  push(entry: Entry): void
  pop(): Entry | undefined
  size(): number
  clear(): void
}

export const createQueue = (): Queue => {
  const entries: Entry[] = []
  const before = (a: Entry, b: Entry) => a.due < b.due || (a.due === b.due && a.order < b.order)
  const push = (entry: Entry): void => {
    let at = entries.push(entry) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!before(entry, entries[parent]!)) break
      entries[at] = entries[parent]!
      at = parent
    }
    entries[at] = entry
  }
  const pop = (): Entry | undefined => {
    const first = entries[0]
    const last = entries.pop()
    if (first === undefined || last === undefined || entries.length === 0) return first
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= entries.length) break
      if (child + 1 < entries.length && before(entries[child + 1]!, entries[child]!)) child++
      if (!before(entries[child]!, last)) break
      entries[at] = entries[child]!
      at = child
    }
    entries[at] = last
    return first
  }

  return {
    first: () => entries[0],
    push,
    pop,
    size: () => entries.length,
    clear() {
      entries.length = 0
    },
  }
}
