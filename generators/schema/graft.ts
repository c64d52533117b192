import type { Draw } from '../draw/draw.ts'
import { simplestDraw } from '../draw/draw.ts'
import type { Steering } from './arbitrary.ts'
import { particleMaker } from './arbitrary.ts'
import type { Element } from './document.ts'
import { children } from './document.ts'
import type { Group, Particle } from './model.ts'
import { isSimple } from './model.ts'
import type { SchemaPlace } from './places.ts'

/** How the children of an element fill its content model: each particle with its elements or repetitions. */
type Filled =
  | { readonly particle: Particle; readonly elements: Element[] }
  | { readonly particle: Group; readonly times: Filled[][] }

/** The document does not fill the content model, so nothing can be put in. */
class GraftError extends Error {
  override readonly name = 'GraftError'
}

function canBegin(particle: Particle, node: Element | undefined): boolean {
  if (node === undefined) return false
  if (particle.kind === 'element') return particle.name === node.name
  if (particle.kind !== 'sequence') return particle.particles.some((each) => canBegin(each, node))
  for (const each of particle.particles) {
    if (canBegin(each, node)) return true
    if (!emptiable(each)) return false
  }
  return false
}

function emptiable(particle: Particle): boolean {
  if (particle.min === 0) return true
  if (particle.kind === 'element') return false
  return particle.kind === 'choice'
    ? particle.particles.some(emptiable)
    : particle.particles.every(emptiable)
}

/** Distributes children over a content model; the children are taken from the front of `left`. */
function fill(particle: Particle, left: Element[]): Filled {
  if (particle.kind === 'element') {
    const elements: Element[] = []
    while (elements.length < particle.max && left[0]?.name === particle.name)
      elements.push(left.shift()!)
    return { particle, elements }
  }
  const times: Filled[][] = []
  while (
    times.length < particle.max &&
    (canBegin(particle, left[0]) || times.length < particle.min)
  ) {
    const before = left.length
    if (particle.kind === 'choice') {
      const branch = particle.particles.find((each) => canBegin(each, left[0]))
      times.push(branch ? [fill(branch, left)] : [])
    } else times.push(particle.particles.map((each) => fill(each, left)))
    if (left.length === before) break
  }
  return { particle, times }
}

function flatten(filled: Filled, out: Element[]): void {
  if ('elements' in filled) out.push(...filled.elements)
  else for (const parts of filled.times) for (const part of parts) flatten(part, out)
}

/** What a particle comes to when it must be there: nothing optional inside, values as the steering draws them. */
function needed(particle: Particle, draw: Draw, steering: Steering): Filled {
  const minimal: Steering = { ...steering, occurs: ({ min }) => min, branch: () => 0 }
  if (particle.kind === 'element') {
    return { particle, elements: particleMaker({ ...particle, min: 1, max: 1 })(draw, minimal) }
  }
  if (particle.kind === 'choice') {
    const [first] = particle.particles
    return { particle, times: first ? [[needed(first, draw, steering)]] : [] }
  }
  const parts = particle.particles.map((each) =>
    emptiable(each) && each.min === 0 ? empty(each) : needed(each, draw, steering),
  )
  return { particle, times: [parts] }
}

function empty(particle: Particle): Filled {
  return particle.kind === 'element' ? { particle, elements: [] } : { particle, times: [] }
}

export interface GraftOptions {
  readonly draw: Draw
  readonly steering: Steering
  /** How often the element must occur at its place; default: at least once, and existing ones stay. */
  readonly times?: number
}

/** Above this number copies are as short as can be, so that the document still fits its size. */
const manyCopies = 1000

/**
 * Makes sure that an element occurs at a place below a parent, and that the parent stays valid: what the element
 * needs beside it is added, and branches of a choice that exclude it are removed.
 */
function graftInto(parent: Element, place: SchemaPlace, options: GraftOptions): Element {
  const type = place.parent!.particle.type()
  const content = type.kind === 'complex' ? type.content : undefined
  if (!content || isSimple(content)) throw new GraftError(`${place.path} has no place`)
  const left = [...children(parent)]
  const filled = fill(content, left)
  if (left.length > 0) throw new GraftError(`${left[0]!.name} is in the way below ${parent.name}`)
  const { draw, steering, times } = options
  const chain: Particle[] = [...place.groups.slice(1), place.particle]
  let at: Filled = filled
  for (const next of chain) {
    if ('elements' in at) throw new GraftError(`${place.path} has no place`)
    const { particle } = at
    if (at.times.length === 0) {
      at.times.push(
        particle.kind === 'choice'
          ? []
          : particle.particles.map((each) =>
              each === next || each.min === 0 ? empty(each) : needed(each, draw, steering),
            ),
      )
    }
    const occurrence: Filled[] = at.times[0]!
    let found = occurrence.find((each) => each.particle === next)
    if (!found) {
      found = empty(next)
      if (particle.kind === 'choice') occurrence.splice(0, occurrence.length, found)
      else occurrence.push(found)
    }
    at = found
  }
  if (!('elements' in at)) throw new GraftError(`${place.path} is no element`)
  const wanted = times ?? Math.max(1, at.elements.length)
  const make = particleMaker({ ...place.particle, min: 1, max: 1 })
  const minimal: Steering = { ...steering, occurs: ({ min }) => min, branch: () => 0 }
  if (at.elements.length > wanted) at.elements.length = wanted
  if (at.elements.length < wanted) {
    // Many copies of one are cheaper than many draws, and as good.
    const one = make(wanted > manyCopies ? simplestDraw : draw, minimal)[0]!
    while (at.elements.length < wanted) at.elements.push(one)
  }
  const out: Element[] = []
  flatten(filled, out)
  return { ...parent, content: out }
}

/**
 * Makes sure that the element of a place, and everything on the way to it, is in the document; the first of each
 * name is followed. The result is valid where the document was.
 *
 * @throws GraftError where the document does not fill its content model
 */
export function graft(root: Element, place: SchemaPlace, options: GraftOptions): Element {
  const way: SchemaPlace[] = []
  for (let at: SchemaPlace | undefined = place; at?.parent; at = at.parent) way.unshift(at)
  const step = (at: Element, index: number): Element => {
    const next = way[index]
    if (!next) return at
    const last = index === way.length - 1
    const { draw, steering } = options
    const grown = graftInto(at, next, last ? options : { draw, steering })
    if (last) return grown
    let done = false
    const content = children(grown).map((each) => {
      if (done || each.name !== next.particle.name) return each
      done = true
      return step(each, index + 1)
    })
    return { ...grown, content }
  }
  return step(root, 0)
}
