import type { XmlElement } from 'libxml2-wasm'
import type { Canonicalization } from './canonical.ts'
import { canonicalizationOf } from './canonical.ts'
import type { Policy } from '../policy/policy.ts'
import { refuse } from '../base/refusals.ts'
import { namespaces } from '../xml/signature-namespaces.ts'
import { childElements } from '../xml/xml.ts'

/** The parts of a ds:Signature with XAdES properties, each found in its one allowed place. */

const propertiesType = 'http://uri.etsi.org/01903#SignedProperties'

export interface Reference {
  readonly uri: string
  readonly type: string
  readonly transforms: readonly XmlElement[]
  readonly digestMethod: string
  readonly digestValue: string
}

export interface SignatureParts {
  readonly id: string
  readonly signedInfo: XmlElement
  readonly canonicalization: Canonicalization
  readonly signatureMethod: string
  readonly signatureValue: string
  readonly references: readonly Reference[]
  /** All that cover neither the signed properties nor the key info: the request, once or several times. */
  readonly documentReferences: readonly Reference[]
  readonly propertiesReference: Reference | undefined
  /** Present where the key info is signed as well, as XAdES allows. */
  readonly keyInfoReference: Reference | undefined
  readonly keyInfo: XmlElement | undefined
  /** Certificates of the key info, Base64 of DER. */
  readonly certificates: readonly string[]
  readonly objects: readonly XmlElement[]
  readonly qualifying: XmlElement | undefined
  readonly signedProperties: XmlElement | undefined
  readonly signingTime: string | undefined
  /** The digest of the signing certificate, as it was signed. */
  readonly certificateDigest:
    | { method: string; value: string; serial: string | undefined }
    | undefined
}

const invalid = (why: string) => refuse('signature-invalid', why)

/** The one element of a list. */
export const only = (found: readonly XmlElement[], what: string): XmlElement => {
  const [first] = found
  if (first === undefined || found.length > 1) throw invalid(`expected once: ${what}`)
  return first
}

const children = (parent: XmlElement, namespace: string, name: string): XmlElement[] =>
  childElements(parent).filter((child) => child.name === name && child.namespaceUri === namespace)
const one = (parent: XmlElement, name: string, namespace: string = namespaces.ds): XmlElement =>
  only(children(parent, namespace, name), name)
const maybeOne = (parent: XmlElement, name: string, namespace: string): XmlElement | undefined => {
  const found = children(parent, namespace, name)
  return found.length === 0 ? undefined : only(found, name)
}
export const algorithm = (element: XmlElement): string => element.attr('Algorithm')?.value ?? ''
const compact = (text: string): string => text.replace(/[ \t\r\n]/g, '')

const referenceOf = (element: XmlElement): Reference => {
  const transforms = children(element, namespaces.ds, 'Transforms')
  return {
    uri: element.attr('URI')?.value ?? '(none)',
    type: element.attr('Type')?.value ?? '',
    transforms: transforms.flatMap((list) => childElements(list)),
    digestMethod: algorithm(one(element, 'DigestMethod')),
    digestValue: compact(one(element, 'DigestValue').content),
  }
}

const partNames: ReadonlySet<string> = new Set([
  'SignedInfo',
  'SignatureValue',
  'KeyInfo',
  'Object',
])

/** Takes a signature apart. Anything misplaced or duplicated is refused. */
export const signatureParts = (signature: XmlElement, policy: Policy): SignatureParts => {
  for (const part of childElements(signature)) {
    if (part.namespaceUri !== namespaces.ds || !partNames.has(part.name))
      throw invalid(`a signature has no part ${part.name.slice(0, 100)}`)
  }
  const signedInfo = one(signature, 'SignedInfo')
  const canonicalization = canonicalizationOf(one(signedInfo, 'CanonicalizationMethod'))
  if (!policy.canonicalizationAllowed(canonicalization.uri)) {
    throw invalid(`the canonicalization ${canonicalization.uri} is not accepted`)
  }
  const references = children(signedInfo, namespaces.ds, 'Reference').map(referenceOf)
  const objects = children(signature, namespaces.ds, 'Object')
  const qualifying = objects.flatMap((object) =>
    children(object, namespaces.xades, 'QualifyingProperties'),
  )
  if (qualifying.length > 1) throw invalid('expected once: QualifyingProperties')
  const [properties] = qualifying
  const signedProperties = properties && maybeOne(properties, 'SignedProperties', namespaces.xades)
  const own =
    signedProperties && one(signedProperties, 'SignedSignatureProperties', namespaces.xades)
  const keyInfo = maybeOne(signature, 'KeyInfo', namespaces.ds)
  const keyInfoId = keyInfo?.attr('Id')?.value
  const propertiesReference = references.find(({ type }) => type === propertiesType)
  const others = references.filter(({ type }) => type !== propertiesType)
  const namesKeyInfo = ({ uri }: Reference) => keyInfoId !== undefined && uri === `#${keyInfoId}`
  return {
    id: signature.attr('Id')?.value ?? '',
    signedInfo,
    canonicalization,
    signatureMethod: algorithm(one(signedInfo, 'SignatureMethod')),
    signatureValue: compact(one(signature, 'SignatureValue').content),
    references,
    documentReferences: others.filter((other) => !namesKeyInfo(other)),
    propertiesReference,
    keyInfoReference: others.find(namesKeyInfo),
    keyInfo,
    certificates: (keyInfo ? children(keyInfo, namespaces.ds, 'X509Data') : [])
      .flatMap((data) => children(data, namespaces.ds, 'X509Certificate'))
      .map((certificate) => compact(certificate.content)),
    objects,
    qualifying: properties,
    signedProperties,
    signingTime: own && maybeOne(own, 'SigningTime', namespaces.xades)?.content.trim(),
    certificateDigest: own && certificateDigestOf(own),
  }
}

const certificateDigestOf = (own: XmlElement): SignatureParts['certificateDigest'] => {
  const lists = [
    ...children(own, namespaces.xades, 'SigningCertificate'),
    ...children(own, namespaces.xades, 'SigningCertificateV2'),
  ]
  if (lists.length === 0) return undefined
  // The first entry is that of the signer, whatever chain follows.
  const [entry] = children(only(lists, 'SigningCertificate'), namespaces.xades, 'Cert')
  if (entry === undefined) return undefined
  const digest = one(entry, 'CertDigest', namespaces.xades)
  const issuer = maybeOne(entry, 'IssuerSerial', namespaces.xades)
  return {
    method: algorithm(one(digest, 'DigestMethod')),
    value: compact(one(digest, 'DigestValue').content),
    serial: issuer && maybeOne(issuer, 'X509SerialNumber', namespaces.ds)?.content.trim(),
  }
}
