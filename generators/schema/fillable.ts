import { simplestDraw } from '../draw/draw.ts'
import { ambiguousIn } from './ambiguity.ts'
import { levels } from './depth.ts'
import type { AttributeUse, ElementParticle, Particle, Schema, SimpleType, Type } from './model.ts'
import { isSimple, SchemaError } from './model.ts'
import { ValuesError, valuesOf } from './values.ts'

/**
 * Draws one value of every simple type below a root, so that a type without any is named before a document is made; so
 * are a root that would never end, and content that is ambiguous.
 *
 * @throws SchemaError with the line of the element or attribute that is at fault
 */
export function checkFillable(schema: Schema, root: string): void {
  const seen = new Set<Type>()
  const fill = (type: SimpleType, what: string, { file, line }: AttributeUse | ElementParticle) => {
    try {
      valuesOf(type).draw(simplestDraw)
    } catch (error) {
      if (!(error instanceof ValuesError)) throw error
      throw new SchemaError(`${what}: no value was found that its facets allow`, file, line)
    }
  }
  const visit = (particle: Particle): void => {
    if (particle.kind !== 'element') return particle.particles.forEach(visit)
    if (particle.wildcard?.process === 'lax' || particle.wildcard?.process === 'skip')
      return undefined
    const type = particle.type()
    if (seen.has(type)) return undefined
    seen.add(type)
    const what = `element ${particle.name}`
    if (type.kind !== 'complex') return fill(type, what, particle)
    for (const use of type.attributes) fill(use.type, `attribute ${use.name}`, use)
    if (!type.content) return undefined
    if (isSimple(type.content)) return fill(type.content, what, particle)
    const ambiguous = ambiguousIn(type.content)
    if (ambiguous) {
      const message = `${what}: two particles of its content take the same ${ambiguous.name}`
      throw new SchemaError(message, ambiguous.file, ambiguous.line)
    }
    return visit(type.content)
  }
  const particle = schema.roots.get(root)
  if (!particle) return
  if (levels(particle) === Number.POSITIVE_INFINITY) {
    const message = `element ${root} contains what needs itself: no document of it ends`
    throw new SchemaError(message, particle.file, particle.line)
  }
  visit(particle)
}
