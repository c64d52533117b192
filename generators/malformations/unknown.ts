import type { Draw } from '../draw.ts'
import type { Attribute, Element } from '../xsd/document.ts'
import { children, element } from '../xsd/document.ts'
import { elementAt, like, nameOf, parentOf, replaceAt, withChildren, withText } from './edit.ts'
import type { InvoiceMalformation } from './malformation.ts'
import type { SchemaClass } from './schema-classes.ts'
import { schemaMalformations, withPlace } from './schema-classes.ts'

const asIs = (document: Element) => document
const place = (path: string) => (document: Element, draw: Draw) => withPlace(document, path, draw)

/** An element that is declared nowhere, put in before one that is. */
function foreign(id: string, before: string, name: string, summary: string): SchemaClass {
  const parent = parentOf(before)
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

const instance = 'http://www.w3.org/2001/XMLSchema-instance'
const form = 'Faktura/Naglowek/KodFormularza'
const column = 'Faktura/Zalacznik/BlokDanych/Tabela/TNaglowek/Kol'

/** Only FA(3) has attachments. */
const onlyFa3 = (entry: SchemaClass): SchemaClass => ({ ...entry, schemas: ['fa3'] })

function classes(): SchemaClass[] {
  return [
    foreign('Fa/P_999', 'Faktura/Fa/Adnotacje', 'P_999', 'an element that is not declared'),
    foreign(
      'Naglowek/CelZlozenia',
      'Faktura/Naglowek/DataWytworzeniaFa',
      'CelZlozenia',
      'an element of another kind of document',
    ),
    foreign(
      'Podmiot1/Adres/Wojewodztwo',
      'Faktura/Podmiot1/Adres/AdresL1',
      'Wojewodztwo',
      'an address in the older, structured form',
    ),
    foreign(
      'Podmiot1/PESEL',
      'Faktura/Podmiot1/DaneIdentyfikacyjne',
      'PESEL',
      'an identifier that this party cannot have',
    ),
    foreign(
      'Podmiot2/DaneIdentyfikacyjne/IDWew',
      'Faktura/Podmiot2/DaneIdentyfikacyjne/NIP',
      'IDWew',
      'an internal identifier of the buyer',
    ),
    foreign('FaWiersz/P_13', 'Faktura/Fa/FaWiersz/P_12', 'P_13', 'a total within a line'),
    foreign('Faktura/Signature', 'Faktura/Fa', 'Signature', 'a signature without its namespace'),
    foreign(
      'Stopka/Uwagi',
      'Faktura/Stopka/Informacje',
      'Uwagi',
      'free text under a name of its own',
    ),
    renamed('Faktura/Podmiot1/DaneIdentyfikacyjne/NIP', 'nip', 'a name in lower case'),
    renamed('Faktura/Fa/P_2', 'P_2A', 'a name that is nearly right'),
    renamed('Faktura/Fa/P_15', 'P15', 'a name without its underscore'),
    renamed('Faktura/Fa/FaWiersz', 'Wiersz', 'a line under the name of a row'),
    renamed('Faktura/Podmiot2', 'Nabywca', 'the buyer in words'),
    renamed('Faktura/Fa/Adnotacje', 'adnotacje', 'a group in lower case'),
    withAttribute(
      'Faktura',
      { name: 'wersja', value: '1' },
      'Faktura/wersja',
      'the root has an attribute',
    ),
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
      id: 'inside:Fa/text',
      summary: 'text where only elements may stand',
      prepare: asIs,
      change: (document) => ({
        document: withText(document, 'Faktura/Fa', 'faktura'),
        fault: { path: 'Faktura/Fa', new: 'faktura', seenAt: ['Faktura/Fa'] },
      }),
    },
    {
      id: 'foreign:xinclude',
      summary: 'an instruction to include another document',
      prepare: asIs,
      change: (document) => ({
        document: replaceAt(document, 'Faktura/Podmiot1/DaneIdentyfikacyjne/Nazwa', (old) => ({
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
          path: 'Faktura/Podmiot1/DaneIdentyfikacyjne/Nazwa/include',
          seenAt: [
            'Faktura/Podmiot1/DaneIdentyfikacyjne/Nazwa',
            'Faktura/Podmiot1/DaneIdentyfikacyjne/Nazwa/include',
          ],
        },
      }),
    },
  ]
}

/** What the schema does not know: elements, attributes, text, and content where there must be some or none. */
export function unknown(): InvoiceMalformation[] {
  return schemaMalformations('unknown', classes())
}
