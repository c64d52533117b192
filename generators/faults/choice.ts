import type { InvoiceSchemaId } from '../../contract/environments.ts'
import type { Draw } from '../draw/draw.ts'
import { particleMaker } from '../schema/arbitrary.ts'
import type { Element } from '../schema/document.ts'
import { children } from '../schema/document.ts'
import type { Particle } from '../schema/model.ts'
import type { SchemaGroup } from '../schema/places.ts'
import { childPath, elementAt, withChildren } from './edit.ts'
import { noticedAt } from './missing.ts'
import type { InvoiceMalformation } from './malformation.ts'
import { everySchema } from './malformation.ts'
import { neutrally } from './neutral.ts'
import type { SchemaClass } from './schema-classes.ts'
import { invoicePlaces, schemaMalformations, schemaOf, withPlace } from './schema-classes.ts'

/** The name that a branch begins with. */
const headOf = (particle: Particle): string =>
  particle.kind === 'element' ? particle.name : headOf(particle.particles[0]!)

/** Every name in a particle. */
const namesOf = (particle: Particle): string[] =>
  particle.kind === 'element' ? [particle.name] : particle.particles.flatMap(namesOf)

interface Choice {
  readonly found: Partial<Record<InvoiceSchemaId, SchemaGroup>>
  readonly parent: string
  readonly heads: readonly string[]
}

/** Each choice once, by what it stands in and what it begins with. */
function choices(): Choice[] {
  const out = new Map<
    string,
    { found: Partial<Record<InvoiceSchemaId, SchemaGroup>>; parent: string; heads: string[] }
  >()
  for (const schema of everySchema) {
    const seen = new Set<unknown>()
    for (const group of invoicePlaces(schema).groups) {
      if (group.group.kind !== 'choice' || seen.has(group.group)) continue
      seen.add(group.group)
      const heads = group.group.particles.map(headOf)
      const key = `${group.parent.path}:${heads.join()}`
      const known = out.get(key)
      if (known) known.found[schema] = group
      else out.set(key, { found: { [schema]: group }, parent: group.parent.path, heads })
    }
  }
  return [...out.values()]
}

/** Two branches of one choice, and none of a required one. */
export function choice(): InvoiceMalformation[] {
  const classes: SchemaClass[] = []
  for (const { found, parent, heads } of choices()) {
    const schemas = Object.keys(found) as InvoiceSchemaId[]
    const at = parent.slice('Faktura/'.length)
    const branch = (document: Element, head: string) =>
      found[schemaOf(document)]!.group.particles.find((each) => headOf(each) === head)!
    for (let i = 0; i + 1 < heads.length; i++) {
      const [first, second] = [heads[i]!, heads[i + 1]!]
      classes.push({
        id: `both:${at}/${first}+${second}`,
        summary: `${first} and ${second} exclude each other`,
        schemas,
        prepare: (document: Element, draw: Draw) => withPlace(document, `${parent}/${first}`, draw),
        change: (document: Element, draw: Draw) => {
          const names = new Set(namesOf(branch(document, first)))
          const content = children(elementAt(document, parent))
          const last = content.findLastIndex(({ name }) => names.has(name))
          const steering = {
            ...neutrally(document),
            occurs: ({ min }: Particle) => min,
            branch: () => 0,
          }
          const added = particleMaker({ ...branch(document, second), min: 1, max: 1 })(
            draw,
            steering,
          )
          const extra = added.length > 0 ? added : [{ ...content[last]!, name: second }]
          const both = withChildren(document, parent, (all) => [
            ...all.slice(0, last + 1),
            ...extra,
            ...all.slice(last + 1),
          ])
          const around = elementAt(both, parent)
          return {
            document: both,
            fault: {
              path: childPath(around, parent, last + 1),
              old: first,
              new: `${first}, ${second}`,
              seenAt: extra.map((_, n) => childPath(around, parent, last + 1 + n)),
            },
          }
        },
      })
    }
    classes.push({
      id: `none:${at}/${heads.join('|')}`,
      summary: `none of ${heads.join(', ')} is there`,
      schemas,
      prepare: (document: Element, draw: Draw) =>
        withPlace(document, `${parent}/${heads[0]!}`, draw),
      change: (document: Element) => {
        const { group } = found[schemaOf(document)]!
        const names = new Set(group.particles.flatMap(namesOf))
        const first = children(elementAt(document, parent)).findIndex(({ name }) => names.has(name))
        const without = withChildren(document, parent, (all) => {
          // Only the run from the first on: the same names may occur elsewhere in the parent.
          const end = all.findIndex((each, n) => n >= first && !names.has(each.name))
          return all.filter((_, n) => n < first || (end >= 0 && n >= end))
        })
        return {
          document: without,
          fault: { path: parent, old: heads[0]!, seenAt: noticedAt(without, parent, first) },
        }
      },
    })
  }
  return schemaMalformations('choice', classes)
}
