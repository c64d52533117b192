import { DOMParser } from '@xmldom/xmldom'
import { ExclusiveCanonicalization, SignedXml } from 'xml-crypto'
import { EcdsaSha256 } from './ecdsa.ts'

/** What is needed of xml-crypto: canonicalization to sign, and its judgement of a signature. */

export const xmlDsig = 'http://www.w3.org/2000/09/xmldsig#'

/** The canonical form (exclusive, without comments) of an element given as text. */
export function canonicalize(xml: string): string {
  const document = new DOMParser().parseFromString(xml, 'text/xml')
  const canonicalization = new ExclusiveCanonicalization()
  return canonicalization.process(document.documentElement, {})
}

/** The first signature in a document, wherever it stands; null without one. */
export const findSignature = (document: string): Element | null =>
  new DOMParser()
    .parseFromString(document, 'text/xml')
    .getElementsByTagNameNS(xmlDsig, 'Signature')
    .item(0)

/** What xml-crypto says of a signature, and what the signature covers. */
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
