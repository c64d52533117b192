import { checkSimple } from './check.ts'
import type { Broken } from './check.ts'
import type {
  ComplexType,
  ElementParticle,
  Group,
  Particle,
  Schema,
  SimpleType,
  Type,
} from './model.ts'
import { isSimple } from './model.ts'
import { applyWhiteSpace } from './lexical.ts'
import type { ReadAttribute, ReadElement } from './reader.ts'

/** One objection to a document. */
export interface Problem {
  readonly line: number
  readonly column: number
  /** Such as `Faktura/Fa/FaWiersz[2]/P_11` or `…/KodFormularza/@kodSystemowy`. */
  readonly path: string
  readonly kind:
    | 'root'
    | 'unexpected'
    | 'missing'
    | 'value'
    | 'fixed'
    | 'text'
    | 'attribute-missing'
    | 'attribute-unknown'
    | 'repeated'
  readonly message: string
  /** What could stand there. */
  readonly expected?: readonly string[]
  readonly facet?: Broken
}

const instanceNamespace = 'http://www.w3.org/2001/XMLSchema-instance'

type Names = readonly ElementParticle[]

/** The elements that a particle can begin with, and whether it can be empty. */
interface Start {
  readonly names: Names
  readonly emptiable: boolean
}

const starts = new WeakMap<Particle, Start>()

function startOf(particle: Particle): Start {
  const known = starts.get(particle)
  if (known) return known
  let start: Start
  if (particle.kind === 'element') {
    start = { names: [particle], emptiable: particle.min === 0 }
  } else {
    const parts = particle.particles.map(startOf)
    let names: ElementParticle[] = []
    let emptiable: boolean
    if (particle.kind === 'sequence') {
      const first = parts.findIndex((part) => !part.emptiable)
      names = parts.slice(0, first < 0 ? parts.length : first + 1).flatMap((part) => part.names)
      emptiable = first < 0
    } else {
      names = parts.flatMap((part) => part.names)
      emptiable =
        particle.kind === 'choice'
          ? parts.length === 0 || parts.some((part) => part.emptiable)
          : parts.every((part) => part.emptiable)
    }
    start = { names, emptiable: emptiable || particle.min === 0 }
  }
  starts.set(particle, start)
  return start
}

const is = (node: ReadElement | undefined, { name, namespace }: ElementParticle) =>
  node !== undefined && node.name === name && node.namespace === namespace

const canStart = (particle: Particle, node: ReadElement | undefined) =>
  startOf(particle).names.some((each) => is(node, each))

interface Matching {
  readonly nodes: readonly ReadElement[]
  at: number
  /** Which declaration each node was matched to. */
  readonly matched: Map<ReadElement, ElementParticle>
  /** What could have come at the place that was reached last. */
  expected: { at: number; names: Set<string> }
}

function note(matching: Matching, names: Names): void {
  const { expected, at } = matching
  if (at > expected.at) matching.expected = { at, names: new Set() }
  for (const { name } of names) matching.expected.names.add(name)
}

/** Matches a particle where the reader stands; false where something required is not there. */
function match(particle: Particle, matching: Matching): boolean {
  for (let times = 0; times < particle.max; times++) {
    const node = matching.nodes[matching.at]
    note(matching, startOf(particle).names)
    if (!canStart(particle, node)) {
      return times >= particle.min || (particle.kind !== 'element' && startOf(particle).emptiable)
    }
    if (!matchOnce(particle, matching)) return false
  }
  return true
}

function matchOnce(particle: Particle, matching: Matching): boolean {
  const node = matching.nodes[matching.at]
  switch (particle.kind) {
    case 'element':
      matching.matched.set(node!, particle)
      matching.at++
      return true
    case 'sequence':
      return particle.particles.every((part) => match(part, matching))
    case 'choice': {
      const branch = particle.particles.find((part) => canStart(part, node))
      return branch ? match(branch, matching) : startOf(particle).emptiable
    }
    case 'all':
      return matchAll(particle, matching)
  }
}

function matchAll(group: Group, matching: Matching): boolean {
  const left = new Set(group.particles)
  for (;;) {
    const next = [...left].find((part) => canStart(part, matching.nodes[matching.at]))
    if (!next) return [...left].every((part) => startOf(part).emptiable)
    left.delete(next)
    if (!match(next, matching)) return false
  }
}

/**
 * Validates a document that was read. Deterministic content models only, as XML Schema demands; xsi:type may name the
 * type that the element has anyway, as some writers do, and no other.
 */
export function validate(schema: Schema, root: ReadElement): Problem[] {
  const problems: Problem[] = []
  const add = (
    { line, column }: Pick<ReadElement, 'line' | 'column'>,
    path: string,
    kind: Problem['kind'],
    message: string,
    more: Pick<Problem, 'expected' | 'facet'> = {},
  ) => problems.push({ line, column, path, kind, message, ...more })

  const value = (node: ReadElement, path: string, type: SimpleType, fixed: string | undefined) => {
    if (node.children.length > 0) {
      add(
        node.children[0]!,
        `${path}/${node.children[0]!.name}`,
        'unexpected',
        'only text may stand here',
      )
      return
    }
    // An empty element takes the fixed value.
    if (fixed !== undefined && node.text === '') return
    const facet = checkSimple(type, node.text)
    if (facet) add(node, path, 'value', `"${node.text}" breaks ${facet}`, { facet })
    else if (fixed !== undefined && node.text !== fixed) {
      add(node, path, 'fixed', `"${node.text}" is not "${fixed}"`, { expected: [fixed] })
    }
  }

  /** Whether an xsi:type names the declared type. */
  const isDeclaredType = ({ scope }: ReadElement, named: string, type: Type): boolean => {
    const [, prefix = '', local] =
      /^(?:([^:]*):)?([^:]*)$/.exec(applyWhiteSpace(named, 'collapse')) ?? []
    return local === type.name && scope[prefix] === schema.targetNamespace
  }

  const attributes = (node: ReadElement, path: string, type: Type) => {
    const uses = type.kind === 'complex' ? type.attributes : []
    const same = (a: ReadAttribute, b: { name: string; namespace: string }) =>
      a.name === b.name && a.namespace === b.namespace
    for (const each of node.attributes) {
      if (
        each.namespace === instanceNamespace &&
        /^(?:no)?[nN]?amespaceSchemaLocation$|^schemaLocation$/.test(each.name)
      ) {
        continue
      }
      if (
        each.namespace === instanceNamespace &&
        each.name === 'type' &&
        isDeclaredType(node, each.value, type)
      )
        continue
      const at = `${path}/@${each.name}`
      const use = uses.find((candidate) => same(each, candidate))
      if (!use) add(node, at, 'attribute-unknown', `attribute ${each.name} is not declared`)
      else {
        const facet = checkSimple(use.type, each.value)
        if (facet) add(node, at, 'value', `"${each.value}" breaks ${facet}`, { facet })
        else if (use.fixed !== undefined && each.value !== use.fixed) {
          add(node, at, 'fixed', `"${each.value}" is not "${use.fixed}"`, { expected: [use.fixed] })
        }
      }
    }
    for (const use of uses) {
      if (use.required && !node.attributes.some((each) => same(each, use))) {
        add(node, `${path}/@${use.name}`, 'attribute-missing', `attribute ${use.name} is missing`)
      }
    }
  }

  const complex = (
    node: ReadElement,
    path: string,
    type: ComplexType,
    fixed: string | undefined,
  ) => {
    attributes(node, path, type)
    const { content } = type
    if (content && isSimple(content)) return value(node, path, content, fixed)
    if (/[^ \t\r\n]/.test(node.text)) add(node, path, 'text', 'text stands where only elements may')
    const matching: Matching = {
      nodes: node.children,
      at: 0,
      matched: new Map(),
      expected: { at: 0, names: new Set() },
    }
    const complete = content === undefined || match(content, matching)
    const paths = childPaths(node, path)
    if (!complete || matching.at < node.children.length) {
      const rest = node.children[matching.at]
      const expected = matching.expected.at === matching.at ? [...matching.expected.names] : []
      const could = expected.length > 0 ? `; expected: ${expected.join(', ')}` : ''
      if (rest) {
        add(rest, paths.get(rest)!, 'unexpected', `${rest.name} may not stand here${could}`, {
          expected,
        })
      } else add(node, path, 'missing', `something is missing at the end${could}`, { expected })
    }
    for (const [inner, particle] of matching.matched) element(inner, paths.get(inner)!, particle)
    return undefined
  }

  const element = (node: ReadElement, path: string, particle: ElementParticle) => {
    const type: Type = particle.type()
    if (type.kind === 'complex') complex(node, path, type, particle.fixed)
    else {
      attributes(node, path, type)
      value(node, path, type, particle.fixed)
    }
    for (const { selector, fields } of particle.unique) {
      const seen = new Set<string>()
      for (const target of select([node], selector)) {
        const key = fields.map((field) => select([target], field)[0]?.text)
        if (key.includes(undefined)) continue
        const text = JSON.stringify(key)
        if (seen.has(text))
          add(target, `${path}/${selector.join('/')}`, 'repeated', `${text} stands twice`)
        seen.add(text)
      }
    }
  }

  const declared = schema.roots.get(root.name)
  if (!declared || root.namespace !== declared.namespace) {
    const expected = [...schema.roots.values()].map(
      ({ name, namespace }) => `{${namespace}}${name}`,
    )
    add(root, root.name, 'root', `{${root.namespace}}${root.name} is no root of the schema`, {
      expected,
    })
  } else element(root, root.name, declared)
  return problems.toSorted((a, b) => a.line - b.line || a.column - b.column)
}

function select(from: readonly ReadElement[], path: readonly string[]): readonly ReadElement[] {
  return path.reduce<readonly ReadElement[]>(
    (nodes, name) => nodes.flatMap((node) => node.children.filter((each) => each.name === name)),
    from,
  )
}

function childPaths(node: ReadElement, path: string): Map<ReadElement, string> {
  const seen = new Map<string, number>()
  return new Map(
    node.children.map((each) => {
      const nth = (seen.get(each.name) ?? 0) + 1
      seen.set(each.name, nth)
      return [each, `${path}/${each.name}${nth > 1 ? `[${nth}]` : ''}`]
    }),
  )
}
