import type { InvoiceMalformation } from './malformation.ts'
import type { TextClass } from './text-classes.ts'
import { cutText, textMalformations } from './text-classes.ts'

/** Puts a declaration before the root, and optionally text into the seller's name. */
const doctype = (id: string, summary: string, declaration: string, used = ''): TextClass => ({
  id: `doctype:${id}`,
  summary,
  fault: { path: '(prolog)', new: declaration.slice(0, 80) },
  write: (text) => {
    const { before, at, behind } = cutText(text, 'Podmiot1', 'DaneIdentyfikacyjne', 'Nazwa')
    return (before + at + used + behind).replace('<Faktura', `${declaration}\n<Faktura`)
  },
})

const internal = (body: string) => `<!DOCTYPE Faktura [${body}]>`
const laughs = Array.from(
  { length: 9 },
  (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`,
).join('')

const declarations: readonly TextClass[] = [
  doctype('harmless', 'a document type that declares nothing', '<!DOCTYPE Faktura>'),
  doctype('internal-empty', 'an empty internal subset', internal('')),
  doctype('behind-comment', 'a document type behind a comment', `<!-- -->${internal('')}`),
  doctype(
    'external-file',
    'a document type in a file',
    '<!DOCTYPE Faktura SYSTEM "file:///etc/hostname">',
  ),
  doctype(
    'external-http',
    'a document type on the network',
    '<!DOCTYPE Faktura SYSTEM "http://127.0.0.1:9/x.dtd">',
  ),
  doctype(
    'public',
    'a public document type',
    '<!DOCTYPE Faktura PUBLIC "-//X//Y" "http://127.0.0.1:9/x.dtd">',
  ),
  doctype('entity-internal', 'an entity with text', internal('<!ENTITY firma "Firma">'), '&firma;'),
  doctype(
    'entity-markup',
    'an entity with markup',
    internal('<!ENTITY firma "<b>x</b>">'),
    '&firma;',
  ),
  doctype(
    'entity-file',
    'an entity from a file',
    internal('<!ENTITY x SYSTEM "file:///etc/passwd">'),
    '&x;',
  ),
  doctype(
    'entity-http',
    'an entity from the network',
    internal('<!ENTITY x SYSTEM "http://127.0.0.1:9/x">'),
    '&x;',
  ),
  doctype(
    'entity-unused',
    'an entity from a file that nothing uses',
    internal('<!ENTITY x SYSTEM "file:///etc/passwd">'),
  ),
  doctype(
    'entity-parameter',
    'a parameter entity from the network',
    internal('<!ENTITY % x SYSTEM "http://127.0.0.1:9/x.dtd"> %x;'),
  ),
  doctype(
    'entity-recursive',
    'an entity that contains itself',
    internal('<!ENTITY a "&b;"><!ENTITY b "&a;">'),
    '&a;',
  ),
  doctype('entity-bomb', 'a billion entities', internal(`<!ENTITY l0 "ha">${laughs}`), '&l9;'),
  doctype(
    'entity-quadratic',
    'a long entity used often',
    internal(`<!ENTITY a "${'a'.repeat(20_000)}">`),
    '&a;'.repeat(2_000),
  ),
  doctype(
    'attribute-default',
    'an attribute that the document type supplies',
    internal('<!ATTLIST P_15 waluta CDATA "PLN">'),
  ),
  doctype('notation', 'a notation', internal('<!NOTATION n SYSTEM "n">')),
  doctype('element', 'declarations of elements', internal('<!ELEMENT Faktura ANY>')),
]

const instructions: readonly TextClass[] = [
  {
    id: 'instruction:stylesheet',
    summary: 'a processing instruction for a style sheet',
    fault: { path: '(prolog)', new: '<?xml-stylesheet?>' },
    write: (text) =>
      text.replace('<Faktura', '<?xml-stylesheet type="text/xsl" href="styl.xsl"?>\n<Faktura'),
  },
  {
    id: 'instruction:inside',
    summary: 'a processing instruction within the document',
    fault: { path: 'Faktura/Fa', new: '<?druk?>' },
    write: (text) => text.replace('<Fa>', '<Fa><?druk tak?>'),
  },
  {
    id: 'instruction:behind',
    summary: 'a processing instruction after the root',
    fault: { path: '(epilog)', new: '<?koniec?>' },
    write: (text) => `${text}<?koniec?>`,
  },
  {
    id: 'instruction:php',
    summary: 'a processing instruction of a scripting language',
    fault: { path: '(prolog)', new: '<?php?>' },
    write: (text) => text.replace('<Faktura', '<?php echo 1 ?>\n<Faktura'),
  },
]

/** Document types, entities and processing instructions: refused before anything is resolved. */
export function documentType(): InvoiceMalformation[] {
  return textMalformations(
    'doctype',
    'bytes',
    'invoice-invalid',
    'invoices.content.invalid-rejected',
    [...declarations, ...instructions],
  )
}
