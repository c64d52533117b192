import type fc from 'fast-check'
import type { Draw } from '../draw/draw.ts'
import { drawn } from '../draw/arbitrary.ts'
import { shallowestBranch } from './depth.ts'
import type { Attribute, Element } from './document.ts'
import { children, textAt } from './document.ts'
import type {
  AttributeUse,
  ComplexType,
  ElementParticle,
  Group,
  Particle,
  Schema,
  SimpleType,
  Type,
  Unique,
} from './model.ts'
import { isSimple } from './model.ts'
import { valuesOf } from './values.ts'

/**
 * What decides where the schema leaves a choice. The default draws everything; coverage steers by standing in
 * between. Paths are those of the schema: names from the root down, groups by their line.
 */
export interface Steering {
  /** How often a particle occurs, within its bounds. */
  readonly occurs: (particle: Particle, path: string, draw: Draw, depth: number) => number
  /** Which branch of a choice is taken. */
  readonly branch: (group: Group, path: string, draw: Draw) => number
  readonly value: (type: SimpleType, path: string, draw: Draw) => string
  readonly attribute: (use: AttributeUse, path: string, draw: Draw) => boolean
}

/** Below this depth optional content is left out, and choices take what ends soonest: recursive schemas end. */
const deepest = 12
/** Below this depth optional content is rare, so that what contains itself many times stays small. */
const deep = 8
/** How often a repeatable particle occurs at most when drawn freely. */
const usualMost = 3

/** A group in a path: by its place in the schema, since it has no name. */
export const groupName = ({ kind, line, column }: Group): string => `(${kind} ${line}:${column})`

export const freely: Steering = {
  occurs: ({ min, max }, _path, draw, depth) => {
    if (min === max || depth > deepest) return min
    const most = Math.max(min, Math.min(max, min + usualMost))
    // Half of what is optional is there, and shrinks away; more than one is rarer.
    if (min === 0 && !draw.chance(depth > deep ? 10 : 50)) return 0
    return (
      Math.max(min, 1) + (most > 1 && draw.chance(25) ? draw.int(0, most - Math.max(min, 1)) : 0)
    )
  },
  branch: (group, _path, draw) => {
    const drawnBranch = draw.int(0, group.particles.length - 1)
    // Choices shrink towards the branch that ends soonest.
    const soonest = shallowestBranch(group)
    if (drawnBranch === 0) return soonest
    return drawnBranch === soonest ? 0 : drawnBranch
  },
  value: (type, _path, draw) => valuesOf(type).draw(draw),
  attribute: ({ required }, _path, draw) => required || draw.chance(50),
}

type Emit = (draw: Draw, steering: Steering, out: Element[], depth: number) => void

function compileParticle(particle: Particle, path: string): Emit {
  const once =
    particle.kind === 'element' ? compileElement(particle, path) : compileGroup(particle, path)
  const at =
    particle.kind === 'element' ? `${path}/${particle.name}` : `${path}/${groupName(particle)}`
  if (particle.min === 1 && particle.max === 1) return once
  return (draw, steering, out, depth) => {
    const times = steering.occurs(particle, at, draw, depth)
    for (let i = 0; i < times; i++) once(draw, steering, out, depth)
  }
}

function compileGroup(group: Group, path: string): Emit {
  const parts = group.particles.map((each) => compileParticle(each, path))
  if (group.kind === 'choice') {
    const at = `${path}/${groupName(group)}`
    return (draw, steering, out, depth) => {
      const taken = depth > deepest ? shallowestBranch(group) : steering.branch(group, at, draw)
      const branch = parts[taken]
      branch?.(draw, steering, out, depth)
    }
  }
  return (draw, steering, out, depth) => {
    for (const part of parts) part(draw, steering, out, depth)
  }
}

const noAttributes: readonly Attribute[] = []

type Content = (
  draw: Draw,
  steering: Steering,
  depth: number,
) => Pick<Element, 'attributes' | 'content'>

/** Leaves out later elements whose fields repeat those of an earlier one. */
function withoutRepeats(of: Element, { selector, fields }: Unique): Element {
  const seen = new Set<string>()
  const visit = (at: Element, depth: number): Element | undefined => {
    if (depth === selector.length) {
      const values = fields.map((path) => textAt(at, ...path))
      if (values.includes(undefined)) return at
      const key = JSON.stringify(values)
      if (seen.has(key)) return undefined
      seen.add(key)
      return at
    }
    const content = children(at).flatMap((each) =>
      each.name === selector[depth] ? (visit(each, depth + 1) ?? []) : each,
    )
    return { ...at, content }
  }
  return visit(of, 0)!
}

function compileElement(particle: ElementParticle, path: string): Emit {
  const { name, namespace, fixed, type, unique } = particle

  const at = `${path}/${name}`
  // Compiled when first met, so that types may contain themselves.
  let content: Content | undefined
  return (draw, steering, out, depth) => {
    content ??= compileType(type(), at, fixed)
    const made: Element = { name, namespace, ...content(draw, steering, depth + 1) }
    out.push(unique.length === 0 ? made : unique.reduce(withoutRepeats, made))
  }
}

function compileType(type: Type, path: string, fixed: string | undefined): Content {
  if (type.kind !== 'complex') {
    return (draw, steering) => ({
      attributes: noAttributes,
      content: fixed ?? steering.value(type, path, draw),
    })
  }
  return compileComplex(type, path, fixed)
}

function compileComplex(type: ComplexType, path: string, fixed: string | undefined): Content {
  const { content } = type
  const attributes = (draw: Draw, steering: Steering): readonly Attribute[] =>
    type.attributes.length === 0
      ? noAttributes
      : type.attributes.flatMap((use) => {
          const at = `${path}/@${use.name}`
          if (!steering.attribute(use, at, draw)) return []
          const value = use.fixed ?? steering.value(use.type, at, draw)
          return [{ name: use.name, value, ...(use.namespace && { namespace: use.namespace }) }]
        })
  if (!content) return (draw, steering) => ({ attributes: attributes(draw, steering), content: [] })
  if (isSimple(content)) {
    return (draw, steering) => ({
      attributes: attributes(draw, steering),
      content: fixed ?? steering.value(content, path, draw),
    })
  }
  const emit = compileParticle(content, path)
  return (draw, steering, depth) => {
    const inside: Element[] = []
    const own = attributes(draw, steering)
    emit(draw, steering, inside, depth)
    return { attributes: own, content: inside }
  }
}

const makers = new WeakMap<object, Emit>()

/** Makes what a particle stands for, outside of a document. */
export function particleMaker(particle: Particle): (draw: Draw, steering?: Steering) => Element[] {
  let emit = makers.get(particle)
  if (!emit) {
    emit = compileParticle(particle, '')
    makers.set(particle, emit)
  }
  const compiled = emit
  return (draw, steering = freely) => {
    const out: Element[] = []
    compiled(draw, steering, out, 0)
    return out
  }
}

/** Makes documents from choices, under a steering. */
export type DocumentMaker = (draw: Draw, steering?: Steering) => Element

/**
 * Compiles a root element of a schema into a function that makes documents valid by that schema.
 *
 * @throws RangeError where the schema has no such root
 */
export function compileRoot(schema: Schema, root: string): DocumentMaker {
  const particle = schema.roots.get(root)
  if (!particle) {
    const names = [...schema.roots.keys()].join(', ')
    throw new RangeError(`the schema has no root element ${root}; it has ${names}`)
  }
  const emit = compileElement(particle, '')
  return (draw, steering = freely) => {
    const out: Element[] = []
    emit(draw, steering, out, 0)
    return out[0]!
  }
}

/** Documents valid by the schema: any structure that it allows, values at random. */
export function documents(schema: Schema, root: string): fc.Arbitrary<Element> {
  const make = compileRoot(schema, root)
  return drawn((draw) => make(draw))
}
