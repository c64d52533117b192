import { groupName } from './arbitrary.ts'
import type { AttributeUse, Particle, Schema, SimpleType, Type } from './model.ts'
import { isSimple } from './model.ts'
import { valuesOf } from './values.ts'

/** What there is to reach in the documents of a schema. */

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

export interface Plan {
  readonly goals: ReadonlyMap<string, Goal>
  readonly left: readonly Unreached[]
}

/** Everything there is to reach. Paths are those that a steering is asked about. */
export function planOf(schema: Schema, root: string): Plan {
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
