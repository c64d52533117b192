import { concatBytes } from '../../lib/codec.ts'
import type { InvoiceMalformation } from './malformation.ts'
import type { TextClass } from './text-classes.ts'
import { cutText, textMalformations, utf8 } from './text-classes.ts'

const declared = (text: string, encoding: string) =>
  text.replace('encoding="UTF-8"', `encoding="${encoding}"`)

const utf16 = (text: string, littleEndian: boolean, mark: boolean): Uint8Array => {
  const bytes = new Uint8Array((text.length + (mark ? 1 : 0)) * 2)
  const view = new DataView(bytes.buffer)
  let at = 0
  if (mark) {
    view.setUint16(0, 0xfeff, littleEndian)
    at = 2
  }
  for (let i = 0; i < text.length; i++) view.setUint16(at + 2 * i, text.charCodeAt(i), littleEndian)
  return bytes
}

const utf32 = (text: string): Uint8Array => {
  const points = Array.from(text, (char) => char.codePointAt(0)!)
  const bytes = new Uint8Array((points.length + 1) * 4)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, 0xfeff)
  for (const [i, point] of points.entries()) view.setUint32(4 + 4 * i, point)
  return bytes
}

/** Letters that the single-byte encodings of Polish texts have, beside ASCII. */
const tables: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'windows-1250': {
    ą: 0xb9,
    ć: 0xe6,
    ę: 0xea,
    ł: 0xb3,
    ń: 0xf1,
    ó: 0xf3,
    ś: 0x9c,
    ź: 0x9f,
    ż: 0xbf,
  },
  'ISO-8859-2': { ą: 0xb1, ć: 0xe6, ę: 0xea, ł: 0xb3, ń: 0xf1, ó: 0xf3, ś: 0xb6, ź: 0xbc, ż: 0xbf },
}

const singleByte = (text: string, encoding: string): Uint8Array =>
  Uint8Array.from(text, (char) => {
    const code = char.codePointAt(0)!
    return code < 0x80 ? code : (tables[encoding]?.[char.toLowerCase()] ?? 0x3f)
  })

/** Puts bytes at the end of the seller's name. */
const inName = (text: string, ...bytes: readonly number[]): Uint8Array => {
  const { before, at, behind } = cutText(text, 'Podmiot1', 'DaneIdentyfikacyjne', 'Nazwa')
  return concatBytes([utf8.encode(before + at), Uint8Array.from(bytes), utf8.encode(behind)])
}

const name = { path: 'Faktura/Podmiot1/DaneIdentyfikacyjne/Nazwa' }
const all = { path: '(bytes)' }
const prolog = { path: '(prolog)' }

const invalid: readonly TextClass[] = [
  {
    id: 'bytes:bom',
    summary: 'a byte order mark in front',
    fault: all,
    write: (text) => concatBytes([Uint8Array.of(0xef, 0xbb, 0xbf), utf8.encode(text)]),
  },
  {
    id: 'bytes:utf-16le-bom',
    summary: 'UTF-16, little end first, with mark',
    fault: all,
    write: (text) => utf16(declared(text, 'UTF-16'), true, true),
  },
  {
    id: 'bytes:utf-16be-bom',
    summary: 'UTF-16, big end first, with mark',
    fault: all,
    write: (text) => utf16(declared(text, 'UTF-16'), false, true),
  },
  {
    id: 'bytes:utf-16le',
    summary: 'UTF-16, little end first, without mark',
    fault: all,
    // Without a byte order mark, UTF-16 that holds only ASCII characters is valid UTF-8 too.
    write: (text) =>
      utf16(declared(text, 'UTF-16LE').replaceAll(/[\u0080-\u{10ffff}]/gu, 'x'), true, false),
  },
  {
    id: 'bytes:utf-32',
    summary: 'UTF-32 with mark',
    fault: all,
    write: (text) => utf32(declared(text, 'UTF-32')),
  },
  {
    id: 'bytes:windows-1250',
    summary: 'Windows-1250, declared as such',
    fault: all,
    write: (text) =>
      singleByte(declared(text.replace('<Nazwa>', '<Nazwa>Żółw '), 'windows-1250'), 'windows-1250'),
  },
  {
    id: 'bytes:iso-8859-2',
    summary: 'ISO-8859-2, declared as such',
    fault: all,
    write: (text) =>
      singleByte(declared(text.replace('<Nazwa>', '<Nazwa>Żółw '), 'ISO-8859-2'), 'ISO-8859-2'),
  },
  {
    id: 'bytes:windows-1250-as-utf-8',
    summary: 'Windows-1250, declared as UTF-8',
    fault: name,
    write: (text) => inName(text, 0xb3, 0xf3),
  },
  {
    id: 'bytes:lone-continuation',
    summary: 'a continuation byte alone',
    fault: name,
    write: (text) => inName(text, 0x80),
  },
  {
    id: 'bytes:cut-sequence',
    summary: 'a sequence that ends too early',
    fault: name,
    write: (text) => inName(text, 0xe2, 0x82),
  },
  {
    id: 'bytes:overlong-slash',
    summary: 'an overlong sequence',
    fault: name,
    write: (text) => inName(text, 0xc0, 0xaf),
  },
  {
    id: 'bytes:overlong-nul',
    summary: 'NUL as an overlong sequence',
    fault: name,
    write: (text) => inName(text, 0xc0, 0x80),
  },
  {
    id: 'bytes:surrogate',
    summary: 'a surrogate encoded in UTF-8',
    fault: name,
    write: (text) => inName(text, 0xed, 0xa0, 0x80),
  },
  {
    id: 'bytes:surrogate-pair',
    summary: 'a pair of surrogates, each encoded in UTF-8',
    fault: name,
    write: (text) => inName(text, 0xed, 0xa0, 0xbd, 0xed, 0xb2, 0xa1),
  },
  {
    id: 'bytes:above-unicode',
    summary: 'a code point above U+10FFFF',
    fault: name,
    write: (text) => inName(text, 0xf4, 0x90, 0x80, 0x80),
  },
  {
    id: 'bytes:nul',
    summary: 'NUL, of which other encodings are full',
    fault: name,
    write: (text) => inName(text, 0x00),
  },
  {
    id: 'bytes:ff',
    summary: 'a byte that UTF-8 never has',
    fault: name,
    write: (text) => inName(text, 0xff),
  },
]

const declaration = (
  id: string,
  encoding: string,
  write: TextClass['write'] = (text) => declared(text, encoding),
): TextClass => ({
  id: `declared:${id}`,
  summary: `UTF-8 that is declared as ${encoding}`,
  fault: { ...prolog, old: 'UTF-8', new: encoding },
  write,
})

/** Declares ISO-8859-2 in another of the spellings that XML has. */
const respelt = (id: string, text: string): TextClass =>
  declaration(id, 'ISO-8859-2', (document) => document.replace('encoding="UTF-8"', text))

const declarations: readonly TextClass[] = [
  ...['ISO-8859-2', 'windows-1250', 'US-ASCII', 'UTF-16', 'ISO-8859-1'].map((encoding) =>
    declaration(encoding.toLowerCase(), encoding),
  ),
  respelt('single-quotes', "encoding='ISO-8859-2'"),
  respelt('white-space', 'encoding\n=\t"ISO-8859-2"'),
  respelt('small-letters', 'encoding="iso-8859-2"'),
]

const discouragedCharacter = (
  code: number,
  spelt: string,
  { id, how }: { readonly id: string; readonly how: string },
): TextClass => {
  const hex = code.toString(16).toUpperCase().padStart(4, '0')
  return {
    id: `character:${hex}${id}`,
    summary: `U+${hex}${how}, which XML discourages`,
    fault: { ...name, new: `U+${hex}` },
    write: (text: string) => {
      const { before, at, behind } = cutText(text, 'Podmiot1', 'DaneIdentyfikacyjne', 'Nazwa')
      return before + at + spelt + behind
    },
  }
}

const discouraged: readonly TextClass[] = [
  ...[0x7f, 0x84, 0x86, 0x9f, 0xfdd0, 0xfdef, 0x1fffe, 0x1ffff, 0x10fffe, 0x10ffff].map((code) =>
    discouragedCharacter(code, String.fromCodePoint(code), { id: '', how: '' }),
  ),
  discouragedCharacter(0x85 - 1, '&#132;', { id: ':decimal', how: ' as a decimal reference' }),
  discouragedCharacter(0x1fffe, '&#x1FFFE;', { id: ':hex', how: ' as a hexadecimal reference' }),
]

/** Bytes and encoding: documents that are not UTF-8, declare another encoding, or hold refused characters. */
export function encodings(): InvoiceMalformation[] {
  const utf8Only = 'invoices.content.utf8-without-bom'
  return [
    ...textMalformations('bytes', 'bytes', 'invoice-encoding', utf8Only, invalid),
    ...textMalformations('bytes', 'bytes', 'invoice-encoding', utf8Only, declarations),
    ...textMalformations(
      'bytes',
      'bytes',
      'invoice-invalid',
      'invoices.content.invalid-rejected',
      discouraged,
    ),
  ]
}
