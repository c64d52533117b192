import { seedFrom } from '../../lib/random.ts'
import type { Draw } from '../draw/draw.ts'
import { seededDraw } from '../draw/draw.ts'
import type { Steering } from './arbitrary.ts'
import { compileRoot } from './arbitrary.ts'
import type { Element } from './document.ts'
import type { Goal, Unreached } from './goals.ts'
import { planOf } from './goals.ts'
import type { Group, Particle, Schema, SimpleType } from './model.ts'
import { contentsOf } from './contents.ts'
import { valuesOf } from './values.ts'
import { wantingOf } from './wanting.ts'

/**
 * Documents that together reach everything that a schema allows: every element, every branch of every choice,
 * every optional particle present and absent, both bounds of every occurrence, and each edge of its type at each place.
 * A goal counts as reached only when a finished document has what it asks for.
 */

export interface CoverageReport {
  readonly documents: number
  /** Everything that the schema allows, with what no document is made for. */
  readonly goals: number
  readonly reached: number
  /** Goals by kind, the first word of each. */
  readonly kinds: Readonly<Record<string, { readonly goals: number; readonly reached: number }>>
  readonly unreached: readonly Unreached[]
}

/** Elements of a document that is steered to the upper bound of an occurrence. */
const maxElements = 200_000
/** Documents that are made for one goal. */
const maxAttempts = 3

export interface CoverageOptions {
  readonly schema: Schema
  readonly root: string
  readonly seed: number
  readonly maxDocuments: number
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

/** The goals of a schema that are still open. */
class OpenGoals {
  readonly all: ReadonlyMap<string, Goal>
  readonly #open: Map<string, Goal>
  readonly #wanting: ReturnType<typeof wantingOf>
  /** What the document in the making is said to have; the finished one must have it. */
  readonly #claimed = new Set<string>()
  /** The next edge to try at each place. */
  readonly #nextEdge = new Map<string, number>()

  constructor(goals: ReadonlyMap<string, Goal>) {
    this.all = goals
    this.#open = new Map(goals)
    this.#wanting = wantingOf(goals)
  }

  has(id: string): boolean {
    return this.#open.has(id) && !this.#claimed.has(id)
  }

  isOpen(id: string): boolean {
    return this.#open.has(id)
  }

  /** Where values are still to be tried. */
  isWanted(what: string): boolean {
    return this.#wanting.has(what)
  }

  claim(id: string): void {
    this.#claimed.add(id)
  }

  /** The value of the next edge that was not tried at a place. */
  nextEdge(type: SimpleType, path: string, draw: Draw): string | undefined {
    const name = path.slice(1)
    const { edges } = valuesOf(type)
    const edge = this.#nextEdge.get(name) ?? 0
    const next = edges[edge]
    if (!next) return undefined
    this.#nextEdge.set(name, edge + 1)
    return this.edge(type, edge, path, draw)
  }

  /** The value of an edge; undefined where these choices find none. */
  edge(type: SimpleType, edge: number, path: string, draw: Draw): string | undefined {
    const { why, make } = valuesOf(type).edges[edge] ?? {}
    const value = make?.(draw)
    if (value !== undefined) this.claim(`value ${path.slice(1)}: ${why}`)
    return value
  }

  /** Closes what was claimed and what the finished document has besides. */
  finish(document: Element): void {
    const contents = contentsOf(document)
    for (const id of [...this.#claimed, ...contents.elements]) {
      const goal = this.#open.get(id)
      if (!goal || !contents.confirms(goal)) continue
      this.#open.delete(id)
      if (goal.wanted.what === 'value') this.#wanting.release(goal)
    }
    this.#claimed.clear()
  }
}

function branchWhere(group: Group, holds: (branch: number) => boolean): number | undefined {
  const found = group.particles.findIndex((_, i) => holds(i))
  return found < 0 ? undefined : found
}

/** How often a particle occurs, on the way to a goal. */
function timesOf(
  { wanted, through }: Goal,
  open: OpenGoals,
  { min, max }: Particle,
  path: string,
  draw: Draw,
): number | undefined {
  const name = path.slice(1)
  if (wanted.what === 'occurs' && wanted.path === path) return wanted.times
  // Within many copies each is as small as can be.
  if (wanted.what === 'occurs' && wanted.times > 3 && path.startsWith(`${wanted.path}/`)) return min
  const few = Math.max(1, min)
  if (through.has(path)) {
    return open.has(`least ${name}`) || max > 3 ? few : Math.min(max, few + draw.int(0, 1))
  }
  if (min === max) return min
  if (min === 0 && open.has(`absent ${name}`)) return 0
  if (open.has(`least ${name}`)) return few
  if (max <= 3 && open.has(`most ${name}`)) return max
  return open.isWanted(path) ? few : undefined
}

/** Steers a document to one goal, and to whatever else is still open on the way there. */
function steeringTo(
  goal: Goal,
  open: OpenGoals,
  { base, keepValue = () => false }: CoverageOptions,
): Steering {
  const { wanted, branches } = goal
  let served = false
  return {
    maxElements,
    occurs: (particle, path, draw, depth) => {
      const times =
        timesOf(goal, open, particle, path, draw) ?? base.occurs(particle, path, draw, depth)
      const name = path.slice(1)
      if (times === 0) open.claim(`absent ${name}`)
      if (times === Math.max(1, particle.min)) open.claim(`least ${name}`)
      if (times === particle.max) open.claim(`most ${name}`)
      return times
    },
    branch: (group, path, draw) => {
      const branch =
        branches.get(path) ??
        branchWhere(group, (i) => open.has(`branch ${i + 1} of ${path.slice(1)}`)) ??
        branchWhere(group, (i) => open.isWanted(`${path} ${i}`)) ??
        base.branch(group, path, draw)
      open.claim(`branch ${branch + 1} of ${path.slice(1)}`)
      return branch
    },
    value: (type, path, draw) => {
      let value: string | undefined
      if (wanted.what === 'value' && wanted.path === path && !served) {
        served = true
        value = open.edge(type, wanted.edge, path, draw)
      } else if (!keepValue(path)) value = open.nextEdge(type, path, draw)
      return value ?? base.value(type, path, draw)
    },
    attribute: (use, path, draw) => {
      const name = path.slice(1)
      const isHere = wanted.what === 'attribute' && wanted.path === path
      const present =
        use.required ||
        (wanted.what === 'value' && wanted.path === path) ||
        (isHere
          ? wanted.present
          : open.has(`attribute ${name} present`) || base.attribute(use, path, draw))
      open.claim(`attribute ${name} ${present ? 'present' : 'absent'}`)
      return present
    },
  }
}

/** Makes documents for every goal of a schema. */
export function coverage(options: CoverageOptions): CoverageRun {
  const { schema, root, seed, maxDocuments } = options
  const { goals, left } = planOf(schema, root)
  const open = new OpenGoals(goals)
  const make = compileRoot(schema, root)
  /** Goals that were tried, and how often. */
  const tried = new Map<string, number>()
  let made = 0

  function* documents(): Generator<Element> {
    for (const goal of goals.values()) {
      // A goal may have been reached on the way to another; each gets a few attempts.
      for (let attempt = 0; attempt < maxAttempts && open.isOpen(goal.id); attempt++) {
        if (made >= maxDocuments) return
        tried.set(goal.id, attempt + 1)
        const draw = seededDraw(seedFrom(seed, goal.id, attempt))
        const document = make(draw, steeringTo(goal, open, options))
        made++
        open.finish(document)
        yield document
      }
    }
  }

  const report = (): CoverageReport => {
    const kinds: Record<string, { goals: number; reached: number }> = {}
    const missed = [...goals.keys()].filter((id) => open.isOpen(id))
    const count = (id: string, by: 'goals' | 'reached') => {
      const kind = (kinds[id.slice(0, id.indexOf(' '))] ??= { goals: 0, reached: 0 })
      kind[by]++
    }
    for (const id of [...goals.keys(), ...left.map(({ goal }) => goal)]) count(id, 'goals')
    for (const id of goals.keys()) if (!open.isOpen(id)) count(id, 'reached')
    const reasonOf = (id: string) => {
      const attempts = tried.get(id)
      if (attempts === undefined) return `not tried: ${maxDocuments} documents were made before`
      return `${attempts} ${attempts === 1 ? 'document was' : 'documents were'} made for it, and none has it`
    }
    return {
      documents: made,
      goals: goals.size + left.length,
      reached: goals.size - missed.length,
      kinds,
      unreached: [...left, ...missed.map((goal) => ({ goal, reason: reasonOf(goal) }))],
    }
  }
  return { documents, report }
}
