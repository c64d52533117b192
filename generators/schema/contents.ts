import type { Element } from './document.ts'
import { children } from './document.ts'
import type { Goal } from './goals.ts'
import { holdsEdge } from './edges.ts'
import { valuesOf } from './values.ts'

/** What a finished document has: the evidence for the goals of coverage. */
export interface Contents {
  /** The goals of its elements, such as `element Faktura/Fa`. */
  readonly elements: ReadonlySet<string>
  /** Whether the document has what a goal asks for. */
  readonly confirms: (goal: Goal) => boolean
}

/** Counts of each name among the children of one element. */
type Counts = ReadonlyMap<string, number>

export function contentsOf(document: Element): Contents {
  const elements = new Set<string>()
  const values = new Map<string, Set<string>>()
  const counts = new Map<string, Counts[]>()
  const note = (path: string, text: string) => {
    const seen = values.get(path) ?? new Set()
    values.set(path, seen.add(text))
  }
  const visit = (at: Element, path: string) => {
    elements.add(`element ${path}`)
    for (const { name, value } of at.attributes) note(`${path}/@${name}`, value)
    if (typeof at.content === 'string') note(path, at.content)
    const own = new Map<string, number>()
    for (const each of children(at)) {
      own.set(each.name, (own.get(each.name) ?? 0) + 1)
      visit(each, `${path}/${each.name}`)
    }
    counts.set(path, [...(counts.get(path) ?? []), own])
  }
  visit(document, document.name)
  return {
    elements,
    confirms: ({ wanted }) => {
      if (wanted.what === 'value') {
        const { why } = valuesOf(wanted.type).edges[wanted.edge]!
        const found = [...(values.get(wanted.path.slice(1)) ?? [])]
        return found.some((text) => holdsEdge(wanted.type, why, text))
      }
      if (wanted.what !== 'occurs') return true
      const path = wanted.path.slice(1)
      const cut = path.lastIndexOf('/')
      const name = path.slice(cut + 1)
      // A group has no name of its own: that its content came as claimed shows in its elements.
      if (name.startsWith('(')) return true
      const parents = counts.get(path.slice(0, cut)) ?? []
      return parents.some((own) =>
        wanted.times === 0 ? !own.has(name) : (own.get(name) ?? 0) >= wanted.times,
      )
    },
  }
}
