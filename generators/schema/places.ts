import type { AttributeUse, ElementParticle, Group, Particle, Schema } from './model.ts'
import { isSimple } from './model.ts'

/** One place of an element in a schema: how to get there from the root. */
export interface SchemaPlace {
  /** Names from the root, such as `Faktura/Fa/FaWiersz/P_12`. */
  readonly path: string
  readonly particle: ElementParticle
  /** The place of the element around it; undefined for the root. */
  readonly parent: SchemaPlace | undefined
  /** The groups between the parent and this element, outermost first. */
  readonly groups: readonly Group[]
}

export interface SchemaGroup {
  readonly group: Group
  readonly parent: SchemaPlace
  readonly groups: readonly Group[]
}

export interface SchemaPlaces {
  readonly elements: readonly SchemaPlace[]
  readonly byPath: ReadonlyMap<string, SchemaPlace>
  readonly groups: readonly SchemaGroup[]
  readonly attributes: readonly { readonly place: SchemaPlace; readonly use: AttributeUse }[]
}

/** No path is followed further than this: schemas that contain themselves have no end. */
const deepest = 24

/** Every element, group and attribute below a root, in the order of the schema. */
export function placesOf(schema: Schema, root: string): SchemaPlaces {
  const elements: SchemaPlace[] = []
  const groups: SchemaGroup[] = []
  const attributes: { place: SchemaPlace; use: AttributeUse }[] = []
  const visit = (place: SchemaPlace, depth: number) => {
    elements.push(place)
    const type = place.particle.type()
    if (type.kind !== 'complex') return
    for (const use of type.attributes) attributes.push({ place, use })
    if (!type.content || isSimple(type.content) || depth > deepest) return
    const step = (particle: Particle, around: readonly Group[]) => {
      if (particle.kind === 'element') {
        const path = `${place.path}/${particle.name}`
        visit({ path, particle, parent: place, groups: around }, depth + 1)
      } else {
        groups.push({ group: particle, parent: place, groups: around })
        for (const each of particle.particles) step(each, [...around, particle])
      }
    }
    step(type.content, [])
  }
  const particle = schema.roots.get(root)
  if (!particle) throw new RangeError(`the schema has no root element ${root}`)
  visit({ path: root, particle, parent: undefined, groups: [] }, 0)
  return {
    elements,
    groups,
    attributes,
    byPath: new Map(elements.map((each) => [each.path, each])),
  }
}
