import type { Draw } from '../draw.ts'
import { seededDraw, seedFrom } from '../draw.ts'
import type { Steering } from './arbitrary.ts'
import { compileRoot, groupName } from './arbitrary.ts'
import type { Element } from './document.ts'
import type { AttributeUse, Group, Particle, Schema, SimpleType, Type } from './model.ts'
import { isSimple } from './model.ts'
import { valuesOf } from './values.ts'
import { wantingOf } from './wanting.ts'

/**
 * Documents that together reach everything that a schema allows: every element, every branch of every choice,
 * every optional particle present and absent, both bounds of every occurrence, and at every place each edge of its type.
 */

/** A bound above this makes a document too large to be sent; it is left to the schema. */
const mostSent = 1000

export interface Goal {
  /** Such as `element Faktura/Fa/P_6` or `value Faktura/Fa/RodzajFaktury: enumeration VAT`. */
  readonly id: string
  /** Occurrences that must be at least one on the way, by their path. */
  readonly through: ReadonlySet<string>
  /** Branches that must be taken on the way, by the path of the choice. */
  readonly branches: ReadonlyMap<string, number>
  /** What the document is made for, beyond getting there. */
  readonly wanted:
    | { readonly what: 'reach' }
    | { readonly what: 'occurs'; readonly path: string; readonly times: number }
    | {
        readonly what: 'value'
        readonly type: SimpleType
        readonly edge: number
        readonly path: string
      }
    | { readonly what: 'attribute'; readonly path: string; readonly present: boolean }
}

export interface Unreached {
  readonly goal: string
  readonly reason: string
}

export interface CoverageReport {
  readonly documents: number
  readonly goals: number
  readonly reached: number
  /** Goals by kind, the first word of each. */
  readonly kinds: Readonly<Record<string, { readonly goals: number; readonly reached: number }>>
  readonly unreached: readonly Unreached[]
}

interface Plan {
  readonly goals: ReadonlyMap<string, Goal>
  readonly left: readonly Unreached[]
}

/** Everything there is to reach. Paths are those that a steering is asked about. */
function planOf(schema: Schema, root: string): Plan {
  const goals = new Map<string, Goal>()
  const left: Unreached[] = []
  const add = (id: string, way: Way, wanted: Goal['wanted']) => {
    if (!goals.has(id)) goals.set(id, { id, ...way, wanted })
  }
  type Way = Pick<Goal, 'through' | 'branches'>

  const edges = (type: SimpleType, path: string, way: Way) => {
    for (const [edge, { why }] of valuesOf(type).edges.entries()) {
      add(`value ${path.slice(1)}: ${why}`, way, { what: 'value', type, edge, path })
    }
  }
  const attribute = (use: AttributeUse, path: string, way: Way) => {
    add(`attribute ${path.slice(1)} present`, way, { what: 'attribute', path, present: true })
    if (!use.required) {
      add(`attribute ${path.slice(1)} absent`, way, { what: 'attribute', path, present: false })
    }
    if (use.fixed === undefined) edges(use.type, path, way)
  }
  const occurrence = (particle: Particle, at: string, way: Way) => {
    const { min, max } = particle
    if (min === max) return
    const name = at.slice(1)
    if (min === 0) add(`absent ${name}`, way, { what: 'occurs', path: at, times: 0 })
    add(`least ${name}`, way, { what: 'occurs', path: at, times: Math.max(1, min) })
    if (max <= 1) return
    if (max > mostSent) {
      left.push({
        goal: `most ${name}`,
        reason: `${max === Number.POSITIVE_INFINITY ? 'unbounded' : max}: too large to be sent, known from the schema only`,
      })
    } else add(`most ${name}`, way, { what: 'occurs', path: at, times: max })
  }

  const visit = (particle: Particle, path: string, way: Way, around: readonly Type[]) => {
    if (particle.max === 0) return
    const at =
      particle.kind === 'element' ? `${path}/${particle.name}` : `${path}/${groupName(particle)}`
    occurrence(particle, at, way)
    const inside: Way = { ...way, through: new Set([...way.through, at]) }
    if (particle.kind !== 'element') {
      for (const [i, each] of particle.particles.entries()) {
        const branch: Way =
          particle.kind === 'choice'
            ? { ...inside, branches: new Map([...inside.branches, [at, i]]) }
            : inside
        if (particle.kind === 'choice')
          add(`branch ${i + 1} of ${at.slice(1)}`, branch, { what: 'reach' })
        visit(each, path, branch, around)
      }
      return
    }
    add(`element ${at.slice(1)}`, inside, { what: 'reach' })
    const type = particle.type()
    if (type.kind !== 'complex') {
      if (particle.fixed === undefined) edges(type, at, inside)
      return
    }
    for (const use of type.attributes) attribute(use, `${at}/@${use.name}`, inside)
    if (!type.content) return
    if (isSimple(type.content)) {
      if (particle.fixed === undefined) edges(type.content, at, inside)
    } else if (!around.includes(type)) visit(type.content, at, inside, [...around, type])
  }
  const start = schema.roots.get(root)
  if (!start) throw new RangeError(`the schema has no root element ${root}`)
  visit(start, '', { through: new Set(), branches: new Map() }, [])
  return { goals, left }
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
