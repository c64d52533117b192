/**
 * The elements of a document as names and texts. For documents that a parser found well-formed and whose markup is at
 * hand: walking the parser's own tree costs several times its parsing, because each step leaves its memory.
 */

import { after, textOf } from './markup.ts'

export interface Outline {
  /** Without the prefix. */
  readonly name: string
  /** As it stands in the tags. */
  readonly tag: string
  /** Markup of the characters within it, behind its last child. */
  markup: string
  readonly children: Outline[]
}

const entities: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
}
const reference = /&(?:#x([0-9a-fA-F]+)|#([0-9]+)|(\w+));/g

/** The text that markup without elements stands for. */
export const resolved = (markup: string): string => {
  const text = textOf(markup)
  return text.includes('&')
    ? text.replace(reference, (whole, hex?: string, decimal?: string, name = '') =>
        hex !== undefined || decimal !== undefined
          ? String.fromCodePoint(hex ? Number.parseInt(hex, 16) : Number(decimal))
          : (entities[name] ?? whole),
      )
    : text
}

/** Where a tag ends: `>` may stand within the value of an attribute. */
const endOfTag = (text: string, from: number): number => {
  let at = from
  while (at < text.length) {
    const character = text.charCodeAt(at)
    if (character === 0x3e) return at
    if (character === 0x22) at = after(text, '"', at + 1)
    else if (character === 0x27) at = after(text, "'", at + 1)
    else at++
  }
  return at
}

/** The position after the name that begins at `from`. */
const endOfName = (text: string, from: number, end: number): number => {
  for (let at = from; at < end; at++) {
    const character = text.charCodeAt(at)
    if (character <= 0x20 || character === 0x2f) return at
  }
  return end
}

/** Where the end tag begins that belongs to a start tag; undefined where finding it takes a walk. */
const closingOf = (text: string, name: string, from: number): number | undefined => {
  const next = (mark: string): number => {
    let at = from
    for (;;) {
      at = text.indexOf(mark, at)
      if (at < 0) return text.length
      const behind = text.charCodeAt(at + mark.length)
      if (behind <= 0x20 || behind === 0x2f || behind === 0x3e) return at
      at += mark.length
    }
  }
  const closing = next(`</${name}`)
  return next(`<${name}`) < closing ? undefined : closing
}

/** Where the last tag begins that this character marks, -1 where there is none. */
const lastOf = (text: string, mark: '!' | '?'): number =>
  // A single character is found several times as quickly as a pair, and mostly there is none behind the declaration.
  text.indexOf(mark, text.indexOf('?>') + 2) < 0 ? 0 : text.lastIndexOf(`<${mark}`)

/**
 * The outline of a well-formed document without a document type.
 * @param text its markup
 * @param without names of elements that are kept, but not what is within them
 * @param until names of elements that are kept, but perhaps not what is within them and their later siblings
 */
export const outlineOf = (
  text: string,
  without: ReadonlySet<string>,
  until: ReadonlySet<string>,
): Outline => {
  const top: Outline = { name: '', tag: '', markup: '', children: [] }
  const open: Outline[] = [top]
  let here = top
  /** Behind it every `<` begins or ends an element. */
  const lastOther = Math.max(lastOf(text, '!'), lastOf(text, '?'))
  /** How deep within an element that is not looked into. */
  let unseen = 0
  let at = 0
  for (;;) {
    const tag = text.indexOf('<', at)
    if (tag < 0) break
    const next = text.charCodeAt(tag + 1)
    const isMark = next === 0x21 || next === 0x3f || next === 0x2f
    // Between elements there is white space, or what no schema here allows.
    if (isMark && unseen === 0 && tag > at && here.children.length === 0) {
      const between = text.slice(at, tag)
      here.markup = here.markup === '' ? between : here.markup + between
    }
    if (next === 0x21) {
      const isData = text.startsWith('<![CDATA[', tag)
      at = after(text, isData ? ']]>' : '-->', tag)
      if (isData && unseen === 0)
        here.markup += text.slice(tag + 9, at - 3).replaceAll('&', '&amp;')
    } else if (next === 0x3f) {
      at = after(text, '?>', tag)
    } else if (next === 0x2f) {
      at = after(text, '>', tag)
      if (unseen > 1) unseen--
      else {
        unseen = 0
        open.pop()
        here = open.at(-1) ?? top
      }
    } else {
      const end = endOfTag(text, tag)
      const isEmpty = text.charCodeAt(end - 1) === 0x2f
      at = end + 1
      if (unseen > 0) {
        if (!isEmpty) unseen++
        continue
      }
      const qualified = text.slice(tag + 1, endOfName(text, tag + 1, end))
      const name = qualified.slice(qualified.indexOf(':') + 1)
      const element: Outline = { name, tag: qualified, markup: '', children: [] }
      here.children.push(element)
      if (tag > lastOther && until.has(name)) {
        const closing = closingOf(text, here.tag, at)
        if (closing !== undefined) {
          at = closing
          continue
        }
      }
      if (isEmpty) continue
      open.push(element)
      here = element
      if (!without.has(name)) continue
      unseen = 1
      if (tag > lastOther) at = closingOf(text, qualified, at) ?? at
    }
  }
  return top.children[0] ?? top
}
