/**
 * Checks the characters of a document without a parser: encoding, markup, and characters that XML discourages. Markup
 * is ASCII and never contains other bytes of UTF-8, so it is read from the bytes directly and only the few texts of
 * interest are decoded.
 */

import { isUtf8 } from 'node:buffer'

const view = (bytes: Uint8Array): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** The bytes of a document as characters, one for each byte. */
export const markupOf = (bytes: Uint8Array): string => view(bytes).toString('latin1')

/** Decodes a part of the markup; references in it are kept. */
export const textOf = (markup: string): string =>
  /[\x80-\xff]/.test(markup) ? Buffer.from(markup, 'latin1').toString() : markup

/** Why bytes are not UTF-8 without a byte order mark; undefined where they are. */
export const encodingFault = (bytes: Uint8Array): string | undefined => {
  const [a, b, c] = bytes
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'The document has a byte order mark'
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)) return 'The document is UTF-16'
  // ASCII text in UTF-16 without a mark is valid UTF-8 with NULs too, and a parser that guesses encodings accepts it.
  return view(bytes).includes(0) || !isUtf8(bytes) ? 'The document is not UTF-8' : undefined
}

/** Collapses white space as `xsd:token` does. */
export const collapsed = (text: string): string =>
  /^ |[\t\r\n]|  | $/.test(text) ? text.replace(/[ \t\r\n]+/g, ' ').replace(/^ | $/g, '') : text

/** The position after the next mark, or the end of the text, so that every loop ends. */
export const after = (text: string, mark: string, from: number): number => {
  const found = text.indexOf(mark, from)
  return found < 0 ? text.length : found + mark.length
}

/** What the characters show before any parser runs. */
export interface LexicalFindings {
  readonly doctype: boolean
  /** Target of the first processing instruction; the XML declaration does not count. */
  readonly processingInstruction: string | undefined
  /** Encoding named by the XML declaration. */
  readonly declaredEncoding: string | undefined
  /** Version named by the XML declaration. */
  readonly declaredVersion: string | undefined
  readonly comments: number
}

const declaration = /^<\?xml([ \t\r\n][^?]*)\?>/
const versioned = /^[ \t\r\n]*version[ \t\r\n]*=[ \t\r\n]*(?:"([^"]*)"|'([^']*)')/
const named = /encoding[ \t\r\n]*=[ \t\r\n]*(?:"([^"]*)"|'([^']*)')/

/**
 * Scans the markup of a document, well-formed or not. Only in comments and CDATA sections is `<` a plain character, so
 * the scan is exact for every well-formed document and stops early on others.
 */
export const lexicalFindings = (markup: string): LexicalFindings => {
  const head = markup.startsWith('<?xml') ? declaration.exec(markup) : null
  const encoding = head === null ? null : named.exec(head[1] ?? '')
  const declaredEncoding = encoding?.[1] ?? encoding?.[2]
  const version = head === null ? null : versioned.exec(head[1] ?? '')
  const declaredVersion = version?.[1] ?? version?.[2]
  let processingInstruction: string | undefined
  let doctype = false
  let comments = 0
  const begin = head === null ? 0 : head[0].length
  // The common case; searching for a single character is several times faster than for a pair.
  if (markup.indexOf('?', begin) < 0 && markup.indexOf('!', begin) < 0)
    return { doctype, processingInstruction, declaredEncoding, declaredVersion, comments }
  let at = begin
  while ((at = markup.indexOf('<', at)) >= 0) {
    const next = markup.charCodeAt(at + 1)
    if (next === 0x3f) {
      processingInstruction ??= textOf(
        /^[^ \t\r\n?]*/.exec(markup.slice(at + 2, at + 66))?.[0] ?? '',
      )
      at = after(markup, '?>', at + 2)
    } else if (next === 0x21) {
      if (markup.startsWith('<!--', at)) {
        comments++
        at = after(markup, '-->', at + 4)
      } else if (markup.startsWith('<![CDATA[', at)) at = after(markup, ']]>', at + 9)
      else {
        doctype ||= /^<!doctype/i.test(markup.slice(at, at + 9))
        at += 2
      }
    } else at += 1
    if (doctype) break
  }
  return { doctype, processingInstruction, declaredEncoding, declaredVersion, comments }
}

/** The markup of a well-formed document without its comments; also without its CDATA sections if `data` is set. */
export const withoutComments = (markup: string, data = false): string => {
  const pieces: string[] = []
  let from = 0
  let at = 0
  while ((at = markup.indexOf('<!', at)) >= 0) {
    const comment = markup.startsWith('<!--', at)
    const mark = comment ? '-->' : ']]>'
    const end = markup.indexOf(mark, at + 4)
    if (end < 0) break
    if (comment || data) {
      pieces.push(markup.slice(from, at))
      from = end + mark.length
    }
    at = end + mark.length
  }
  pieces.push(markup.slice(from))
  return pieces.join('')
}

// Characters that XML 1.0 allows but discourages: C1 controls except NEL, and non-characters.
const discouraged =
  /[\u007f-\u0084\u0086-\u009f\ufdd0-\ufdef\u{1fffe}\u{1ffff}\u{2fffe}\u{2ffff}\u{3fffe}\u{3ffff}\u{4fffe}\u{4ffff}\u{5fffe}\u{5ffff}\u{6fffe}\u{6ffff}\u{7fffe}\u{7ffff}\u{8fffe}\u{8ffff}\u{9fffe}\u{9ffff}\u{afffe}\u{affff}\u{bfffe}\u{bffff}\u{cfffe}\u{cffff}\u{dfffe}\u{dffff}\u{efffe}\u{effff}\u{ffffe}\u{fffff}\u{10fffe}\u{10ffff}]/u
const reference = /&#(?:x([0-9a-fA-F]{1,8})|([0-9]{1,8}));/g

/** Every discouraged character contains at least one of these bytes. */
const signs = [0x7f, 0xc2, 0xef, 0xf0, 0xf1, 0xf2, 0xf3, 0xf4]

/** The first discouraged character of a document, literal or as a character reference, in the form `U+XXXX`. */
export const discouragedCharacter = (bytes: Uint8Array): string | undefined => {
  const name = (code: number) => `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
  const document = view(bytes)
  if (signs.some((sign) => document.includes(sign))) {
    const found = discouraged.exec(document.toString())
    if (found !== null) return name(found[0].codePointAt(0) ?? 0)
  }
  if (!document.includes('&#')) return undefined
  // Comments and CDATA sections contain no references.
  const markup = withoutComments(document.toString('latin1'), true)
  for (const [, hex, decimal] of markup.matchAll(reference)) {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    if (code <= 0x10ffff && discouraged.test(String.fromCodePoint(code))) return name(code)
  }
  return undefined
}
