import type { Draw } from '../draw/draw.ts'
import type { Attribute, Element } from '../schema/document.ts'
import { nameOf, replaceAt } from './edit.ts'
import type { SchemaClass } from './schema-classes.ts'
import { withPlace } from './schema-classes.ts'

const place = (path: string) => (document: Element, draw: Draw) => withPlace(document, path, draw)

function withAttribute(
  path: string,
  attribute: Attribute,
  id: string,
  summary: string,
): SchemaClass {
  return {
    id: `attribute:${id}`,
    summary,
    prepare: place(path),
    change: (document) => ({
      document: replaceAt(document, path, (old) => ({
        ...old,
        attributes: [...old.attributes.filter(({ name }) => name !== attribute.name), attribute],
      })),
      fault: { path: `${path}/@${attribute.name}`, new: attribute.value, seenAt: [path] },
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

/** Only FA(3) has attachments. */
export const onlyFa3 = (entry: SchemaClass): SchemaClass => ({ ...entry, schemas: ['fa3'] })

/** Attributes that are not declared, required ones that are absent, and values that are not the fixed ones. */
export function attributeClasses(): SchemaClass[] {
  return [
    withAttribute(
      'Faktura',
      { name: 'wersja', value: '1' },
      'Faktura/wersja',
      'the root has an attribute',
    ),
    {
      id: 'attribute:Faktura/ten-thousand',
      summary: 'the root has ten thousand attributes',
      prepare: (document) => document,
      change: (document) => ({
        document: { ...document, attributes: [...document.attributes, ...manyAttributes] },
        fault: { path: 'Faktura/@a0', new: '1', seenAt: ['Faktura'] },
      }),
    },
    withAttribute(
      'Faktura/Fa/P_15',
      { name: 'waluta', value: 'PLN' },
      'P_15/waluta',
      'a simple element has an attribute',
    ),
    withAttribute(
      'Faktura/Fa',
      { name: 'id', value: 'a' },
      'Fa/id',
      'a complex element has an attribute',
    ),
    withAttribute(
      form,
      { name: 'kodPodatku', value: 'VAT' },
      'KodFormularza/kodPodatku',
      'an attribute of older forms',
    ),
    withAttribute(
      form,
      { name: 'kodSystemowy', value: 'FA (9)' },
      'KodFormularza/kodSystemowy',
      'the code of another form',
    ),
    withAttribute(
      form,
      { name: 'kodSystemowy', value: 'FA(3)' },
      'KodFormularza/kodSystemowy-blank',
      'the code without its blank',
    ),
    withAttribute(
      form,
      { name: 'wersjaSchemy', value: '1-0' },
      'KodFormularza/wersjaSchemy',
      'another version of the schema',
    ),
    withAttribute(
      form,
      { name: 'wersjaSchemy', value: ' 1-0E ' },
      'KodFormularza/wersjaSchemy-blanks',
      'a fixed value with blanks',
    ),
    withAttribute(
      'Faktura/Fa/P_15',
      { name: 'nil', value: 'true', namespace: instance },
      'P_15/xsi-nil',
      'an element is said to be nil',
    ),
    withAttribute(
      'Faktura/Fa/P_15',
      { name: 'type', value: 'nothing', namespace: instance },
      'P_15/xsi-type',
      'an element is said to be of a type that is not known',
    ),
    withoutAttribute(form, 'kodSystemowy'),
    withoutAttribute(form, 'wersjaSchemy'),
    onlyFa3(withoutAttribute(column, 'Typ')),
    onlyFa3(
      withAttribute(
        column,
        { name: 'Typ', value: 'decimal' },
        'Kol/Typ',
        'a kind of column that does not exist',
      ),
    ),
  ]
}
