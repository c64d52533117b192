import { existsSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'

/**
 * A user's own documents, and published examples: found, and moved to where a check can send them. Text is replaced
 * in place, so that everything else stays byte for byte as its author wrote it.
 */

export interface FoundDocument {
  /** File name without directory. */
  readonly name: string
  readonly bytes: Uint8Array
}

/** Where a document is moved to. */
export interface Destination {
  /** NIP of the seller. */
  readonly seller: string
  /** P_1, ISO date. */
  readonly issueDate: string
  /** P_2. */
  readonly number: string
}

/** What a document says of itself; undefined where it says nothing. */
export interface DocumentFacts {
  readonly seller: string | undefined
  readonly issueDate: string | undefined
  readonly number: string | undefined
  readonly kind: string | undefined
  readonly attachment: boolean
}

/** The XML files of a directory, by name. An empty list where there is no such directory. */
export const readDocuments = (directory: string): readonly FoundDocument[] =>
  existsSync(directory)
    ? readdirSync(directory)
        .filter((name) => /\.xml$/i.test(name))
        .toSorted()
        .map((name) => ({ name, bytes: new Uint8Array(readFileSync(path.join(directory, name))) }))
    : []

// An element of any prefix; the documents are invoices, in which none of these names occurs in another sense before.
const element = (name: string, flags = ''): RegExp =>
  new RegExp(`(<(?:[\\w.-]+:)?${name}(?:\\s[^>]*)?>)([^<]*)(</(?:[\\w.-]+:)?${name}>)`, flags)

const seller = /<(?:[\w.-]+:)?Podmiot1[\s>][^]*?<\/(?:[\w.-]+:)?Podmiot1>/

const replaceText = (xml: string, name: string, text: string): string =>
  xml.replace(
    element(name),
    (_, start: string, __, end: string) => `${start}${escaped(text)}${end}`,
  )

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const textOf = (xml: string, name: string): string | undefined =>
  element(name).exec(xml)?.[2]?.trim()

const decoded = (bytes: Uint8Array): string =>
  new TextDecoder('utf-8', { fatal: true }).decode(bytes)

/** Reads what a document says of itself. Throws when it is no UTF-8. */
export const factsOf = (bytes: Uint8Array): DocumentFacts => {
  const xml = decoded(bytes)
  return {
    seller: textOf(seller.exec(xml)?.[0] ?? '', 'NIP'),
    issueDate: textOf(xml, 'P_1'),
    number: textOf(xml, 'P_2'),
    kind: textOf(xml, 'RodzajFaktury'),
    attachment: /<(?:[\w.-]+:)?Zalacznik[\s>]/.test(xml),
  }
}

/** A document with another seller, issue date and number. Throws when it is no UTF-8. */
export const moved = (bytes: Uint8Array, to: Destination): Uint8Array => {
  const xml = decoded(bytes).replace(seller, (party) => replaceText(party, 'NIP', to.seller))
  const dated = replaceText(replaceText(xml, 'P_1', to.issueDate), 'P_2', to.number)
  return new TextEncoder().encode(dated)
}
