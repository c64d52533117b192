import { groupName } from './arbitrary.ts'
import type { AttributeUse, Particle, Schema, SimpleType, Type } from './model.ts'
import { isSimple } from './model.ts'
import { valuesOf } from './values.ts'

/** What there is to reach in the documents of a schema. */

/** A bound above this is not tried: so many elements make a document too large. */
const maxOccurrences = 1000
/** Goals of a schema that contains itself have no end; beyond so many, the deeper ones are left out. */
const maxGoals = 60_000

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
  /** What no document is made for, with the reason. */
  readonly left: readonly Unreached[]
}

type Way = Pick<Goal, 'through' | 'branches'>

/** A particle to be visited, and how to get there. */
interface Visit {
  readonly particle: Particle
  readonly path: string
  readonly way: Way
  readonly around: readonly Type[]
}

/** Collects goals, the shallow ones first. Paths are those that a steering is asked about. */
class Planning {
  readonly goals = new Map<string, Goal>()
  readonly left: Unreached[] = []
  readonly #waiting: Visit[] = []

  run(start: Visit): Plan {
    this.#waiting.push(start)
    for (let i = 0; i < this.#waiting.length; i++) {
      const next = this.#waiting[i]!
      if (this.goals.size > maxGoals) {
        this.left.push({
          goal: `everything below ${next.path.slice(1)}, and as deep in other places`,
          reason: `the schema has more than ${maxGoals} goals; the deepest are left out`,
        })
        break
      }
      this.#visit(next)
    }
    return this
  }

  #add(id: string, way: Way, wanted: Goal['wanted']): void {
    if (!this.goals.has(id)) this.goals.set(id, { id, ...way, wanted })
  }

  #values(type: SimpleType, path: string, way: Way): void {
    const { edges, unattainable } = valuesOf(type)
    for (const [edge, { why }] of edges.entries()) {
      this.#add(`value ${path.slice(1)}: ${why}`, way, { what: 'value', type, edge, path })
    }
    for (const why of unattainable) {
      this.left.push({
        goal: `value ${path.slice(1)}: ${why}`,
        reason: 'the other facets of the type leave no such value, or none was found',
      })
    }
  }

  #attribute(use: AttributeUse, path: string, way: Way): void {
    const name = path.slice(1)
    this.#add(`attribute ${name} present`, way, { what: 'attribute', path, present: true })
    if (!use.required) {
      this.#add(`attribute ${name} absent`, way, { what: 'attribute', path, present: false })
    }
    if (use.fixed === undefined) this.#values(use.type, path, way)
  }

  #occurrence({ min, max }: Particle, path: string, way: Way): void {
    if (min === max) return
    const name = path.slice(1)
    if (min === 0) this.#add(`absent ${name}`, way, { what: 'occurs', path, times: 0 })
    this.#add(`least ${name}`, way, { what: 'occurs', path, times: Math.max(1, min) })
    if (max <= 1) return
    if (max <= maxOccurrences) {
      this.#add(`most ${name}`, way, { what: 'occurs', path, times: max })
      return
    }
    const reason = Number.isFinite(max)
      ? `${max} occurrences are possible; no more than ${maxOccurrences} are tried`
      : 'the schema sets no upper bound'
    this.left.push({ goal: `most ${name}`, reason })
  }

  #visit({ particle, path, way, around }: Visit): void {
    if (particle.max === 0) return
    const own = particle.kind === 'element' ? particle.name : groupName(particle)
    const at = `${path}/${own}`
    this.#occurrence(particle, at, way)
    const inside: Way = { ...way, through: new Set([...way.through, at]) }
    if (particle.kind !== 'element') {
      for (const [i, each] of particle.particles.entries()) {
        const chosen = particle.kind === 'choice'
        const branch = chosen
          ? { ...inside, branches: new Map([...inside.branches, [at, i]]) }
          : inside
        if (chosen) this.#add(`branch ${i + 1} of ${at.slice(1)}`, branch, { what: 'reach' })
        this.#waiting.push({ particle: each, path, way: branch, around })
      }
      return
    }
    this.#add(`element ${at.slice(1)}`, inside, { what: 'reach' })
    const type = particle.type()
    const { fixed } = particle
    if (type.kind !== 'complex') {
      if (fixed === undefined) this.#values(type, at, inside)
      return
    }
    for (const use of type.attributes) this.#attribute(use, `${at}/@${use.name}`, inside)
    if (!type.content) return
    if (isSimple(type.content)) {
      if (fixed === undefined) this.#values(type.content, at, inside)
    } else if (!around.includes(type)) {
      const next = { particle: type.content, path: at, way: inside, around: [...around, type] }
      this.#waiting.push(next)
    }
  }
}

/** Everything that the documents of a root can reach. */
export function planOf(schema: Schema, root: string): Plan {
  const particle = schema.roots.get(root)
  if (!particle) throw new RangeError(`the schema has no root element ${root}`)
  const way = { through: new Set<string>(), branches: new Map<string, number>() }
  return new Planning().run({ particle, path: '', way, around: [] })
}
