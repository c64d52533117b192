import { DOMParser } from '@xmldom/xmldom'
import {
  C14nCanonicalization,
  C14nCanonicalizationWithComments,
  ExclusiveCanonicalization,
  ExclusiveCanonicalizationWithComments,
  SignedXml,
} from 'xml-crypto'
import { EcdsaSha256 } from './ecdsa.ts'

/** What is used of xml-crypto: canonicalization for signing, and its verdict on a signature. */

export const xmlDsig = 'http://www.w3.org/2000/09/xmldsig#'

export const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#'
export const inclusive = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'
/** Differs from 1.0 only in `xml:` attributes, which our documents do not have. */
export const inclusive11 = 'http://www.w3.org/2006/12/xml-c14n11'

/** One of the canonicalizations, by its name on the wire. */
export interface Canonicalization {
  readonly uri: string
  /** Prefixes that an exclusive one treats as an inclusive one does. */
  readonly prefixes?: readonly string[]
  /** No transform names it, because it is the one that applies without a name: Canonical XML 1.0. */
  readonly unnamed?: true
}

/**
 * The canonical form of an element given as text.
 * @param scope prefix -> namespace, as the elements around it declare them; the empty prefix is the default
 */
export function canonicalize(
  xml: string,
  { uri, prefixes = [] }: Canonicalization = { uri: exclusive },
  scope: Readonly<Record<string, string>> = {},
): string {
  const isExclusive = uri.startsWith(exclusive)
  const inherited = Object.entries(scope).filter(
    ([prefix]) => !isExclusive || prefixes.includes(prefix),
  )
  const root = new DOMParser().parseFromString(declared(xml, inherited), 'text/xml').documentElement
  const withComments = uri.endsWith('WithComments')
  if (isExclusive) {
    const Method = withComments ? ExclusiveCanonicalizationWithComments : ExclusiveCanonicalization
    return new Method().process(root, { inclusiveNamespacesPrefixList: [...prefixes] })
  }
  const Method = withComments ? C14nCanonicalizationWithComments : C14nCanonicalization
  return new Method().process(root, {})
}

/** A fragment with what it inherits declared on its own root, where the root does not declare it. */
const declared = (xml: string, inherited: readonly (readonly [string, string])[]): string => {
  const end = xml.indexOf('>')
  const start = xml.slice(0, end)
  const missing = inherited
    .map(([prefix, uri]) => [prefix === '' ? 'xmlns' : `xmlns:${prefix}`, uri] as const)
    .filter(([name]) => !start.includes(` ${name}="`))
    .map(([name, uri]) => ` ${name}="${uri}"`)
  return start + missing.join('') + xml.slice(end)
}

/** The first signature in a document, wherever it stands; null without one. */
export const findSignature = (document: string): Element | null =>
  new DOMParser()
    .parseFromString(document, 'text/xml')
    .getElementsByTagNameNS(xmlDsig, 'Signature')
    .item(0)

/** What xml-crypto reports about a signature, and what the signature covers. */
export interface SignatureJudgement {
  /** Undefined when the digests and the signature value are right. */
  readonly problem: string | undefined
  /** URIs of the references, empty for the document itself. */
  readonly covered: readonly string[]
}

/** Judges a signature in a document by the certificate given (PEM), whatever its own KeyInfo names. Never throws. */
export function judgeXmlSignature(
  document: string,
  signature: Element,
  certificate: string,
): SignatureJudgement {
  const signed = new SignedXml({ publicCert: certificate })
  signed.SignatureAlgorithms[EcdsaSha256.uri] = EcdsaSha256
  signed.getCertFromKeyInfo = () => null
  let problem: string | undefined
  try {
    signed.loadSignature(signature)
    if (!signed.checkSignature(document)) problem = 'the signature does not verify'
  } catch (error) {
    problem = `the signature cannot be verified: ${(error as Error).message}`
  }
  return { problem, covered: signed.getReferences().map(({ uri }) => uri) }
}
