/**
 * Reading XML from strangers: everything that parses in the reference comes through here. libxml2 sees the raw bytes,
 * loads nothing, and what it allocates is freed before the caller has the answer.
 */

import { ParseOption, XmlDocument, XmlElement, XmlLibError } from 'libxml2-wasm'

/** Not well-formed. `details` hold what the parser said, with line and column where it knows them. */
export class MalformedXml extends Error {
  override readonly name = 'MalformedXml'
  readonly details: readonly string[]

  constructor(details: readonly string[]) {
    super(details[0] ?? 'not well-formed')
    this.details = details
  }
}

const quiet =
  ParseOption.XML_PARSE_NONET |
  ParseOption.XML_PARSE_NO_XXE |
  ParseOption.XML_PARSE_NO_SYS_CATALOG |
  // Text is one node however many CDATA sections it is in.
  ParseOption.XML_PARSE_NOCDATA |
  ParseOption.XML_PARSE_NOWARNING

/**
 * Parses bytes and lends the document to `use`; the document is freed when `use` returns or throws.
 * Bytes that may hold a DOCTYPE are the caller's to refuse first (`lexicalFindings`).
 * @throws {MalformedXml} when the bytes are not a well-formed document
 */
export const withDocument = <T>(bytes: Uint8Array, use: (document: XmlDocument) => T): T => {
  let document: XmlDocument
  try {
    document = XmlDocument.fromBuffer(bytes, { option: quiet })
  } catch (error) {
    throw new MalformedXml(diagnostics(error))
  }
  try {
    return use(document)
  } finally {
    document.dispose()
  }
}

/** Characters of a finding that are kept: some quote the whole value that they are about. */
const mostOfFinding = 500

const shortened = (text: string): string =>
  text.length <= mostOfFinding ? text : `${text.slice(0, mostOfFinding)}...`

/** What libxml2 said, one line each, at most `most`; the rest is counted. */
export const diagnostics = (error: unknown, most = 10): string[] => {
  if (!(error instanceof XmlLibError) || error.details.length === 0)
    return [error instanceof Error ? error.message : String(error)]
  const lines = error.details.map(({ line, col, message }) => {
    const place = line > 0 ? `line ${line}${col > 0 ? `, column ${col}` : ''}: ` : ''
    return shortened(place + message.trim())
  })
  return lines.length <= most
    ? lines
    : [...lines.slice(0, most), `and ${lines.length - most} more findings`]
}

/** The child elements of an element, in order. */
export const childElements = (parent: XmlElement): XmlElement[] => {
  const children: XmlElement[] = []
  for (let node = parent.firstChild; node !== null; node = node.next)
    if (node instanceof XmlElement) children.push(node)
  return children
}

/** The first child element with this local name. */
export const childElement = (
  parent: XmlElement | undefined,
  name: string,
): XmlElement | undefined => {
  if (parent === undefined) return undefined
  for (let node = parent.firstChild; node !== null; node = node.next)
    if (node instanceof XmlElement && node.name === name) return node
  return undefined
}

/** White space as types below `xsd:token` see it. */
export const collapsed = (text: string): string => text.replace(/[ \t\r\n]+/g, ' ').trim()

/** What a look at the characters finds, before any parser runs. */
export interface LexicalFindings {
  readonly doctype: boolean
  /** Target of the first processing instruction; the XML declaration is none. */
  readonly processingInstruction: string | undefined
  /** Encoding named by the XML declaration. */
  readonly declaredEncoding: string | undefined
  readonly comments: number
}

const declaration = /^<\?xml[ \t\r\n]([^?]*)\?>/
const named = /encoding[ \t\r\n]*=[ \t\r\n]*(?:"([^"]*)"|'([^']*)')/

/**
 * Walks the markup of a text that need not be well-formed. `<` stands for itself nowhere but in comments and CDATA
 * sections, so the walk is exact for every well-formed document and stops early on others.
 */
export const lexicalFindings = (text: string): LexicalFindings => {
  const head = declaration.exec(text)
  const encoding = head === null ? null : named.exec(head[1] ?? '')
  const declaredEncoding = encoding?.[1] ?? encoding?.[2]
  let processingInstruction: string | undefined
  let doctype = false
  let comments = 0
  const after = (mark: string, from: number) => {
    const end = text.indexOf(mark, from)
    return end < 0 ? text.length : end + mark.length
  }
  let at = head === null ? 0 : head[0].length
  while ((at = text.indexOf('<', at)) >= 0) {
    const next = text.charCodeAt(at + 1)
    if (next === 0x3f) {
      processingInstruction ??= /^[^ \t\r\n?]*/.exec(text.slice(at + 2, at + 66))?.[0] ?? ''
      at = after('?>', at + 2)
    } else if (next === 0x21) {
      if (text.startsWith('<!--', at)) {
        comments++
        at = after('-->', at + 4)
      } else if (text.startsWith('<![CDATA[', at)) at = after(']]>', at + 9)
      else {
        doctype ||= /^<!doctype/i.test(text.slice(at, at + 9))
        at += 2
      }
    } else at += 1
    if (doctype) break
  }
  return { doctype, processingInstruction, declaredEncoding, comments }
}

/** The text of a well-formed document without its comments. */
export const withoutComments = (text: string): string => {
  const pieces: string[] = []
  let from = 0
  let at = 0
  while ((at = text.indexOf('<!', at)) >= 0) {
    const comment = text.startsWith('<!--', at)
    const mark = comment ? '-->' : ']]>'
    const end = text.indexOf(mark, at + 4)
    if (end < 0) break
    if (comment) {
      pieces.push(text.slice(from, at))
      from = end + mark.length
    }
    at = end + mark.length
  }
  pieces.push(text.slice(from))
  return pieces.join('')
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The text of bytes that are UTF-8 without a byte order mark, else why they are not. */
export const utf8Text = (bytes: Uint8Array): { text: string } | { wrong: string } => {
  const [a, b, c] = bytes
  if (a === 0xef && b === 0xbb && c === 0xbf) return { wrong: 'The document has a byte order mark' }
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff))
    return { wrong: 'The document is UTF-16' }
  // Without a mark, UTF-16 of ASCII is also UTF-8, with NULs, and a parser that guesses would read it.
  if (bytes.includes(0)) return { wrong: 'The document is not UTF-8' }
  try {
    return { text: strict.decode(bytes) }
  } catch {
    return { wrong: 'The document is not UTF-8' }
  }
}

// Characters that XML 1.0 allows and discourages: C1 controls but NEL, and the non-characters.
const discouraged =
  /[\u007f-\u0084\u0086-\u009f\ufdd0-\ufdef\u{1fffe}\u{1ffff}\u{2fffe}\u{2ffff}\u{3fffe}\u{3ffff}\u{4fffe}\u{4ffff}\u{5fffe}\u{5ffff}\u{6fffe}\u{6ffff}\u{7fffe}\u{7ffff}\u{8fffe}\u{8ffff}\u{9fffe}\u{9ffff}\u{afffe}\u{affff}\u{bfffe}\u{bffff}\u{cfffe}\u{cffff}\u{dfffe}\u{dffff}\u{efffe}\u{effff}\u{ffffe}\u{fffff}\u{10fffe}\u{10ffff}]/u
const reference = /&#(?:x([0-9a-fA-F]{1,8})|([0-9]{1,8}));/g

/** The first discouraged character of a text, written out or as a character reference, as `U+XXXX`. */
export const discouragedCharacter = (text: string): string | undefined => {
  const name = (code: number) => `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
  const found = discouraged.exec(text)
  if (found !== null) return name(found[0].codePointAt(0) ?? 0)
  if (!text.includes('&#')) return undefined
  for (const [, hex, decimal] of text.matchAll(reference)) {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    if (code <= 0x10ffff && discouraged.test(String.fromCodePoint(code))) return name(code)
  }
  return undefined
}
