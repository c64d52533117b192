import { attributeOf } from './components.ts'
import type { AttributeUse, Occurs, Particle, Type } from './model.ts'
import { isSimple } from './model.ts'
import type { ReadElement } from './reader.ts'

/** minOccurs and maxOccurs of a particle. */
export function occursOf(node: ReadElement): Occurs {
  const max = attributeOf(node, 'maxOccurs') ?? '1'
  return {
    min: Number(attributeOf(node, 'minOccurs') ?? '1'),
    max: max === 'unbounded' ? Number.POSITIVE_INFINITY : Number(max),
  }
}

/** Looks at every type below, so that what is not supported is reported at once. */
export function inspect(type: Type, seen: Set<Type>): void {
  if (seen.has(type)) return
  seen.add(type)
  if (type.kind !== 'complex' || !type.content || isSimple(type.content)) return
  const step = (particle: Particle) => {
    if (particle.kind === 'element') inspect(particle.type(), seen)
    else particle.particles.forEach(step)
  }
  step(type.content)
}

/** The attributes of a base, those of the same name replaced by a type's own. */
export function override(
  base: readonly AttributeUse[],
  own: readonly AttributeUse[],
): AttributeUse[] {
  const kept = base.filter(
    (b) => !own.some((o) => o.name === b.name && o.namespace === b.namespace),
  )
  return [...kept, ...own]
}
