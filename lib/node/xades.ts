import { constants, createHash, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { certificateDigest, issuerAndSerial } from './certificate.ts'
import { escapeXml } from './auth-request.ts'
import type { Credentials } from './pki.ts'
import { canonicalize, xmlDsig } from './xmldsig.ts'

/**
 * XAdES-BES signatures, enveloped and enveloping, over xml-crypto's canonicalization. The signature is written out
 * here piece by piece, so that each piece can also be left out or be made wrong: that is what the forgeries need.
 */

export const xadesNamespace = 'http://uri.etsi.org/01903/v1.3.2#'
const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const envelopedTransform = `${xmlDsig}enveloped-signature`
const xpath = 'http://www.w3.org/TR/1999/REC-xpath-19991116'

const methods = {
  'rsa-sha1': { uri: `${xmlDsig}rsa-sha1`, hash: 'sha1' },
  'rsa-sha256': { uri: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256', hash: 'sha256' },
  'rsa-sha384': { uri: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha384', hash: 'sha384' },
  'rsa-sha512': { uri: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512', hash: 'sha512' },
  'rsa-pss-sha256': {
    uri: 'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
    hash: 'sha256',
  },
  'ecdsa-sha256': { uri: 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256', hash: 'sha256' },
} as const
export type SignatureMethod = keyof typeof methods

const digests = {
  sha1: `${xmlDsig}sha1`,
  sha256: 'http://www.w3.org/2001/04/xmlenc#sha256',
  sha512: 'http://www.w3.org/2001/04/xmlenc#sha512',
} as const
export type DigestMethod = keyof typeof digests

export interface SignOptions {
  readonly credentials: Credentials
  readonly form?: 'enveloped' | 'enveloping'
  /** RSA or ECDSA with SHA-256, by the key, when absent. */
  readonly method?: SignatureMethod
  readonly digest?: DigestMethod
  /** Unix milliseconds; a minute before `now` is wise, as clocks differ. */
  readonly signingTime: number
  /** Tells the Ids of several signatures in one document apart. */
  readonly id?: string
  readonly flaws?: Flaws
}

/** What a forger does to a signature. Nothing of it in a good one. */
export interface Flaws {
  /** Plain XML-DSig: no object with qualifying properties, and no reference to one. */
  readonly withoutProperties?: boolean
  /** The properties are there, but no reference covers them. */
  readonly uncoveredProperties?: boolean
  /** Only the properties are covered, not the document. */
  readonly uncoveredDocument?: boolean
  /** Stands as digest of the signing certificate, Base64. */
  readonly certificateDigest?: string
  /** Signs with a key that is not that of the certificate. */
  readonly signingKey?: KeyObject
  /** Stands as signature value, Base64. */
  readonly signatureValue?: string
  /** Leaves the certificate out of KeyInfo. */
  readonly withoutCertificate?: boolean
  /** Stands as target of the qualifying properties, without `#`. */
  readonly target?: string
  /** Leaves the type of the reference to the properties out. */
  readonly withoutType?: boolean
  /** Leaves the signing time out. */
  readonly withoutSigningTime?: boolean
  /** An XPath stands in place of the transform that leaves the signature out. */
  readonly xpath?: string
  /** Stands as digest of the document, Base64. */
  readonly documentDigest?: string
}

const digestOf = (xml: string, digest: DigestMethod): string =>
  createHash(digest).update(canonicalize(xml), 'utf8').digest('base64')

/** Signs a document given as its root element. Answers the signed document, without an XML declaration. */
export function signXades(root: string, options: SignOptions): string {
  const id = options.id ?? 'S'
  if ((options.form ?? 'enveloped') === 'enveloped') {
    const signature = signatureXml(
      {
        uri: '',
        transforms: [options.flaws?.xpath === undefined ? envelopedTransform : xpath, exclusive],
        digestValue: options.flaws?.documentDigest ?? digestOf(root, options.digest ?? 'sha256'),
      },
      '',
      options,
    )
    return insertLast(root, signature)
  }
  const object = `<ds:Object xmlns:ds="${xmlDsig}" Id="${id}-Object">${root}</ds:Object>`
  return signatureXml(
    {
      uri: `#${id}-Object`,
      type: `${xmlDsig}Object`,
      transforms: [exclusive],
      digestValue: digestOf(object, options.digest ?? 'sha256'),
    },
    object,
    options,
  )
}

/** A signature over a document that stays outside of it. `uri` says where the document would be found. */
export function signDetached(root: string, uri: string, options: SignOptions): string {
  return signatureXml(
    { uri, transforms: [exclusive], digestValue: digestOf(root, options.digest ?? 'sha256') },
    '',
    options,
  )
}

/** Puts markup in front of the end tag of a root element. */
export function insertLast(root: string, markup: string): string {
  const end = root.lastIndexOf('</')
  return root.slice(0, end) + markup + root.slice(end)
}

interface Reference {
  readonly uri: string
  readonly type?: string
  readonly transforms: readonly string[]
  readonly digestValue: string
}

function referenceXml(
  { uri, type, transforms, digestValue }: Reference,
  { digest = 'sha256', flaws }: SignOptions,
) {
  const within = (transform: string): string =>
    transform === xpath ? `<ds:XPath>${escapeXml(flaws?.xpath ?? '')}</ds:XPath>` : ''
  return [
    `<ds:Reference${type === undefined ? '' : ` Type="${type}"`} URI="${escapeXml(uri)}">`,
    '<ds:Transforms>',
    ...transforms.map(
      (transform) => `<ds:Transform Algorithm="${transform}">${within(transform)}</ds:Transform>`,
    ),
    '</ds:Transforms>',
    `<ds:DigestMethod Algorithm="${digests[digest]}"></ds:DigestMethod>`,
    `<ds:DigestValue>${digestValue}</ds:DigestValue>`,
    '</ds:Reference>',
  ].join('')
}

function signatureXml(document: Reference, objects: string, options: SignOptions): string {
  const { credentials, flaws = {}, digest = 'sha256', id = 'S' } = options
  const method = options.method ?? defaultMethod(credentials.privateKey)
  const propertiesId = `${id}-SignedProperties`
  const properties = signedProperties(propertiesId, options)
  const references = [
    ...(flaws.uncoveredDocument ? [] : [document]),
    ...(flaws.withoutProperties || flaws.uncoveredProperties
      ? []
      : [
          {
            uri: `#${propertiesId}`,
            ...(flaws.withoutType ? {} : { type: 'http://uri.etsi.org/01903#SignedProperties' }),
            transforms: [exclusive],
            digestValue: digestOf(properties, digest),
          },
        ]),
  ]
  const signedInfo = [
    `<ds:SignedInfo xmlns:ds="${xmlDsig}">`,
    `<ds:CanonicalizationMethod Algorithm="${exclusive}"></ds:CanonicalizationMethod>`,
    `<ds:SignatureMethod Algorithm="${methods[method].uri}"></ds:SignatureMethod>`,
    ...references.map((reference) => referenceXml(reference, options)),
    '</ds:SignedInfo>',
  ].join('')
  const value =
    flaws.signatureValue ??
    signText(canonicalize(signedInfo), method, flaws.signingKey ?? credentials.privateKey)
  const certificate = credentials.certificate.toString('base64')
  return [
    `<ds:Signature xmlns:ds="${xmlDsig}" Id="${id}-Signature">`,
    signedInfo,
    `<ds:SignatureValue>${value}</ds:SignatureValue>`,
    flaws.withoutCertificate
      ? ''
      : `<ds:KeyInfo><ds:X509Data><ds:X509Certificate>${certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo>`,
    objects,
    flaws.withoutProperties
      ? ''
      : qualifyingProperties(properties, flaws.target ?? `${id}-Signature`),
    '</ds:Signature>',
  ].join('')
}

const qualifyingProperties = (properties: string, target: string): string =>
  [
    '<ds:Object>',
    `<xades:QualifyingProperties xmlns:xades="${xadesNamespace}" Target="#${target}">`,
    properties,
    '</xades:QualifyingProperties>',
    '</ds:Object>',
  ].join('')

function signedProperties(
  id: string,
  { credentials, digest = 'sha256', signingTime, flaws = {} }: SignOptions,
): string {
  const { issuer, serial } = issuerAndSerial(credentials.certificate)
  const certificateHash =
    flaws.certificateDigest ??
    (digest === 'sha256'
      ? certificateDigest(credentials.certificate)
      : createHash(digest).update(credentials.certificate).digest('base64'))
  return [
    `<xades:SignedProperties xmlns:xades="${xadesNamespace}" xmlns:ds="${xmlDsig}" Id="${id}">`,
    '<xades:SignedSignatureProperties>',
    flaws.withoutSigningTime
      ? ''
      : `<xades:SigningTime>${new Date(signingTime).toISOString()}</xades:SigningTime>`,
    '<xades:SigningCertificate><xades:Cert><xades:CertDigest>',
    `<ds:DigestMethod Algorithm="${digests[digest]}"></ds:DigestMethod>`,
    `<ds:DigestValue>${certificateHash}</ds:DigestValue>`,
    '</xades:CertDigest><xades:IssuerSerial>',
    `<ds:X509IssuerName>${escapeXml(issuer)}</ds:X509IssuerName>`,
    `<ds:X509SerialNumber>${serial}</ds:X509SerialNumber>`,
    '</xades:IssuerSerial></xades:Cert></xades:SigningCertificate>',
    '</xades:SignedSignatureProperties>',
    '</xades:SignedProperties>',
  ].join('')
}

const defaultMethod = (key: KeyObject): SignatureMethod =>
  key.asymmetricKeyType === 'ec' ? 'ecdsa-sha256' : 'rsa-sha256'

// XML-DSig wants r and s of ECDSA side by side, not as DER (RFC 6931).
function signText(text: string, method: SignatureMethod, key: KeyObject): string {
  const { hash } = methods[method]
  const bytes = Buffer.from(text, 'utf8')
  if (method === 'ecdsa-sha256') {
    return sign(hash, bytes, { key, dsaEncoding: 'ieee-p1363' }).toString('base64')
  }
  if (method === 'rsa-pss-sha256') {
    const padding = constants.RSA_PKCS1_PSS_PADDING
    const saltLength = constants.RSA_PSS_SALTLEN_DIGEST
    return sign(hash, bytes, { key, padding, saltLength }).toString('base64')
  }
  return sign(hash, bytes, key).toString('base64')
}
