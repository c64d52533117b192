import type { InvoiceMalformation } from './malformation.ts'
import type { TextClass } from './text-classes.ts'
import { cutText, textMalformations } from './text-classes.ts'

const seller = 'Faktura/Podmiot1/DaneIdentyfikacyjne/Nazwa'
const number = 'Faktura/Fa/P_2'

/** Puts text at the end of the seller's name. */
const inName = (more: string) => (text: string) => {
  const { before, at, behind } = cutText(text, 'Podmiot1', 'DaneIdentyfikacyjne', 'Nazwa')
  return before + at + more + behind
}
/** Changes the tags around the number. */
const aroundNumber = (open: string, close: string) => (text: string) =>
  text.replace(/<P_2>([^<]*)<\/P_2>/, `${open}$1${close}`)

const name = (id: string, summary: string, more: string): TextClass => ({
  id: `well-formed:${id}`,
  summary,
  fault: { path: seller, new: more },
  write: inName(more),
})
const tags = (id: string, summary: string, open: string, close: string): TextClass => ({
  id: `well-formed:${id}`,
  summary,
  fault: { path: number, old: '<P_2></P_2>', new: open + close },
  write: aroundNumber(open, close),
})
const whole = (id: string, summary: string, write: (text: string) => string): TextClass => ({
  id: `well-formed:${id}`,
  summary,
  fault: { path: '(document)' },
  write,
})

const classes: readonly TextClass[] = [
  whole('empty', 'nothing at all', () => ''),
  whole('blank', 'nothing but blanks', () => '   \n'),
  whole('text-only', 'text without a root', () => 'faktura'),
  whole('json', 'JSON instead of XML', () => '{"Faktura":{}}'),
  whole('pdf', 'the first bytes of a PDF', () => '%PDF-1.7\n1 0 obj\n'),
  whole('html', 'a web page', () => '<html><body><p>Faktura<br></body></html>'),
  whole(
    'declaration-only',
    'the declaration and nothing else',
    () => '<?xml version="1.0" encoding="UTF-8"?>\n',
  ),
  whole('cut', 'the document ends in the middle', (text) => text.slice(0, text.length >> 1)),
  whole('cut-last', 'the last character is missing', (text) => text.slice(0, -1)),
  whole('root-open', 'the root is never closed', (text) => text.replace(/<\/Faktura>\s*$/, '')),
  whole('second-root', 'a second root', (text) => `${text}<Faktura/>`),
  whole('text-behind', 'text after the root', (text) => `${text}koniec`),
  whole('text-before', 'text before the root', (text) => text.replace('<Faktura', 'x<Faktura')),
  whole('blank-before-declaration', 'a blank before the declaration', (text) => ` ${text}`),
  whole(
    'newline-before-declaration',
    'an empty line before the declaration',
    (text) => `\n${text}`,
  ),
  whole('declaration-twice', 'two declarations', (text) => `<?xml version="1.0"?>\n${text}`),
  whole('declaration-without-version', 'a declaration without its version', (text) =>
    text.replace(' version="1.0"', ''),
  ),
  whole('declaration-order', 'the declaration names encoding before version', (text) =>
    text.replace('version="1.0" encoding="UTF-8"', 'encoding="UTF-8" version="1.0"'),
  ),
  whole('version-2', 'a version of XML that does not exist', (text) =>
    text.replace('version="1.0"', 'version="2.0"'),
  ),
  whole('version-1-1', 'a version of XML that parsers read and the service does not', (text) =>
    text.replace('version="1.0"', 'version="1.1"'),
  ),
  whole('declaration-unclosed', 'the declaration is not closed', (text) => text.replace('?>', '>')),
  whole('attribute-twice', 'an attribute occurs twice', (text) =>
    text.replace(' wersjaSchemy=', ' wersjaSchemy="1-0E" wersjaSchemy='),
  ),
  whole('attribute-unquoted', 'an attribute without quotes', (text) =>
    text.replace('wersjaSchemy="1-0E"', 'wersjaSchemy=1-0E'),
  ),
  whole('attribute-without-value', 'an attribute without a value', (text) =>
    text.replace('wersjaSchemy="1-0E"', 'wersjaSchemy'),
  ),
  whole('attribute-with-less', 'a less-than sign in an attribute', (text) =>
    text.replace('"1-0E"', '"1<0E"'),
  ),
  whole('attributes-together', 'no blank between attributes', (text) =>
    text.replace('" wersjaSchemy', '"wersjaSchemy'),
  ),
  name('ampersand', 'a bare ampersand', ' & Syn'),
  name('less-than', 'a bare less-than sign', ' < x'),
  name('entity-unknown', 'an entity that is not declared', '&nbsp;'),
  name('entity-open', 'a reference that is not closed', '&amp'),
  name('reference-nul', 'a reference to NUL', '&#0;'),
  name('reference-control', 'a reference to a control character', '&#x1F;'),
  name('reference-surrogate', 'a reference to a surrogate', '&#xD800;'),
  name('reference-ffff', 'a reference to U+FFFF', '&#xFFFF;'),
  name('reference-too-high', 'a reference above U+10FFFF', '&#x110000;'),
  name('reference-empty', 'an empty reference', '&#;'),
  name('control', 'a control character', '\u0001'),
  name('escape', 'an escape character', '\u001B'),
  name('form-feed', 'a form feed', '\u000C'),
  name('fffe', 'U+FFFE', '\uFFFE'),
  name('ffff', 'U+FFFF', '\uFFFF'),
  name('cdata-end', 'the end of CDATA in text', ']]>'),
  name('cdata-open', 'CDATA that is not closed', '<![CDATA[x'),
  name('comment-open', 'a comment that is not closed', '<!-- x'),
  name('comment-dashes', 'two dashes in a comment', '<!-- a -- b -->'),
  name('comment-dash-end', 'a comment that ends in three dashes', '<!-- a --->'),
  tags('crossed', 'elements that cross', '<P_2><b>', '</P_2></b>'),
  tags('case', 'opened and closed in different case', '<P_2>', '</p_2>'),
  tags('other-name', 'closed by another name', '<P_2>', '</P_3>'),
  tags('never-closed', 'an element that is never closed', '<P_2>', ''),
  tags('never-opened', 'an element that was never opened', '', '</P_2>'),
  tags('name-digit', 'a name that begins with a digit', '<2P>', '</2P>'),
  tags('name-blank', 'a blank before the name', '< P_2>', '</P_2>'),
  tags('close-blank', 'a blank before the closing name', '<P_2>', '</ P_2>'),
  tags('close-attribute', 'an attribute in the closing tag', '<P_2>', '</P_2 a="b">'),
  tags('prefix-unknown', 'a prefix that is not declared', '<fa:P_2>', '</fa:P_2>'),
  tags('prefix-empty', 'a colon without a prefix', '<:P_2>', '</:P_2>'),
]

/** An empty document and other versions of XML are detected by the checks of bytes, which come first. */
const bytesFirst = new Set([
  'well-formed:empty',
  'well-formed:version-1-1',
  'well-formed:version-2',
])

/** Well-formedness: XML 1.0 and its namespaces. */
export function wellFormed(): InvoiceMalformation[] {
  return textMalformations(
    'well-formed',
    'parser',
    'invoice-invalid',
    'invoices.content.invalid-rejected',
    classes,
  ).map((entry) => (bytesFirst.has(entry.id) ? { ...entry, seenBy: 'bytes' as const } : entry))
}
