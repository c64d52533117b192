import type { Draw } from '../draw/draw.ts'
import { seededDraw } from '../draw/draw.ts'
import { seedFrom } from '../../lib/random.ts'
import type { Steering } from './arbitrary.ts'
import { compileRoot } from './arbitrary.ts'
import type { Element } from './document.ts'
import type { Goal, Unreached } from './goals.ts'
import { planOf } from './goals.ts'
import type { Group, Schema, SimpleType } from './model.ts'
import { valuesOf } from './values.ts'
import { wantingOf } from './wanting.ts'

/**
 * Documents that together reach everything that a schema allows: every element, every branch of every choice,
 * every optional particle present and absent, both bounds of every occurrence, and at every place each edge of its type.
 */

export interface CoverageReport {
  readonly documents: number
  readonly goals: number
  readonly reached: number
  /** Goals by kind, the first word of each. */
  readonly kinds: Readonly<Record<string, { readonly goals: number; readonly reached: number }>>
  readonly unreached: readonly Unreached[]
}

export interface CoverageOptions {
  readonly schema: Schema
  readonly root: string
  readonly seed: number
  /** Documents at most. */
  readonly documents: number
  /** Draws what the goals leave open. */
  readonly base: Steering
  /** Paths whose value the base decides, such as check-digit identifiers. */
  readonly keepValue?: (path: string) => boolean
}

export interface CoverageRun {
  /** The documents, as long as there is something to reach and the number allows. */
  readonly documents: () => Generator<Element>
  /** What was reached by the documents so far. */
  readonly report: () => CoverageReport
}

/** Steers a document to one goal, and to whatever else is still open on the way there. */
export function coverage(options: CoverageOptions): CoverageRun {
  const { schema, root, seed, base, keepValue = () => false } = options
  const { goals, left } = planOf(schema, root)
  const open = new Map(goals)
  const wanting = wantingOf(goals)
  const make = compileRoot(schema, root)
  let made = 0
  /** The next edge to try at each place. */
  const nextEdge = new Map<string, number>()

  const steering = (goal: Goal): Steering => {
    const { wanted, through, branches } = goal
    const many = wanted.what === 'occurs' && wanted.times > 3 ? `${wanted.path}/` : undefined
    let served = false
    return {
      occurs: (particle, path, draw, depth) => {
        const { min, max } = particle
        const name = path.slice(1)
        const reach = (times: number) => {
          if (times === 0) open.delete(`absent ${name}`)
          if (times === Math.max(1, min)) open.delete(`least ${name}`)
          if (times === max) open.delete(`most ${name}`)
          return times
        }
        if (wanted.what === 'occurs' && wanted.path === path) return reach(wanted.times)
        // Within many copies each is as small as can be.
        if (many !== undefined && path.startsWith(many)) return reach(min)
        if (through.has(path)) {
          const few = Math.max(1, min)
          return reach(
            open.has(`least ${name}`) || max > 3 ? few : Math.min(max, few + draw.int(0, 1)),
          )
        }
        if (min === max) return min
        if (min === 0 && open.has(`absent ${name}`)) return reach(0)
        if (open.has(`least ${name}`)) return reach(Math.max(1, min))
        if (max <= 3 && open.has(`most ${name}`)) return reach(max)
        if (wanting.has(path)) return reach(Math.max(1, min))
        return reach(base.occurs(particle, path, draw, depth))
      },
      branch: (group, path, draw) => {
        const branch =
          branches.get(path) ??
          branchWhere(group, (i) => open.has(`branch ${i + 1} of ${path.slice(1)}`)) ??
          branchWhere(group, (i) => wanting.has(`${path} ${i}`)) ??
          base.branch(group, path, draw)
        open.delete(`branch ${branch + 1} of ${path.slice(1)}`)
        return branch
      },
      value: (type, path, draw) => {
        if (wanted.what === 'value' && wanted.path === path && !served) {
          served = true
          reachValue(goal.id)
          return edgeOf(type, wanted.edge, draw)
        }
        if (keepValue(path)) return base.value(type, path, draw)
        return openEdge(type, path, draw) ?? base.value(type, path, draw)
      },
      attribute: (use, path, draw) => {
        const name = path.slice(1)
        const present =
          use.required ||
          (wanted.what === 'value' && wanted.path === path) ||
          (wanted.what === 'attribute' && wanted.path === path
            ? wanted.present
            : open.has(`attribute ${name} present`) || base.attribute(use, path, draw))
        open.delete(`attribute ${name} ${present ? 'present' : 'absent'}`)
        return present
      },
    }
  }

  const branchWhere = (group: Group, holds: (branch: number) => boolean): number | undefined => {
    const found = group.particles.findIndex((_, i) => holds(i))
    return found < 0 ? undefined : found
  }
  const reachValue = (id: string) => {
    const goal = open.get(id)
    if (goal && open.delete(id)) wanting.release(goal)
  }
  const edgeOf = (type: SimpleType, edge: number, draw: Draw) => {
    const { edges, draw: usual } = valuesOf(type)
    return edges[edge]?.make(draw) ?? usual(draw)
  }
  const openEdge = (type: SimpleType, path: string, draw: Draw): string | undefined => {
    const name = path.slice(1)
    const { edges } = valuesOf(type)
    const edge = nextEdge.get(name) ?? 0
    if (edge >= edges.length) return undefined
    nextEdge.set(name, edge + 1)
    reachValue(`value ${name}: ${edges[edge]!.why}`)
    return edges[edge]!.make(draw)
  }

  /** What the document holds counts, wherever it came from. */
  const record = (at: Element, path: string) => {
    open.delete(`element ${path}`)
    if (typeof at.content === 'string') return
    for (const each of at.content) record(each, `${path}/${each.name}`)
  }

  function* documents(): Generator<Element> {
    for (const goal of goals.values()) {
      // A goal may have been reached on the way to another; each gets a few tries.
      for (let attempt = 0; attempt < 3 && open.has(goal.id); attempt++) {
        if (made >= options.documents) return
        const document = make(seededDraw(seedFrom(seed, goal.id, attempt)), steering(goal))
        made++
        record(document, document.name)
        yield document
      }
    }
  }

  const report = (): CoverageReport => {
    const kinds: Record<string, { goals: number; reached: number }> = {}
    for (const id of goals.keys()) {
      const kind = (kinds[id.slice(0, id.indexOf(' '))] ??= { goals: 0, reached: 0 })
      kind.goals++
      if (!open.has(id)) kind.reached++
    }
    const missed = [...open.keys()].map((goal) => ({
      goal,
      reason:
        made >= options.documents
          ? 'the number of documents was used up'
          : 'no document came there',
    }))
    return {
      documents: made,
      goals: goals.size,
      reached: goals.size - open.size,
      kinds,
      unreached: [...left, ...missed],
    }
  }
  return { documents, report }
}
