import { stateOf } from '../contract/lifecycles.ts'
import type { Lifecycle } from '../contract/types.ts'

/** The states that follow some states of a lifecycle, however many steps later. */
export const following = (lifecycle: Lifecycle, from: readonly number[]): ReadonlySet<number> => {
  const found = new Set<number>()
  const open = [...from]
  for (let code = open.pop(); code !== undefined; code = open.pop())
    for (const next of stateOf(lifecycle, code)?.next ?? [])
      if (!found.has(next)) {
        found.add(next)
        open.push(next)
      }
  return found
}

/** Whether a lifecycle leads from one state to another, or it is the same one: polls can miss the states in between. */
export const leadsTo = (lifecycle: Lifecycle, from: number, to: number): boolean =>
  from === to || following(lifecycle, [from]).has(to)
