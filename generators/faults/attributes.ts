import type { Draw } from '../draw/draw.ts'
import type { Attribute, Element } from '../schema/document.ts'
import { nameOf, replaceAt } from './edit.ts'
import type { SchemaClass } from './schema-classes.ts'
import { withPlace } from './schema-classes.ts'

const place = (path: string) => (document: Element, draw: Draw) => withPlace(document, path, draw)

/** An attribute that is added or replaced at a path. */
type Row = readonly [id: string, path: string, name: string, value: string, summary: string]

function withAttribute([id, path, name, value, summary]: Row, namespace?: string): SchemaClass {
  const attribute: Attribute = { name, value, ...(namespace && { namespace }) }
  return {
    id: `attribute:${id}`,
    summary,
    prepare: place(path),
    change: (document) => ({
      document: replaceAt(document, path, (old) => ({
        ...old,
        attributes: [...old.attributes.filter((each) => each.name !== name), attribute],
      })),
      fault: { path: `${path}/@${name}`, new: value, seenAt: [path] },
    }),
  }
}

function withoutAttribute(path: string, name: string): SchemaClass {
  return {
    id: `attribute-missing:${nameOf(path)}/${name}`,
    summary: `attribute ${name} is required and absent`,
    prepare: place(path),
    change: (document) => ({
      document: replaceAt(document, path, (old) => ({
        ...old,
        attributes: old.attributes.filter((each) => each.name !== name),
      })),
      fault: { path: `${path}/@${name}`, seenAt: [path] },
    }),
  }
}

const instance = 'http://www.w3.org/2001/XMLSchema-instance'
const form = 'Faktura/Naglowek/KodFormularza'
const column = 'Faktura/Zalacznik/BlokDanych/Tabela/TNaglowek/Kol'

/** Ten thousand attributes. */
const manyAttributes: readonly Attribute[] = Array.from({ length: 10_000 }, (_, n) => ({
  name: `a${n}`,
  value: '1',
}))

/** What only FA(3) has. */
export const onlyFa3 = (entry: SchemaClass): SchemaClass => ({ ...entry, schemas: ['fa3'] })

const rows: readonly Row[] = [
  ['P_15/waluta', 'Faktura/Fa/P_15', 'waluta', 'PLN', 'a simple element has an attribute'],
  ['Fa/id', 'Faktura/Fa', 'id', 'a', 'a complex element has an attribute'],
  ['KodFormularza/kodPodatku', form, 'kodPodatku', 'VAT', 'an attribute of older forms'],
  ['KodFormularza/kodSystemowy', form, 'kodSystemowy', 'FA (9)', 'the code of another form'],
  ['KodFormularza/kodSystemowy-blank', form, 'kodSystemowy', 'FA(3)', 'the code without its blank'],
  ['KodFormularza/wersjaSchemy', form, 'wersjaSchemy', '1-0', 'another version of the schema'],
  [
    'KodFormularza/wersjaSchemy-blanks',
    form,
    'wersjaSchemy',
    ' 1-0E ',
    'a fixed value with blanks',
  ],
]

const xsiRows: readonly Row[] = [
  ['P_15/xsi-nil', 'Faktura/Fa/P_15', 'nil', 'true', 'an element is said to be nil'],
  [
    'P_15/xsi-type',
    'Faktura/Fa/P_15',
    'type',
    'nothing',
    'an element is said to be of a type that is not known',
  ],
]

/** Attributes that are not declared, required ones that are absent, and values that are not the fixed ones. */
export const attributeClasses = (): SchemaClass[] => [
  withAttribute(['Faktura/wersja', 'Faktura', 'wersja', '1', 'the root has an attribute']),
  {
    id: 'attribute:Faktura/ten-thousand',
    summary: 'the root has ten thousand attributes',
    prepare: (document) => document,
    change: (document) => ({
      document: { ...document, attributes: [...document.attributes, ...manyAttributes] },
      fault: { path: 'Faktura/@a0', new: '1', seenAt: ['Faktura'] },
    }),
  },
  ...rows.map((row) => withAttribute(row)),
  ...xsiRows.map((row) => withAttribute(row, instance)),
  withoutAttribute(form, 'kodSystemowy'),
  withoutAttribute(form, 'wersjaSchemy'),
  onlyFa3(withoutAttribute(column, 'Typ')),
  onlyFa3(
    withAttribute(['Kol/Typ', column, 'Typ', 'decimal', 'a kind of column that does not exist']),
  ),
]
