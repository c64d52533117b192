import { createHash } from 'node:crypto'
import type { XmlDocument, XmlElement, XmlNode } from 'libxml2-wasm'
import { XmlC14NMode } from 'libxml2-wasm'
import { refuse } from '../base/refusals.ts'
import { childElements } from '../xml/xml.ts'

/** Canonical XML, as the transforms of a signature name it. */

const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const version11 = 'http://www.w3.org/2006/12/xml-c14n11'
export const defaultCanonicalization = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'

export interface Canonicalization {
  readonly uri: string
  /** Prefixes of an InclusiveNamespaces element. */
  readonly prefixes: readonly string[]
}

/** What a CanonicalizationMethod or a Transform names. */
export const canonicalizationOf = (element: XmlElement): Canonicalization => ({
  uri: element.attr('Algorithm')?.value ?? '',
  prefixes: childElements(element)
    .filter((child) => child.name === 'InclusiveNamespaces' && child.namespaceUri === exclusive)
    .flatMap((list) => (list.attr('PrefixList')?.value ?? '').split(/[ \t\r\n]+/))
    .filter((prefix) => prefix !== ''),
})

const options = ({ uri, prefixes }: Canonicalization, withComments: boolean) => ({
  mode: uri.startsWith(exclusive)
    ? XmlC14NMode.XML_C14N_EXCLUSIVE_1_0
    : uri.startsWith(version11)
      ? XmlC14NMode.XML_C14N_1_1
      : XmlC14NMode.XML_C14N_1_0,
  withComments,
  ...(uri.startsWith(exclusive) && { inclusiveNamespacePrefixes: [...prefixes] }),
})

// Canonical XML rejects documents that parsers accept, for example those with relative namespace names.
const canonical = (run: () => string): string => {
  try {
    return run()
  } catch {
    throw refuse('signature-invalid', 'the document has no canonical form')
  }
}

/**
 * The canonical form of a whole document, without comments.
 * @throws refusal signature-invalid
 */
export const canonicalDocument = (document: XmlDocument, method: Canonicalization): string =>
  canonical(() => document.canonicalizeToString(options(method, false)))

/**
 * The canonical form of an element where it stands; comments only where they are asked for. As a set of nodes, because
 * the library's own way of an element makes two objects for each node that it passes.
 * @throws refusal signature-invalid
 */
export const canonicalElement = (
  element: XmlElement | XmlNode,
  method: Canonicalization,
  withComments = false,
): string =>
  canonical(() =>
    element.doc.canonicalizeToString({
      ...options(method, withComments),
      nodeSet: new Set([element]),
    }),
  )

export const digestOf = (hash: string, data: string | Uint8Array): string =>
  createHash(hash).update(data).digest('base64')
