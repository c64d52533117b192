import { attributeOf, schemaChildren } from './components.ts'
import type { AttributeUse, Occurs, Particle, Type, Unique } from './model.ts'
import { isSimple, SchemaError } from './model.ts'
import type { ReadElement } from './reader.ts'

/**
 * minOccurs and maxOccurs of a particle.
 *
 * @throws SchemaError where they are no numbers, or contradict each other
 */
export function occursOf(node: ReadElement, file: string): Occurs {
  const [least, most] = ['minOccurs', 'maxOccurs'].map((name) => attributeOf(node, name) ?? '1')
  const max = most === 'unbounded' ? Number.POSITIVE_INFINITY : Number(most)
  const min = Number(least)
  if (!/^\d+$/.test(least!) || !/^(?:\d+|unbounded)$/.test(most!) || min > max) {
    const said = `minOccurs="${least}" maxOccurs="${most}"`
    throw new SchemaError(`${said} of xsd:${node.name} cannot be met`, file, node.line)
  }
  return { min, max }
}

/**
 * xsd:unique. Only paths of child elements are supported: no attributes, no `//`, no alternatives.
 *
 * @throws SchemaError where it uses others
 */
export function uniqueOf(node: ReadElement, file: string): Unique {
  const [selector, ...fields] = schemaChildren(node, file).map((each) => {
    const path = (attributeOf(each, 'xpath') ?? '').trim()
    if (!/^[\w:.-]+(?:\/[\w:.-]+)*$/.test(path)) {
      const said = `xpath="${path}" of xsd:${each.name}`
      throw new SchemaError(`${said} is not supported`, file, each.line)
    }
    return path.split('/').map((step) => step.replace(/^.*:/, ''))
  })
  if (!selector || fields.length === 0) {
    throw new SchemaError('xsd:unique is incomplete', file, node.line)
  }
  return { selector, fields }
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

/** The attributes of a base, those of the same name replaced by a type's own, or taken away where it prohibits them. */
export function override(
  base: readonly AttributeUse[],
  own: readonly AttributeUse[],
): AttributeUse[] {
  const kept = base.filter(
    (b) => !own.some((o) => o.name === b.name && o.namespace === b.namespace),
  )
  return [...kept, ...own].filter(({ prohibited }) => prohibited !== true)
}
