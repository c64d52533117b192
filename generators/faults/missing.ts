import type { Element } from '../schema/document.ts'
import { children } from '../schema/document.ts'
import { childPath, elementAt, nameOf, parentOf, withChildren } from './edit.ts'
import type { InvoiceMalformation } from './malformation.ts'
import type { SchemaClass } from './schema-classes.ts'
import { representativePlaces, schemaMalformations, withPlace } from './schema-classes.ts'

/** Where a validator notices a missing element: at the element that follows, or at the end of the parent. */
export function noticedAt(root: Element, parent: string, index: number): string[] {
  const around = elementAt(root, parent)
  return index < children(around).length ? [childPath(around, parent, index), parent] : [parent]
}

/** Elements that are required only beside another: that other, and what is left out. */
const besides: readonly (readonly [there: string, gone: readonly string[]])[] = [
  ['Faktura/Fa/P_14_1W', ['P_13_1', 'P_14_1']],
  ['Faktura/Fa/P_14_5', ['P_13_5']],
  ['Faktura/Fa/KursWalutyZK', ['P_15ZK']],
  ['Faktura/Fa/PrzyczynaKorekty', ['DaneFaKorygowanej']],
]

function orphans(): SchemaClass[] {
  return besides.map(([there, gone]) => ({
    id: `orphan:${there.slice('Faktura/'.length)}`,
    summary: `${nameOf(there)} is present without ${gone.join(' and ')}`,
    prepare: (document, draw) => withPlace(document, there, draw),
    change: (document) => {
      const parent = parentOf(there)
      const at = children(elementAt(document, parent)).findIndex(({ name }) => gone.includes(name))
      const without = withChildren(document, parent, (content) =>
        content.filter(({ name }) => !gone.includes(name)),
      )
      return {
        document: without,
        fault: {
          path: `${parent}/${gone[0]!}`,
          old: gone.join(', '),
          seenAt: noticedAt(without, parent, at),
        },
      }
    },
  }))
}

/** A required element is left out, one class for each place where the schemas require one. */
export function missing(): InvoiceMalformation[] {
  const classes = representativePlaces(({ particle }) => particle.min > 0).map(
    ({ path, schemas }) => ({
      id: `missing:${path.slice('Faktura/'.length)}`,
      summary: `${nameOf(path)} is required and absent`,
      schemas,
      prepare: (document: Element, draw: Parameters<typeof withPlace>[2]) =>
        withPlace(document, path, draw),
      change: (document: Element) => {
        const parent = parentOf(path)
        const name = nameOf(path)
        const at = children(elementAt(document, parent)).findIndex((each) => each.name === name)
        const without = withChildren(document, parent, (content) =>
          content.filter((each) => each.name !== name),
        )
        return {
          document: without,
          fault: { path, old: name, seenAt: noticedAt(without, parent, at) },
        }
      },
    }),
  )
  return schemaMalformations('missing', [...classes, ...orphans()])
}
