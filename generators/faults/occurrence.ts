import type { Draw } from '../draw/draw.ts'
import type { Element } from '../schema/document.ts'
import { children } from '../schema/document.ts'
import { elementAt, like, nameOf, parentOf, replaceAt, withChildren, withText } from './edit.ts'
import type { InvoiceMalformation } from './malformation.ts'
import { everySchema } from './malformation.ts'
import { placeIn, representativePlaces, schemaMalformations, withPlace } from './schema-classes.ts'

/** Bounds above this make a document larger than any service takes: it would be refused for its size. */
const maxSent = 10_000
/** Elements of which one more than the bound does not fit into a million bytes. */
const tooLong = new Set(['NowySrodekTransportu'])

/** One more than the schema allows, for each element that may repeat. */
export function occurrence(): InvoiceMalformation[] {
  const repeatable = representativePlaces(
    ({ particle: { max, name } }) => max > 1 && max <= maxSent && !tooLong.has(name),
  )
  return [
    ...schemaMalformations(
      'occurrence',
      repeatable.map(({ path, schemas }) => ({
        id: `too-many:${path.slice('Faktura/'.length)}`,
        summary: `${nameOf(path)} occurs once more than allowed`,
        schemas,
        sure: true as const,
        prepare: (document: Element, draw: Draw) => withPlace(document, path, draw),
        change: (document: Element, draw: Draw) => {
          const { max } = placeIn(document, path).particle
          const many = numbered(withPlace(document, path, draw, max + 1), path)
          const there = children(elementAt(document, parentOf(path))).filter(
            ({ name }) => name === nameOf(path),
          ).length
          return {
            document: many,
            fault: {
              path: `${path}[${max + 1}]`,
              old: `${there} of ${nameOf(path)}`,
              new: `${max + 1} of ${nameOf(path)}`,
            },
          }
        },
      })),
    ),
    ...twice(),
  ]
}

/** Elements that each have a unique number: the same number twice would be another fault. */
const numbers: Readonly<Record<string, (element: Element, number: number) => Element>> = {
  'Faktura/Fa/FaWiersz': (line, number) => withText(line, 'FaWiersz/NrWierszaFa', String(number)),
  'Faktura/Fa/FakturaZaliczkowa': (advance, number) => ({
    ...advance,
    content: [like(advance, 'NrKSeFZN', '1'), like(advance, 'NrFaZaliczkowej', `ZAL/${number}`)],
  }),
}

function numbered(document: Element, path: string): Element {
  const give = numbers[path]
  if (give === undefined) return document
  let number = 0
  return withChildren(document, parentOf(path), (all) =>
    all.map((each) => {
      if (each.name !== nameOf(path)) return each
      number += 1
      return give(each, number)
    }),
  )
}

/** Further elements that people repeat. */
const repeated: readonly string[] = [
  'Faktura/Podmiot1',
  'Faktura/Fa/P_15',
  'Faktura/Fa/Adnotacje',
  'Faktura/Fa/FaWiersz/GTU',
]

/** An element that may occur once occurs twice. */
function twice(): InvoiceMalformation[] {
  const single = representativePlaces(({ particle: { min, max } }) => min === 1 && max === 1)
  // One of each content model suffices: the same mechanism refuses the others.
  const seen = new Set<string>()
  const chosen = single.filter(({ path }) => {
    const parent = parentOf(path)
    if (seen.has(parent)) return false
    seen.add(parent)
    return true
  })
  return schemaMalformations(
    'occurrence',
    [...chosen, ...repeated.map((path) => ({ path, schemas: everySchema }))].map(
      ({ path, schemas }) => ({
        id: `twice:${path.slice('Faktura/'.length)}`,
        summary: `${nameOf(path)} occurs twice`,
        schemas,
        prepare: (document: Element, draw: Draw) => withPlace(document, path, draw),
        change: (document: Element) => ({
          document: replaceAt(document, path, (old) => [old, old]),
          fault: { path: `${path}[2]`, old: nameOf(path), new: `${nameOf(path)}, ${nameOf(path)}` },
        }),
      }),
    ),
  )
}
