/**
 * The elements of a document as names and texts. For documents that a parser found well-formed and whose bytes are at
 * hand as text: walking the parser's own tree costs several times its parsing, because each step leaves its memory.
 */

export interface Outline {
  /** Without the prefix. */
  readonly name: string
  /** Characters directly within it, references resolved. */
  text: string
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

const resolved = (text: string): string =>
  text.includes('&')
    ? text.replace(reference, (whole, hex?: string, decimal?: string, name = '') =>
        hex !== undefined || decimal !== undefined
          ? String.fromCodePoint(hex ? Number.parseInt(hex, 16) : Number(decimal))
          : (entities[name] ?? whole),
      )
    : text

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

/** Behind the next mark; the end of the text where there is none, so that no text is walked for ever. */
const after = (text: string, mark: string, from: number): number => {
  const found = text.indexOf(mark, from)
  return found < 0 ? text.length : found + mark.length
}

const localName = (tag: string): string => {
  const name = /^[^ \t\r\n/]*/.exec(tag)![0]
  return name.slice(name.indexOf(':') + 1)
}

/**
 * The outline of a well-formed document without a document type.
 * @param without names of elements that are kept, but not what is within them
 */
export const outlineOf = (text: string, without: ReadonlySet<string>): Outline => {
  const top: Outline = { name: '', text: '', children: [] }
  const open: Outline[] = [top]
  /** How deep within an element that is not looked into. */
  let unseen = 0
  let at = 0
  for (;;) {
    const tag = text.indexOf('<', at)
    if (tag < 0) break
    const here = open.at(-1) ?? top
    if (unseen === 0 && tag > at) here.text += resolved(text.slice(at, tag))
    const next = text.charCodeAt(tag + 1)
    if (next === 0x21) {
      const isData = text.startsWith('<![CDATA[', tag)
      at = after(text, isData ? ']]>' : '-->', tag)
      if (isData && unseen === 0) here.text += text.slice(tag + 9, at - 3)
    } else if (next === 0x3f) {
      at = after(text, '?>', tag)
    } else if (next === 0x2f) {
      at = after(text, '>', tag)
      if (unseen > 1) unseen--
      else {
        unseen = 0
        open.pop()
      }
    } else {
      const end = endOfTag(text, tag)
      const isEmpty = text.charCodeAt(end - 1) === 0x2f
      at = end + 1
      if (unseen > 0) {
        if (!isEmpty) unseen++
        continue
      }
      const element: Outline = { name: localName(text.slice(tag + 1, end)), text: '', children: [] }
      here.children.push(element)
      if (isEmpty) continue
      open.push(element)
      if (without.has(element.name)) unseen = 1
    }
  }
  return top.children[0] ?? top
}
