import type { RefusalId } from '../../../contract/errors.ts'
import type { RuleId } from '../../../contract/rules.ts'
import { withInvalidAmount } from './malformed.ts'

const bytesOf = (text: string, encoding: 'utf8' | 'utf16le' | 'latin1' = 'utf8'): Uint8Array =>
  new Uint8Array(Buffer.from(text, encoding))

/** The same document in letters of ASCII alone, so that one that is made from it differs in one thing from a valid one. */
export const inAscii = (bytes: Uint8Array): Uint8Array =>
  bytesOf(new TextDecoder().decode(bytes).replaceAll(/[\u0080-\u{10ffff}]/gu, 'x'))

export interface WrongDocuments {
  readonly id: RuleId
  readonly refusal: RefusalId
  /** Each makes a valid document in ASCII one that is refused. */
  readonly write: Readonly<Record<string, (ascii: Uint8Array) => Uint8Array>>
}

type Write = (xml: string) => Uint8Array

const written = (writes: Readonly<Record<string, Write>>): WrongDocuments['write'] =>
  Object.fromEntries(
    Object.entries(writes).map(([what, write]) => [
      what,
      (ascii: Uint8Array) => write(new TextDecoder().decode(ascii)),
    ]),
  )

/** Documents that are refused for how they are written, and for what they say. */
export const wrongDocuments: readonly WrongDocuments[] = [
  {
    id: 'invoices.content.utf8-without-bom',
    refusal: 'invoice-encoding',
    write: written({
      'a byte order mark': (xml) => bytesOf(`\uFEFF${xml}`),
      'in UTF-16': (xml) => bytesOf(`\uFEFF${xml.replace(/^<\?.*?\?>/, '')}`, 'utf16le'),
      'in Latin 1': (xml) => bytesOf(xml.replace('</P_2>', 'ó</P_2>'), 'latin1'),
      'declared otherwise': (xml) => bytesOf(xml.replace('UTF-8', 'ISO-8859-2')),
    }),
  },
  {
    id: 'invoices.content.invalid-rejected',
    refusal: 'invoice-invalid',
    write: written({
      'no amount': (xml) => bytesOf(withInvalidAmount(xml)),
      'no number': (xml) => bytesOf(xml.replace(/<P_2>.*?<\/P_2>/, '')),
      'no such day': (xml) => bytesOf(xml.replace(/<P_1>.*?</, '<P_1>2026-02-30<')),
      'a later day': (xml) => bytesOf(xml.replace(/<P_1>.*?</, '<P_1>2099-01-01<')),
      'in XML 1.1': (xml) => bytesOf(xml.replace('version="1.0"', 'version="1.1"')),
      'a document type': (xml) => bytesOf(xml.replace('?>', '?><!DOCTYPE Faktura>')),
      'an instruction': (xml) => bytesOf(xml.replace(/<\/Faktura>$/, '<?go?></Faktura>')),
      'a discouraged character': (xml) => bytesOf(xml.replace('<Nazwa>', '<Nazwa>\u0084')),
      'an open element': (xml) => bytesOf(xml.slice(0, -12)),
    }),
  },
]
