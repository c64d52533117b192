import type { XmlDocument, XmlElement } from 'libxml2-wasm'
import { refuse } from '../base/refusals.ts'
import type { Policy } from '../policy/policy.ts'
import { childElements, elementsOf, withDocument } from '../xml/xml.ts'
import { canonicalDocument, canonicalElement, digestOf } from './canonical.ts'
import type { Reference, SignatureParts } from './signature-parts.ts'
import { namespaces } from '../xml/signature-namespaces.ts'
import { only } from './signature-parts.ts'
import { decodedObject, transformsOf } from './transforms.ts'

/** What the references of a signature cover. The request is read from nothing but what a digest was verified over. */

export const requestName = 'AuthTokenRequest'

const invalid = (why: string) => refuse('signature-invalid', why)

/** The element that a reference by id names, found once and only once. */
export const byId = (document: XmlDocument, uri: string): XmlElement => {
  const id = uri.slice(1)
  const found = elementsOf(document, '//*[@Id]').filter(
    (element) => element.attr('Id')?.value === id,
  )
  return only(found, `the reference ${uri} names one element`)
}

export const checkDigest = (
  policy: Policy,
  reference: Reference,
  covered: string | Uint8Array,
): void => {
  const hash = policy.digestAlgorithm(reference.digestMethod)
  if (hash === undefined) throw invalid(`the digest ${reference.digestMethod} is not accepted`)
  if (!policy.digestFits(digestOf(hash, covered), reference.digestValue)) {
    throw invalid(`the digest of the reference ${JSON.stringify(reference.uri)} does not fit`)
  }
}

interface Covering<T> {
  readonly bytes: Uint8Array
  readonly document: XmlDocument
  readonly form: 'enveloped' | 'enveloping' | 'detached'
  readonly parts: SignatureParts
  readonly policy: Policy
  /** Inspects and parses bytes that were encoded. */
  readonly lend: (covered: Uint8Array, use: (tree: XmlDocument) => T) => T
  readonly read: (request: XmlElement, document: XmlDocument) => T
}

/** Verifies every reference to the request and reads the request from what the first of them covers. */
export const readCovered = <T>(covering: Covering<T>): T => {
  const [reference, ...others] = covering.parts.documentReferences
  if (reference === undefined) throw invalid('no reference covers the request')
  if (others.some(({ uri }) => uri !== reference.uri))
    throw invalid('the references cover different things')
  for (const other of others) readReference({ ...covering, read: () => undefined as T }, other)
  return readReference(covering, reference)
}

const withoutSignature = (bare: XmlDocument): XmlElement => {
  elementsOf(bare, '//ds:Signature', namespaces)[0]?.remove()
  return bare.root
}

const readReference = <T>(covering: Covering<T>, reference: Reference): T => {
  const { bytes, document, form, parts, policy, read } = covering
  const { canonicalization, isEnveloped, isEncoded } = transformsOf(reference, policy)
  if (!policy.referencePlaceFits(form, reference.uri, isEnveloped)) {
    throw invalid('the reference does not name what the form of the signature covers')
  }
  if (!reference.uri.startsWith('#')) {
    if (isEncoded) throw invalid('Base64 encodes an object, not an enveloped request')
    // A second tree of the same bytes without the signature: digest, schema and request are taken from this one.
    return withDocument(bytes, (bare) => {
      const request = withoutSignature(bare)
      checkDigest(policy, reference, canonicalDocument(bare, canonicalization))
      return read(request, bare)
    })
  }
  const covered = byId(document, reference.uri)
  if (form === 'enveloping' && !parts.objects.some((one) => one.isSameNode(covered))) {
    throw invalid('the reference names no object of the signature')
  }
  if (!isEncoded) {
    checkDigest(policy, reference, canonicalElement(covered, canonicalization))
    return read(requestWithin(covered), document)
  }
  const decoded = decodedObject(covered, policy)
  checkDigest(policy, reference, decoded)
  return covering.lend(decoded, (inner) => {
    // The signature around it has been counted; what another one inside covers is unknown.
    if (!policy.encodedAlone(elementsOf(inner, '//ds:Signature', namespaces).length)) {
      throw refuse('signature-not-single')
    }
    if (inner.root.name !== requestName) throw invalid('the object encodes no request')
    return read(inner.root, inner)
  })
}

/** The request within the element that was verified, which holds nothing else. */
const requestWithin = (covered: XmlElement): XmlElement => {
  const request =
    covered.name === requestName
      ? covered
      : only(childElements(covered), 'the object holds one request')
  if (request.name !== requestName) throw invalid('the object holds no request')
  return request
}
