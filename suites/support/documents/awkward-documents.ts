import { describedPlainly, documentOf } from './stock-document.ts'

/**
 * Valid invoices whose bytes software likes to change: line ends, white space, comments, references, character data
 * sections, characters outside the basic plane, composed and decomposed ones, quotes, and no declaration.
 */

interface Facts {
  readonly seller: string
  readonly number: string
  readonly issueDate: string
}

const plain = (facts: Facts): string =>
  new TextDecoder().decode(
    documentOf(
      {
        ...describedPlainly(facts),
        buyer: { identifier: { type: 'VatUe', value: 'DE123456789' }, name: 'Käufer 🧾 𝔄' },
      },
      { third: '5265877635' },
    ),
  )

/** The same document with a prefix before the name of every element. */
const withPrefix = (text: string): string =>
  text.replace(/<(\/?)(?=[A-Za-z])/g, '<$1fa:').replace(' xmlns="', ' xmlns:fa="')

export const prefixed = (bytes: Uint8Array): Uint8Array =>
  new TextEncoder().encode(withPrefix(new TextDecoder().decode(bytes)))

/** The text of an element, first found, in another spelling. */
const respelled = (text: string, name: string, spell: (value: string) => string): string =>
  text.replace(
    new RegExp(`(<${name}>)([^<]*)`),
    (_, tag: string, value: string) => tag + spell(value),
  )

/** Values that software compares, written with sections, references and comments. */
const spellings: readonly (readonly [name: string, spell: (value: string) => string])[] = [
  ['NIP', (nip) => `<![CDATA[${nip.slice(0, 4)}]]>${nip.slice(4)}`],
  ['KodWaluty', (code) => `<!-- złote -->${code}`],
  ['P_1', (day) => `${day.slice(0, 4)}&#45;${day.slice(5)}`],
  ['P_2', (number) => `&#x${number.charCodeAt(0).toString(16)};${number.slice(1)}`],
  ['P_15', (amount) => `<![CDATA[${amount}]]>`],
  ['RodzajFaktury', (kind) => `${kind.slice(0, 1)}<!---->${kind.slice(1)}`],
]

const named = (text: string, name: string): string => text.replace('>Recipient<', `>${name}<`)

const rewritten: Readonly<Record<string, (text: string) => string>> = {
  layout: (text) =>
    `${text.replace('\n', '\r\n').replaceAll('><', '>\r\n\t<')}\r\n<!-- the end -->\r\n \n`,
  comments: (text) =>
    text
      .replace('<Podmiot1>', '<!-- żółw 🐢 <!DOCTYPE a> <?b c?> --><Podmiot1>')
      .replace('</Fa>', '<!----></Fa>'),
  'empty elements': (text) =>
    text.replace('</Podmiot1>', '<DaneKontaktowe></DaneKontaktowe><DaneKontaktowe/></Podmiot1>'),
  characters: (text) =>
    named(
      text,
      "> e\u0301 \u00e9 a\u00a0b  c\t'd' &#x17C;&#380; &amp;amp; &apos;&quot; &gt; \u2028",
    ),
  sections: (text) => named(text, '<![CDATA[A & B <C> <!DOCTYPE E> <?F G?>]]> and <![CDATA[D]]>'),
  quotes: (text) =>
    text
      .replace(
        '<?xml version="1.0" encoding="UTF-8"?>',
        "<?xml version='1.0' encoding='utf-8' standalone='yes'?>",
      )
      .replace('kodSystemowy="FA (3)"', "kodSystemowy = 'FA (3)'")
      .replace('<Faktura ', '<Faktura\n  '),
  prefix: withPrefix,
  values: (text) => spellings.reduce((done, [name, spell]) => respelled(done, name, spell), text),
  'no declaration': (text) => text.slice(text.indexOf('<Faktura')),
}

/** Names of the documents. */
export const awkward = Object.keys(rewritten)

/** A document of that name. */
export const awkwardDocument = (name: string, facts: Facts): Uint8Array =>
  new TextEncoder().encode(rewritten[name]?.(plain(facts)) ?? plain(facts))

/** A document with several of the changes, one after the other. */
export const awkwardly = (bytes: Uint8Array, names: readonly string[]): Uint8Array =>
  new TextEncoder().encode(
    names.reduce((text, name) => rewritten[name]?.(text) ?? text, new TextDecoder().decode(bytes)),
  )
