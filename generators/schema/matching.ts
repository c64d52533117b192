import type { ElementParticle, Group, Particle } from './model.ts'
import type { ReadElement } from './read-document.ts'
import { allowsNamespace } from './wildcard.ts'

/** Matches the children of an element against its content model without backtracking, as XML Schema demands. */

/** The elements that a particle can begin with, and whether it can be empty. */
interface Start {
  readonly names: readonly ElementParticle[]
  readonly emptiable: boolean
}

const starts = new WeakMap<Particle, Start>()

function startOf(particle: Particle): Start {
  const known = starts.get(particle)
  if (known) return known
  const own =
    particle.kind === 'element' ? { names: [particle], emptiable: false } : startOfGroup(particle)
  const start = { ...own, emptiable: own.emptiable || particle.min === 0 }
  starts.set(particle, start)
  return start
}

function startOfGroup({ kind, particles }: Group): Start {
  const parts = particles.map(startOf)
  if (kind === 'sequence') {
    const first = parts.findIndex((part) => !part.emptiable)
    const names = parts.slice(0, first < 0 ? parts.length : first + 1).flatMap((part) => part.names)
    return { names, emptiable: first < 0 }
  }
  return {
    names: parts.flatMap((part) => part.names),
    emptiable:
      kind === 'choice'
        ? parts.length === 0 || parts.some((part) => part.emptiable)
        : parts.every((part) => part.emptiable),
  }
}

const is = (node: ReadElement | undefined, { name, namespace, wildcard }: ElementParticle) =>
  node !== undefined &&
  (wildcard === undefined
    ? node.name === name && node.namespace === namespace
    : allowsNamespace(wildcard, node.namespace))

const canStart = (particle: Particle, node: ReadElement | undefined) =>
  startOf(particle).names.some((each) => is(node, each))

/** The result of matching the children of an element. */
export interface Matched {
  /** Which declaration each child was matched to. */
  readonly declarations: ReadonlyMap<ReadElement, ElementParticle>
  /** Children that were matched; the one after them is where the content model ends. */
  readonly count: number
  readonly complete: boolean
  /** What is required at the place that was reached, and missing there. */
  readonly required: readonly string[]
  /** What may come there. */
  readonly expected: readonly string[]
}

class Matching {
  readonly nodes: readonly ReadElement[]
  readonly declarations = new Map<ReadElement, ElementParticle>()
  at = 0
  required: readonly string[] = []
  #expected = { at: 0, names: new Set<string>() }

  constructor(nodes: readonly ReadElement[]) {
    this.nodes = nodes
  }

  get expected(): readonly string[] {
    return this.#expected.at === this.at ? [...this.#expected.names] : []
  }

  /** Matches a particle here; false where something required is not there. */
  match(particle: Particle): boolean {
    for (let times = 0; times < particle.max; times++) {
      const node = this.nodes[this.at]
      const { names, emptiable } = startOf(particle)
      this.#note(names)
      if (!canStart(particle, node)) {
        const holds = times >= particle.min || (particle.kind !== 'element' && emptiable)
        if (!holds) this.required = namesOf(names)
        return holds
      }
      if (!this.#matchOnce(particle)) return false
    }
    return true
  }

  #note(names: readonly ElementParticle[]): void {
    if (this.at > this.#expected.at) this.#expected = { at: this.at, names: new Set() }
    for (const name of namesOf(names)) this.#expected.names.add(name)
  }

  #matchOnce(particle: Particle): boolean {
    const node = this.nodes[this.at]
    switch (particle.kind) {
      case 'element':
        this.declarations.set(node!, particle)
        this.at++
        return true
      case 'sequence':
        return particle.particles.every((part) => this.match(part))
      case 'choice': {
        const branch = particle.particles.find((part) => canStart(part, node))
        return branch ? this.match(branch) : startOf(particle).emptiable
      }
      case 'all':
        return this.#matchAll(particle)
    }
  }

  #matchAll(group: Group): boolean {
    const left = new Set(group.particles)
    for (;;) {
      const next = [...left].find((part) => canStart(part, this.nodes[this.at]))
      if (!next) break
      left.delete(next)
      if (!this.match(next)) return false
    }
    const missing = [...left].filter((part) => !startOf(part).emptiable)
    this.required = missing.flatMap((part) => namesOf(startOf(part).names))
    return missing.length === 0
  }
}

const namesOf = (particles: readonly ElementParticle[]) =>
  particles.map(({ name, wildcard }) => (wildcard ? 'any element' : name))

/** Matches children against a content model; without one there may be none. */
export function matchChildren(content: Group | undefined, nodes: readonly ReadElement[]): Matched {
  const matching = new Matching(nodes)
  const complete = content === undefined || matching.match(content)
  return {
    declarations: matching.declarations,
    count: matching.at,
    complete,
    required: complete ? [] : matching.required,
    expected: matching.expected,
  }
}

const declared = new WeakMap<Group, ReadonlySet<string>>()

/** The names of all elements in a content model, wherever they may come. */
export function namesIn(content: Group | undefined): ReadonlySet<string> {
  if (content === undefined) return new Set()
  let names = declared.get(content)
  if (!names) {
    const all = (particle: Particle): string[] =>
      particle.kind === 'element' ? [particle.name] : particle.particles.flatMap(all)
    names = new Set(all(content))
    declared.set(content, names)
  }
  return names
}
