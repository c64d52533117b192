import type fc from 'fast-check'
import type { Draw } from '../draw/draw.ts'
import { drawn } from '../draw/arbitrary.ts'
import { shallowestBranch } from './depth.ts'
import type { Attribute, Element } from './document.ts'
import type {
  AttributeUse,
  ComplexType,
  ElementParticle,
  Group,
  Particle,
  Schema,
  SimpleType,
  Type,
} from './model.ts'
import { honour, identify } from './honour.ts'
import type { DrawnValues } from './honour.ts'
import { isSimple, SchemaError } from './model.ts'
import { valuesOf } from './values.ts'

/**
 * What decides where the schema leaves a choice. The default draws everything; coverage wraps it to steer. Paths are
 * those of the schema: names from the root down, groups by their line.
 */
export interface Steering {
  /** How often a particle occurs, within its bounds. */
  readonly occurs: (particle: Particle, path: string, draw: Draw, depth: number) => number
  /** Which branch of a choice is taken. */
  readonly branch: (group: Group, path: string, draw: Draw) => number
  readonly value: (type: SimpleType, path: string, draw: Draw) => string
  readonly attribute: (use: AttributeUse, path: string, draw: Draw) => boolean
  /** Number of elements in a document beyond which optional content is left out; 5,000 when absent. */
  readonly maxElements?: number
}

/** Below this depth optional content is left out, and choices take what ends soonest: recursive schemas end. */
const maxDepth = 12
/** Beyond this number of elements a document gets no more optional content. */
const maxElements = 5_000
/** Maximum number of times that a repeatable particle occurs when drawn freely. */
const maxRepeats = 3

/** Percentage of cases in which optional content is there, by depth: documents of large schemas stay readable. */
const optionalPercent = (depth: number) => [50, 50, 50, 40, 25, 15, 8, 5][depth] ?? 3

/** A group in a path: by its place in the schema, since it has no name. */
export const groupName = ({ kind, line, column }: Group): string => `(${kind} ${line}:${column})`

export const freely: Steering = {
  occurs: ({ min, max }, _path, draw, depth) => {
    if (min === max || depth > maxDepth) return min
    const bound = Math.max(min, Math.min(max, min + maxRepeats))
    if (min === 0 && !draw.chance(optionalPercent(depth))) return 0
    return (
      Math.max(min, 1) + (bound > 1 && draw.chance(25) ? draw.int(0, bound - Math.max(min, 1)) : 0)
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

/** A document in the making. */
interface Making {
  elements: number
  /** A bound was reached, and optional content was left out for it. */
  bounded: boolean
  readonly drawn: DrawnValues
}

const making = (): Making => ({ elements: 0, bounded: false, drawn: new Map() })

type Emit = (draw: Draw, steering: Steering, out: Element[], depth: number, made: Making) => void

function compileParticle(particle: Particle, path: string): Emit {
  const once =
    particle.kind === 'element' ? compileElement(particle, path) : compileGroup(particle, path)
  const at =
    particle.kind === 'element' ? `${path}/${particle.name}` : `${path}/${groupName(particle)}`
  if (particle.min === 1 && particle.max === 1) return once
  return (draw, steering, out, depth, made) => {
    const full = made.elements > (steering.maxElements ?? maxElements)
    if (full || depth > maxDepth) made.bounded = true
    const times = full ? particle.min : steering.occurs(particle, at, draw, depth)
    for (let i = 0; i < times; i++) once(draw, steering, out, depth, made)
  }
}

function compileGroup(group: Group, path: string): Emit {
  const parts = group.particles.map((each) => compileParticle(each, path))
  if (group.kind === 'choice') {
    const at = `${path}/${groupName(group)}`
    return (draw, steering, out, depth, made) => {
      const ends = depth > maxDepth || made.elements > (steering.maxElements ?? maxElements)
      const branch = parts[ends ? shallowestBranch(group) : steering.branch(group, at, draw)]
      branch?.(draw, steering, out, depth, made)
    }
  }
  return (draw, steering, out, depth, made) => {
    for (const part of parts) part(draw, steering, out, depth, made)
  }
}

const noAttributes: readonly Attribute[] = []

type Content = (
  draw: Draw,
  steering: Steering,
  depth: number,
  made: Making,
) => Pick<Element, 'attributes' | 'content'>

/** Documents that are tried until the identity constraints of an element hold. */
const maxTries = 30

function compileElement(particle: ElementParticle, path: string): Emit {
  const { name, namespace, fixed, type, identities, file } = particle
  const at = `${path}/${name}`
  // Compiled when first met, so that types may contain themselves.
  let content: Content | undefined
  const once = (draw: Draw, steering: Steering, depth: number, made: Making): Element => {
    content ??= compileType(type(), at, fixed)
    made.elements++
    const element = { name, namespace, ...content(draw, steering, depth + 1, made) }
    const own = fixed === undefined ? simpleTypeOf(type()) : undefined
    if (own) made.drawn.set(element, own)
    return element
  }
  if (identities.length === 0) {
    return (draw, steering, out, depth, made) => {
      out.push(once(draw, steering, depth, made))
    }
  }
  return (draw, steering, out, depth, made) => {
    for (let i = 0; ; i++) {
      const element = once(draw, steering, depth, made)
      const broken = honour(element, identities, made.drawn, draw)
      if (!broken) {
        out.push(element)
        return
      }
      if (i === maxTries) {
        const message = `xsd:${broken.kind} ${broken.name}: no document was found in which it holds`
        throw new SchemaError(message, file, broken.line)
      }
    }
  }
}

function simpleTypeOf(type: Type): SimpleType | undefined {
  if (type.kind !== 'complex') return type
  return type.content && isSimple(type.content) ? type.content : undefined
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
  const attributes = (draw: Draw, steering: Steering, made: Making): readonly Attribute[] =>
    type.attributes.length === 0
      ? noAttributes
      : type.attributes.flatMap((use) => {
          const at = `${path}/@${use.name}`
          if (!steering.attribute(use, at, draw)) return []
          const value = use.fixed ?? steering.value(use.type, at, draw)
          const own = { name: use.name, value, ...(use.namespace && { namespace: use.namespace }) }
          if (use.fixed === undefined) made.drawn.set(own, use.type)
          return [own]
        })
  if (!content) {
    return (draw, steering, _depth, made) => ({
      attributes: attributes(draw, steering, made),
      content: [],
    })
  }
  if (isSimple(content)) {
    return (draw, steering, _depth, made) => ({
      attributes: attributes(draw, steering, made),
      content: fixed ?? steering.value(content, path, draw),
    })
  }
  const emit = compileParticle(content, path)
  return (draw, steering, depth, made) => {
    const inside: Element[] = []
    const own = attributes(draw, steering, made)
    emit(draw, steering, inside, depth, made)
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
    compiled(draw, steering, out, 0, making())
    return out
  }
}

/** Makes documents from choices, under a steering. */
export type DocumentMaker = (draw: Draw, steering?: Steering, onBound?: () => void) => Element

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
  return (draw, steering = freely, onBound) => {
    for (let i = 0; i < maxTries; i++) {
      const out: Element[] = []
      const made = making()
      emit(draw, steering, out, 0, made)
      if (!identify(made.drawn, draw)) continue
      if (made.bounded) onBound?.()
      return out[0]!
    }
    const message = `${root}: xsd:IDREF has no xsd:ID in the document to refer to`
    throw new SchemaError(message, particle.file, particle.line)
  }
}

/** Documents valid by the schema: any structure that it allows, values at random. */
export function documents(schema: Schema, root: string): fc.Arbitrary<Element> {
  const make = compileRoot(schema, root)
  return drawn((draw) => make(draw))
}
