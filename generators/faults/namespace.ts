import { invoiceSchemas } from '../../contract/environments.ts'
import type { Element } from '../schema/document.ts'
import { children } from '../schema/document.ts'
import { replaceAt } from './edit.ts'
import type { InvoiceMalformation } from './malformation.ts'
import type { SchemaClass } from './schema-classes.ts'
import { schemaMalformations } from './schema-classes.ts'

const asIs = (document: Element) => document

/** Moves every element of the document's namespace to another. */
function moved(at: Element, from: string, to: string): Element {
  return {
    ...at,
    namespace: at.namespace === from ? to : at.namespace,
    content:
      typeof at.content === 'string' ? at.content : at.content.map((each) => moved(each, from, to)),
  }
}

function elsewhere(id: string, summary: string, to: (namespace: string) => string): SchemaClass {
  return {
    id: `namespace:${id}`,
    summary,
    prepare: asIs,
    change: (document) => {
      const namespace = to(document.namespace)
      return {
        document: moved(document, document.namespace, namespace),
        // A service that validates by the document's own namespace reports the other version's form code first.
        fault: {
          path: 'Faktura',
          old: document.namespace,
          new: namespace,
          seenAt: ['Faktura', 'Faktura/Naglowek/KodFormularza/@kodSystemowy'],
        },
      }
    },
  }
}

function root(id: string, summary: string, name: string): SchemaClass {
  return {
    id: `root:${id}`,
    summary,
    prepare: asIs,
    change: (document) => ({
      document: { ...document, name },
      fault: { path: name, old: 'Faktura', new: name, seenAt: [name] },
    }),
  }
}

const types = 'http://crd.gov.pl/xml/schematy/dziedzinowe/mf/2022/01/05/eD/DefinicjeTypy/'
const nip = 'Faktura/Podmiot1/DaneIdentyfikacyjne/NIP'

const unqualifiedChildren: SchemaClass = {
  id: 'namespace:unqualified-children',
  summary: 'a prefixed root whose content is in no namespace',
  prepare: asIs,
  change: (document) => ({
    document: {
      ...document,
      content: children(document).map((each) => moved(each, document.namespace, '')),
    },
    fault: {
      path: 'Faktura/Naglowek',
      old: document.namespace,
      new: '',
      seenAt: ['Faktura/Naglowek'],
    },
  }),
}

function classes(): SchemaClass[] {
  return [
    elsewhere('none', 'the document is in no namespace', () => ''),
    elsewhere(
      'draft-february',
      'the namespace of a draft',
      () => 'http://crd.gov.pl/wzor/2025/02/14/02141/',
    ),
    elsewhere(
      'draft-april',
      'the namespace of a later draft',
      () => 'http://crd.gov.pl/wzor/2025/04/03/04031/',
    ),
    elsewhere('https', 'https instead of http', (namespace) =>
      namespace.replace('http:', 'https:'),
    ),
    elsewhere('without-slash', 'the last slash is missing', (namespace) => namespace.slice(0, -1)),
    elsewhere('upper-case', 'the namespace in upper case', (namespace) => namespace.toUpperCase()),
    elsewhere('blank', 'a blank after the namespace', (namespace) => `${namespace} `),
    elsewhere(
      'other-version',
      'the body of one version under the namespace of the other',
      (namespace) =>
        namespace === invoiceSchemas.fa3.namespace
          ? invoiceSchemas.fa2.namespace
          : invoiceSchemas.fa3.namespace,
    ),
    root('lower-case', 'the root in lower case', 'faktura'),
    root('english', 'another name of the root', 'Invoice'),
    root('receipt', 'the root of a receipt', 'Potwierdzenie'),
    {
      id: 'namespace:child-of-types',
      summary: 'an element in the namespace of the base types',
      prepare: asIs,
      change: (document) => ({
        document: replaceAt(document, nip, (old) => ({ ...old, namespace: types })),
        fault: { path: nip, old: document.namespace, new: types, seenAt: [nip] },
      }),
    },
    {
      id: 'namespace:child-of-none',
      summary: 'an element in no namespace',
      prepare: asIs,
      change: (document) => ({
        document: replaceAt(document, 'Faktura/Fa', (old) => moved(old, old.namespace, '')),
        fault: { path: 'Faktura/Fa', old: document.namespace, new: '', seenAt: ['Faktura/Fa'] },
      }),
    },
    unqualifiedChildren,
    {
      id: 'root:wrapped',
      summary: 'the document within an envelope',
      prepare: asIs,
      change: (document) => ({
        document: { ...document, name: 'Envelope', attributes: [], content: [document] },
        fault: { path: 'Envelope', new: 'Envelope', seenAt: ['Envelope'] },
      }),
    },
    {
      id: 'root:part',
      summary: 'a part of the document as root',
      prepare: asIs,
      change: (document) => ({
        document: children(document).find(({ name }) => name === 'Fa')!,
        fault: { path: 'Fa', old: 'Faktura', new: 'Fa', seenAt: ['Fa'] },
      }),
    },
  ]
}

/** Namespaces and roots. */
export function namespaces(): InvoiceMalformation[] {
  // A document in the other version's namespace is validated by the schema that the session was opened with.
  return schemaMalformations(
    'namespace',
    classes().map((entry) => ({ ...entry, sure: true as const })),
  )
}
