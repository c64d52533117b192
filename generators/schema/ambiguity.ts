import type { ElementParticle, Group, Particle } from './model.ts'

/**
 * Unique particle attribution: exactly one particle matches the next element, without a look at what follows.
 * Wildcards are left out, as are groups that come a fixed number of times: no valid schema is refused.
 */

/** A place of an element in a content model; an element that stands there twice has two. */
interface Place {
  readonly element: ElementParticle
  /** The places that may come next. */
  readonly next: Set<Place>
}

/** The places that begin and end a part of a content model, and whether it may be empty. */
interface Part {
  readonly first: readonly Place[]
  readonly last: readonly Place[]
  readonly empty: boolean
}

const nothing: Part = { first: [], last: [], empty: true }

const join = (from: readonly Place[], to: readonly Place[]): void => {
  for (const place of from) for (const next of to) place.next.add(next)
}

/** One part after the other. */
function followed(before: Part, after: Part): Part {
  join(before.last, after.first)
  return {
    first: before.empty ? [...before.first, ...after.first] : before.first,
    last: after.empty ? [...before.last, ...after.last] : after.last,
    empty: before.empty && after.empty,
  }
}

function inGroup({ kind, particles }: Group, places: Place[]): Part {
  const parts = particles.filter(({ max }) => max > 0).map((each) => partOf(each, places))
  if (kind === 'sequence') return parts.reduce(followed, nothing)
  const first = parts.flatMap((part) => part.first)
  const last = parts.flatMap((part) => part.last)
  const empty =
    kind === 'choice' ? parts.some((part) => part.empty) : parts.every((part) => part.empty)
  return { first, last, empty }
}

function partOf(particle: Particle, places: Place[]): Part {
  let once: Part
  if (particle.kind === 'element') {
    const place: Place = { element: particle, next: new Set() }
    places.push(place)
    once = { first: [place], last: [place], empty: false }
  } else once = inGroup(particle, places)
  if (particle.max > 1 && particle.min !== particle.max) join(once.last, once.first)
  return { ...once, empty: once.empty || particle.min === 0 }
}

/** Two places of one name. */
function twice(places: Iterable<Place>): ElementParticle | undefined {
  const names = new Set<string>()
  for (const { element } of places) {
    if (element.wildcard) continue
    const name = `{${element.namespace}}${element.name}`
    if (names.has(name)) return element
    names.add(name)
  }
  return undefined
}

/** An element of a content model that two of its particles could take at the same place. */
export function ambiguousIn(content: Group): ElementParticle | undefined {
  const places: Place[] = []
  const { first } = partOf(content, places)
  return places.reduce<ElementParticle | undefined>(
    (found, { next }) => found ?? twice(next),
    twice(first),
  )
}
