import type { XmlDocument, XmlElement } from 'libxml2-wasm'
import type { Instant } from '../base/instants.ts'
import { canonicalElement } from './canonical.ts'
import { byId, checkDigest, readCovered, requestName } from './coverage.ts'
import type { Policy } from '../policy/policy.ts'
import { refuse } from '../base/refusals.ts'
import type { Reference, SignatureParts } from './signature-parts.ts'
import { namespaces } from '../xml/signature-namespaces.ts'
import { signatureParts } from './signature-parts.ts'
import { base64Transform, transformsOf } from './transforms.ts'
import { chosenCertificate, verifySignedInfo } from './signature-value.ts'
import { encodingFault, lexicalFindings, markupOf } from '../xml/markup.ts'
import { MalformedXml, elementsOf, withDocument } from '../xml/xml.ts'

/**
 * Verification of a signed authentication request (XAdES, enveloped or enveloping). What is accepted is written out
 * here in full, because a library's own verification accepts too much: the request is read from
 * the very element whose digest was verified, and nothing may stand beside it. Source: specification,
 * Authentication request document; gap signature-form.
 */

export interface VerifiedDocument<T> {
  /** What `read` made of the verified request. */
  readonly request: T
  readonly form: 'enveloped' | 'enveloping'
  /** DER of the signing certificate. */
  readonly certificate: Uint8Array
  readonly signedAt: Instant
}

const invalid = (why: string) => refuse('signature-invalid', why)

const elements = (document: XmlDocument, xpath: string): XmlElement[] =>
  elementsOf(document, xpath, namespaces)

const formOf = (
  root: XmlElement,
  signature: XmlElement,
): 'enveloped' | 'enveloping' | 'detached' => {
  if (signature.isSameNode(root)) return 'enveloping'
  const parent = signature.parent
  return root.name === requestName && parent !== null && parent.isSameNode(root)
    ? 'enveloped'
    : 'detached'
}

const idsOf = (document: XmlDocument): string[] =>
  document.find('//@Id | //@ID | //@id | //@*[name()="xml:id"]').map((node) => node.content)

/**
 * More elements, and more attributes, than any request has, its certificates included: those with ids are compared with
 * one another, and the time to sort the attributes of one element is quadratic in their number.
 */
const maxNodes = 5_000

const times = (text: string, mark: string): number => {
  let count = 0
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) count++
  return count
}

/** Refuses bytes that are no document at all, or one that should not be parsed. */
const inspect = (bytes: Uint8Array, policy: Policy): void => {
  const fault = encodingFault(bytes)
  if (fault !== undefined) throw refuse('document-encoding', fault)
  const markup = markupOf(bytes)
  // Tags come in pairs. An equals sign outside of attributes occurs only at the end of Base64.
  if (times(markup, '<') > 2 * maxNodes || times(markup, '=') > maxNodes)
    throw refuse(
      'document-unreadable',
      `the document has more than ${maxNodes} elements or attributes`,
    )
  const findings = lexicalFindings(markup)
  if (!policy.doctypeAllowed(findings.doctype)) {
    throw refuse('document-unreadable', 'a DOCTYPE is not allowed')
  }
  if (
    findings.declaredEncoding !== undefined &&
    findings.declaredEncoding.toLowerCase() !== 'utf-8'
  ) {
    throw refuse('document-encoding', `the document declares ${findings.declaredEncoding}`)
  }
}

/** A part of the signature that is signed as well, whole. */
const checkPart = (part: XmlElement, reference: Reference, policy: Policy): void => {
  const { canonicalization, isEnveloped, isEncoded } = transformsOf(reference, policy)
  if (isEnveloped || isEncoded) throw invalid('a part of the signature is canonicalized only')
  checkDigest(policy, reference, canonicalElement(part, canonicalization))
}

/** Whether a reference of the signature covers what an object has in Base64. */
const hasEncoded = (document: XmlDocument): boolean =>
  elements(
    document,
    `/ds:Signature/ds:SignedInfo/ds:Reference/ds:Transforms/ds:Transform[@Algorithm="${base64Transform}"]`,
  ).length > 0

/** The signed properties: covered by their reference, aimed at this signature, signed recently. */
const checkProperties = (
  document: XmlDocument,
  parts: SignatureParts,
  policy: Policy,
  now: Instant,
): { certificate: Uint8Array; signedAt: Instant } => {
  const { qualifying, signedProperties, propertiesReference } = parts
  if (
    qualifying === undefined ||
    signedProperties === undefined ||
    propertiesReference === undefined
  ) {
    throw invalid('the signature has no signed properties')
  }
  if (!policy.targetFits(qualifying.attr('Target')?.value ?? '', `#${parts.id}`)) {
    throw invalid('the qualifying properties are those of another signature')
  }
  const named = byId(document, propertiesReference.uri)
  if (!named.isSameNode(signedProperties)) {
    throw invalid('the reference of the signed properties names another element')
  }
  checkPart(signedProperties, propertiesReference, policy)
  // XAdES-BES, an accepted profile, may leave the signing time out; BASELINE-B may not.
  const signedAt = parts.signingTime === undefined ? now : Date.parse(parts.signingTime)
  if (Number.isNaN(signedAt)) throw invalid('the signing time is no instant')
  if (!policy.signingTimeFits(signedAt, now)) throw invalid('the signing time is not plausible')
  return { certificate: chosenCertificate(parts, policy), signedAt }
}

/** The key info, where it is signed as well: the reference names that of this signature, whole. */
const checkKeyInfo = (document: XmlDocument, parts: SignatureParts, policy: Policy): void => {
  const { keyInfo, keyInfoReference } = parts
  if (keyInfo === undefined || keyInfoReference === undefined) return
  if (!byId(document, keyInfoReference.uri).isSameNode(keyInfo)) {
    throw invalid('the reference of the key info names another element')
  }
  checkPart(keyInfo, keyInfoReference, policy)
}

/**
 * Verifies a document and reads the request from what the signature covers.
 * @param read receives the verified request element, and all of its children that are its own
 * @throws refusals document-*, signature-*
 */
export const verifyDocument = <T>(
  bytes: Uint8Array,
  policy: Policy,
  now: Instant,
  read: (request: XmlElement, document: XmlDocument) => T,
): VerifiedDocument<T> => {
  inspect(bytes, policy)
  try {
    return withDocument(bytes, (document) => verifyParsed(bytes, document, policy, now, read))
  } catch (error) {
    if (error instanceof MalformedXml) throw refuse('document-unreadable', error.details)
    throw error
  }
}

const verifyParsed = <T>(
  bytes: Uint8Array,
  document: XmlDocument,
  policy: Policy,
  now: Instant,
  read: (request: XmlElement, document: XmlDocument) => T,
): VerifiedDocument<T> => {
  const { root } = document
  const signatures = elements(document, '//ds:Signature')
  const [signature] = signatures
  if (signature === undefined) {
    if (root.name !== requestName) throw refuse('document-invalid', `the root is ${root.name}`)
    throw refuse('signature-missing')
  }
  if (!policy.signatureCountFits(signatures.length)) throw refuse('signature-not-single')
  const form = formOf(root, signature)
  if (!policy.formAccepted(form)) {
    throw invalid('the signature is neither enveloped in the request nor around it: detached')
  }
  const requests = elements(document, `//*[local-name()="${requestName}"]`)
  const count = requests.length + (hasEncoded(document) ? 1 : 0)
  if (count === 0) throw refuse('document-invalid', 'there is no authentication request')
  if (!policy.requestCountFits(count)) throw invalid('there is more than one request')
  if (!policy.idsUnique(idsOf(document))) throw invalid('an Id is given twice')

  const parts = signatureParts(signature, policy)
  const references = parts.references.filter((one) => one !== parts.keyInfoReference)
  if (!policy.referenceCountFits(references.length)) {
    throw invalid(
      'a signature has references to the request and to the signed properties, at most ten',
    )
  }
  if (!policy.objectCountFits(parts.objects.length, form === 'enveloping' ? 2 : 1)) {
    throw invalid('the signature holds other objects than it should')
  }
  const { certificate, signedAt } = checkProperties(document, parts, policy, now)
  checkKeyInfo(document, parts, policy)
  verifySignedInfo(parts, certificate, policy)

  const signed = {
    form: form === 'detached' ? ('enveloped' as const) : form,
    certificate,
    signedAt,
  }
  const lend = (covered: Uint8Array, use: (tree: XmlDocument) => T): T => {
    inspect(covered, policy)
    return withDocument(covered, use)
  }
  return {
    ...signed,
    request: readCovered({ bytes, document, form, parts, policy, lend, read }),
  }
}
