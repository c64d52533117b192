import type { Element } from '../schema/document.ts'
import { children, element } from '../schema/document.ts'
import { serializeText } from '../schema/serialize.ts'
import { InvoiceOptionsError } from './options.ts'

const utf8 = new TextEncoder()

/** DodatkowyOpis with a key and a value: bytes around them, and the fewest and most that they take. */
const wrapping = '<DodatkowyOpis><Klucz></Klucz><Wartosc></Wartosc></DodatkowyOpis>'.length
const longest = 256
const smallestEntry = wrapping + 2
const largestEntry = wrapping + 2 * longest
const maxEntries = 10_000

/** What comes after DodatkowyOpis in Fa. */
const later = new Set([
  'FakturaZaliczkowa',
  'ZwrotAkcyzy',
  'FaWiersz',
  'Rozliczenie',
  'Platnosc',
  'WarunkiTransakcji',
  'Zamowienie',
])

function entry(namespace: string, bytes: number): Element {
  const text = bytes - wrapping
  const key = Math.min(longest, Math.max(1, text >> 1))
  return element(namespace, 'DodatkowyOpis', [
    element(namespace, 'Klucz', 'k'.repeat(key)),
    element(namespace, 'Wartosc', 'w'.repeat(text - key)),
  ])
}

/** Splits a size into sizes of entries, largest first; what is too small for an entry is left over. */
function entrySizes(bytes: number): { sizes: number[]; rest: number } {
  const sizes: number[] = []
  let left = bytes
  while (left >= smallestEntry) {
    // Never leave a remainder that no entry can take, unless that is all there is.
    const size =
      left <= largestEntry
        ? left
        : Math.min(largestEntry, Math.max(smallestEntry, left - smallestEntry))
    sizes.push(size)
    left -= size
  }
  return { sizes, rest: left }
}

export interface Sized {
  readonly document: Element
  readonly bytes: Uint8Array
}

/** Where DodatkowyOpis goes in the written document: after all that stands before it in Fa. */
function insertionPoint(text: string): number {
  const kind = text.indexOf('<RodzajFaktury>')
  const end = text.lastIndexOf('</Fa>')
  let at = end
  for (const name of later) {
    for (const tag of [`<${name}>`, `<${name}/>`]) {
      const found = text.indexOf(tag, kind)
      if (found >= 0 && found < at) at = found
    }
  }
  return at
}

/**
 * Fills a document up to a size with extra descriptions, and with line feeds after the root where fewer
 * bytes are missing than one entry takes.
 *
 * @returns undefined where the document is already larger
 * @throws InvoiceOptionsError where so many entries do not fit the schema
 */
export function fillTo(document: Element, size: number): Sized | undefined {
  const text = serializeText(document)
  const before = Buffer.byteLength(text)
  if (before > size) return undefined
  const { sizes, rest } = entrySizes(size - before)
  const there = children(children(document).find(({ name }) => name === 'Fa')!)
  const own = there.filter(({ name }) => name === 'DodatkowyOpis').length
  if (own + sizes.length > maxEntries) {
    throw new InvoiceOptionsError(`bytes: ${size} is more than one invoice can be filled with`)
  }
  const entries = sizes.map((bytes) => entry(document.namespace, bytes))
  const filled: Element = {
    ...document,
    content: children(document).map((part) => {
      if (part.name !== 'Fa') return part
      const at = there.findIndex(({ name }) => later.has(name))
      const cut = at < 0 ? there.length : at
      return { ...part, content: [...there.slice(0, cut), ...entries, ...there.slice(cut)] }
    }),
  }
  // What is written already stays: only the entries are new.
  const cut = insertionPoint(text)
  const more = entries.map((each) =>
    serializeText(each, { bare: true, within: document.namespace }),
  )
  const bytes = utf8.encode(
    text.slice(0, cut) + more.join('') + text.slice(cut) + '\n'.repeat(rest),
  )
  if (bytes.length !== size) {
    throw new InvoiceOptionsError(`bytes: ${size} was missed by ${size - bytes.length}`)
  }
  return { document: filled, bytes }
}
