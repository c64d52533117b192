import type { Draw } from '../draw/draw.ts'
import type { Element } from '../schema/document.ts'
import { children, element } from '../schema/document.ts'
import { attributeClasses, onlyFa3 } from './attributes.ts'
import { elementAt, like, nameOf, parentOf, replaceAt, withChildren, withText } from './edit.ts'
import type { InvoiceMalformation } from './malformation.ts'
import type { SchemaClass } from './schema-classes.ts'
import { schemaMalformations, withPlace } from './schema-classes.ts'
import { textMalformations } from './text-classes.ts'

const asIs = (document: Element) => document
const place = (path: string) => (document: Element, draw: Draw) => withPlace(document, path, draw)

/** An element that is declared nowhere, put in before one that is. */
function foreign(id: string, before: string, summary: string): SchemaClass {
  const parent = parentOf(before)
  const name = nameOf(id)
  return {
    id: `unknown:${id}`,
    summary,
    prepare: place(before),
    change: (document) => {
      const at = children(elementAt(document, parent)).findIndex(
        (each) => each.name === nameOf(before),
      )
      return {
        document: withChildren(document, parent, (all) => [
          ...all.slice(0, at),
          like(document, name, 'x'),
          ...all.slice(at),
        ]),
        fault: { path: `${parent}/${name}`, new: name },
      }
    },
  }
}

/** An element under another name. */
function renamed(path: string, name: string, summary: string): SchemaClass {
  const to = `${parentOf(path)}/${name}`
  return {
    id: `renamed:${path.slice('Faktura/'.length)}>${name}`,
    summary,
    prepare: place(path),
    change: (document) => ({
      document: replaceAt(document, path, (old) => ({ ...old, name })),
      fault: { path: to, old: nameOf(path), new: name, seenAt: [to] },
    }),
  }
}

/** A complex element without anything inside. */
function emptied(path: string): SchemaClass {
  return {
    id: `empty:${path.slice('Faktura/'.length)}`,
    summary: `${nameOf(path)} is empty`,
    prepare: place(path),
    change: (document) => ({
      document: replaceAt(document, path, (old) => ({ ...old, content: [] })),
      fault: { path, new: '', seenAt: [path] },
    }),
  }
}

/** What FA(3) has and FA(2) does not. */
const onlyFa2 = (entry: SchemaClass): SchemaClass => ({ ...entry, schemas: ['fa2'] })

const foreignElements: readonly SchemaClass[] = [
  foreign('Fa/P_999', 'Faktura/Fa/Adnotacje', 'an element that is not declared'),
  foreign(
    'Naglowek/CelZlozenia',
    'Faktura/Naglowek/DataWytworzeniaFa',
    'an element of another kind of document',
  ),
  foreign(
    'Podmiot1/Adres/Wojewodztwo',
    'Faktura/Podmiot1/Adres/AdresL1',
    'an address in the older, structured form',
  ),
  foreign(
    'Podmiot1/PESEL',
    'Faktura/Podmiot1/DaneIdentyfikacyjne',
    'an identifier that this party cannot have',
  ),
  foreign(
    'Podmiot2/DaneIdentyfikacyjne/IDWew',
    'Faktura/Podmiot2/DaneIdentyfikacyjne/NIP',
    'an internal identifier of the buyer',
  ),
  foreign('FaWiersz/P_13', 'Faktura/Fa/FaWiersz/P_12', 'a total within a line'),
  foreign('Faktura/Signature', 'Faktura/Fa', 'a signature without its namespace'),
  foreign(
    'Stopka/Uwagi',
    'Faktura/Stopka/Informacje',
    'free text in an element with an unknown name',
  ),
  onlyFa2(
    foreign('Faktura/Zalacznik', 'Faktura/Stopka', 'an attachment, which only the later form has'),
  ),
  onlyFa2(
    foreign(
      'Podmiot2/JST',
      'Faktura/Podmiot2/DaneIdentyfikacyjne',
      'a marker that only the later form has',
    ),
  ),
]

const renamedElements: readonly SchemaClass[] = [
  renamed('Faktura/Podmiot1/DaneIdentyfikacyjne/NIP', 'nip', 'a name in lower case'),
  renamed('Faktura/Fa/P_2', 'P_2A', 'a name that is nearly right'),
  renamed('Faktura/Fa/P_15', 'P15', 'a name without its underscore'),
  renamed('Faktura/Fa/FaWiersz', 'Wiersz', 'a line under the name of a row'),
  renamed('Faktura/Podmiot2', 'Nabywca', 'the buyer in words'),
  renamed('Faktura/Fa/Adnotacje', 'adnotacje', 'a group in lower case'),
]

const emptyElements: readonly SchemaClass[] = [
  emptied('Faktura/Naglowek'),
  emptied('Faktura/Podmiot1'),
  emptied('Faktura/Fa'),
  emptied('Faktura/Fa/Adnotacje'),
  emptied('Faktura/Fa/Adnotacje/Zwolnienie'),
  emptied('Faktura/Fa/FaWiersz'),
  onlyFa3(emptied('Faktura/Zalacznik')),
  {
    id: 'empty:Faktura',
    summary: 'the root is empty',
    prepare: asIs,
    change: (document) => ({
      document: { ...document, content: [] },
      fault: { path: 'Faktura', new: '', seenAt: ['Faktura'] },
    }),
  },
]

const prefix = 'Faktura/Podmiot1/PrefiksPodatnika'
const sellerName = 'Faktura/Podmiot1/DaneIdentyfikacyjne/Nazwa'

const otherContents: readonly SchemaClass[] = [
  {
    id: 'fixed:Podmiot1/PrefiksPodatnika',
    summary: 'another country than the fixed one',
    prepare: place(prefix),
    change: (document) => ({
      document: withText(document, prefix, 'DE'),
      fault: { path: prefix, old: 'PL', new: 'DE', seenAt: [prefix] },
    }),
  },
  {
    id: 'inside:P_2/b',
    summary: 'an element within text',
    prepare: asIs,
    change: (document) => ({
      document: replaceAt(document, 'Faktura/Fa/P_2', (old) => ({
        ...old,
        content: [like(old, 'b', old.content)],
      })),
      fault: {
        path: 'Faktura/Fa/P_2/b',
        new: 'b',
        seenAt: ['Faktura/Fa/P_2', 'Faktura/Fa/P_2/b'],
      },
    }),
  },
  {
    id: 'foreign:xinclude',
    summary: 'an instruction to include another document',
    prepare: asIs,
    change: (document) => ({
      document: replaceAt(document, sellerName, (old) => ({
        ...old,
        content: [
          element(
            'http://www.w3.org/2001/XInclude',
            'include',
            [],
            [{ name: 'href', value: 'file:///etc/hostname' }],
          ),
        ],
      })),
      fault: {
        path: `${sellerName}/include`,
        seenAt: [sellerName, `${sellerName}/include`],
      },
    }),
  },
]

/** What the schema does not know: elements, attributes, text, and content where there must be some or none. */
export function unknown(): InvoiceMalformation[] {
  return [
    ...schemaMalformations('unknown', [
      ...foreignElements,
      ...renamedElements,
      ...attributeClasses(),
      ...emptyElements,
      ...otherContents,
    ]),
    ...textMalformations(
      'unknown',
      'schema',
      'invoice-invalid',
      'invoices.content.invalid-rejected',
      [
        {
          id: 'inside:Fa/text',
          summary: 'text where only elements may stand',
          write: (text) => text.replace('<Fa>', '<Fa>faktura'),
          fault: { path: 'Faktura/Fa', new: 'faktura', seenAt: ['Faktura/Fa'] },
        },
      ],
    ),
  ]
}
