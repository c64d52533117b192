import type { Draw } from '../draw/draw.ts'
import type { Element } from '../schema/document.ts'
import { children } from '../schema/document.ts'
import type { InvoiceSchemaId } from '../../contract/environments.ts'
import type { Group } from '../schema/model.ts'
import { isSimple } from '../schema/model.ts'
import { childPath, elementAt, withChildren } from './edit.ts'
import type { InvoiceMalformation } from './malformation.ts'
import { everySchema } from './malformation.ts'
import type { SchemaClass } from './schema-classes.ts'
import { invoicePlaces, schemaMalformations, withPlace } from './schema-classes.ts'

/** The first two element names of a sequence that stand beside each other when both are there. */
function firstPair(group: Group): [string, string] | undefined {
  const names = group.particles.flatMap((each) => (each.kind === 'element' ? [each.name] : []))
  return names.length > 1 ? [names[0]!, names[1]!] : undefined
}

/** Each sequence of the schemas once: its path, its pair, and the schemas that have it. */
function pairs(): Map<
  string,
  { parent: string; pair: [string, string]; schemas: InvoiceSchemaId[] }
> {
  const out = new Map<
    string,
    { parent: string; pair: [string, string]; schemas: InvoiceSchemaId[] }
  >()
  for (const schema of everySchema) {
    const seen = new Set<unknown>()
    for (const { particle, path } of invoicePlaces(schema).elements) {
      const type = particle.type()
      if (type.kind !== 'complex' || !type.content || isSimple(type.content) || seen.has(type))
        continue
      seen.add(type)
      const visit = (group: Group) => {
        const pair = group.kind === 'sequence' ? firstPair(group) : undefined
        if (pair) {
          const key = `${path}:${pair.join()}`
          const known = out.get(key)
          if (known) known.schemas.push(schema)
          else out.set(key, { parent: path, pair, schemas: [schema] })
        }
        for (const each of group.particles) if (each.kind !== 'element') visit(each)
      }
      visit(type.content)
    }
  }
  return out
}

/** Further pairs that people mix up: parent, what comes first, what comes later. */
const mixedUp: readonly (readonly [parent: string, first: string, second: string])[] = [
  ['Faktura', 'Podmiot1', 'Podmiot2'],
  ['Faktura/Fa', 'P_1', 'P_2'],
  ['Faktura/Fa', 'P_13_1', 'P_13_2'],
  ['Faktura/Fa', 'RodzajFaktury', 'FaWiersz'],
  ['Faktura/Fa/FaWiersz', 'P_11', 'P_12'],
  ['Faktura/Fa/FaWiersz', 'P_12', 'GTU'],
]

/** Two elements swapped, most of them neighbours. */
export function order(): InvoiceMalformation[] {
  const further = mixedUp.map(([parent, ...pair]) => ({ parent, pair, schemas: everySchema }))
  const classes: SchemaClass[] = [...pairs().values(), ...further].map((each) => {
    const { parent, pair, schemas } = each
    const [first, second] = pair
    return {
      id: `order:${parent.slice('Faktura/'.length) || 'Faktura'}/${second}<${first}`,
      summary: `${second} comes before ${first}`,
      schemas,
      prepare: (document: Element, draw: Draw) =>
        withPlace(withPlace(document, `${parent}/${first}`, draw), `${parent}/${second}`, draw),
      change: (document: Element) => {
        const content = children(elementAt(document, parent))
        const a = content.findIndex(({ name }) => name === first)
        const b = content.findIndex(({ name }) => name === second)
        const moved = withChildren(document, parent, (all) => {
          const rest = all.filter((_, i) => i !== b)
          return [...rest.slice(0, a), all[b]!, ...rest.slice(a)]
        })
        const around = elementAt(moved, parent)
        return {
          document: moved,
          fault: {
            path: `${parent}/${second}`,
            old: `${first}, ${second}`,
            new: `${second}, ${first}`,
            // Where the first is optional, the second may come and only then is the first too late.
            seenAt: [childPath(around, parent, a), childPath(around, parent, a + 1), parent],
          },
        }
      },
    }
  })
  return schemaMalformations(
    'order',
    classes.filter(({ id }) => id !== ''),
  )
}
