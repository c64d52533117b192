/**
 * Reads untrusted XML: everything that parses in the reference comes through here. libxml2 sees the raw bytes,
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
 * The caller has to refuse bytes that may hold a DOCTYPE first (`lexicalFindings`).
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
const maxFinding = 500

const shortened = (text: string): string =>
  text.length <= maxFinding ? text : `${text.slice(0, maxFinding)}...`

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

/** The elements that an expression of ours selects; expressions from callers are never evaluated. */
export const elementsOf = (
  document: XmlDocument,
  xpath: string,
  prefixes: Readonly<Record<string, string>> = {},
): XmlElement[] =>
  document.find(xpath, prefixes).filter((node): node is XmlElement => node instanceof XmlElement)

/** The child elements of an element, in order. */
export const childElements = (parent: XmlElement): XmlElement[] => {
  const children: XmlElement[] = []
  for (let node = parent.firstChild; node !== null; node = node.next)
    if (node instanceof XmlElement) children.push(node)
  return children
}
