import { attributeOf } from './components.ts'
import type { Occurs, Particle, Type } from './model.ts'
import { isSimple, SchemaError } from './model.ts'
import type { ReadElement } from './read-document.ts'

/**
 * minOccurs and maxOccurs of a particle.
 *
 * @throws SchemaError where they are not numbers, or contradict each other
 */
export function occursOf(node: ReadElement, file: string): Occurs {
  const [min, max] = ['minOccurs', 'maxOccurs'].map((name) => attributeOf(node, name) ?? '1')
  const bound = max === 'unbounded' ? Number.POSITIVE_INFINITY : Number(max)
  if (!/^\d+$/.test(min!) || !/^(?:\d+|unbounded)$/.test(max!) || Number(min) > bound) {
    const said = `minOccurs="${min}" maxOccurs="${max}"`
    throw new SchemaError(`${said} of xsd:${node.name} cannot be met`, file, node.line)
  }
  return { min: Number(min), max: bound }
}

/** Resolves every type below, so that what is not supported is reported before a document is made. */
export function inspect(type: Type, seen: Set<Type>): void {
  const waiting: Type[] = [type]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (seen.has(next)) continue
    seen.add(next)
    if (next.kind !== 'complex' || !next.content || isSimple(next.content)) continue
    const step = (particle: Particle) => {
      if (particle.kind !== 'element') particle.particles.forEach(step)
      else if (!particle.wildcard) waiting.push(particle.type())
    }
    step(next.content)
  }
}
