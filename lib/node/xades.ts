import { createHash } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { issuerAndSerial } from './certificate.ts'
import { escapeXml } from './auth-request.ts'
import type { Credentials } from './pki.ts'
import type { DigestMethod, EcdsaEncoding, SignatureMethod } from './xades-algorithms.ts'
import { defaultMethod, digestUris, methodUri, signText } from './xades-algorithms.ts'
import { attributeXml, keyInfoXml, qualifyingProperties, timeXml } from './xades-parts.ts'
import { withPrefix, xadesNamespace } from './xades-parts.ts'
import type { Encoded, Exclusion } from './xades-transforms.ts'
import { base64Xml, canonicalizationXml, encodedAs, exclusionXml } from './xades-transforms.ts'
import type { Canonicalization } from './xmldsig.ts'
import { canonicalize, exclusive, xmlDsig } from './xmldsig.ts'

/**
 * XAdES-BES signatures, enveloped and enveloping, over xml-crypto's canonicalization. The signature is assembled here
 * piece by piece, so that each piece can also be omitted or falsified, as the forgeries require.
 */

export interface SignOptions {
  readonly credentials: Credentials
  readonly form?: 'enveloped' | 'enveloping'
  /** Within an enveloping signature, the request as Base64 text, with the transform that decodes it. */
  readonly encoded?: Encoded
  /** Further attributes of the object with the request in an enveloping signature, each after a blank. */
  readonly objectAttributes?: string
  /** How an enveloped signature leaves itself out; the enveloped-signature transform when absent. */
  readonly exclusion?: Exclusion
  /** Of the request, the signed info and the signed properties; exclusive when absent. */
  readonly canonicalization?: Canonicalization
  /** RSA or ECDSA with SHA-256, by the key, when absent. */
  readonly method?: SignatureMethod
  readonly digest?: DigestMethod
  readonly ecdsaEncoding?: EcdsaEncoding
  /** A second reference to the request, with this digest. */
  readonly secondDigest?: DigestMethod
  /** A further reference covers the key info. */
  readonly signedKeyInfo?: boolean
  /** Further certificates, DER, in front of that of the signer in the key info. */
  readonly chain?: readonly Buffer[]
  /** The newer property of the signing certificate, and the properties in another order. */
  readonly newerProperties?: boolean
  /** Markup of unsigned properties: what the profiles -T and -LT add. */
  readonly unsigned?: string
  /** Unix milliseconds; a minute before `now` is wise, as clocks differ. */
  readonly signingTime: number
  /** The signing time is written with this offset, in hours ahead of UTC; in UTC when absent. */
  readonly offset?: number
  /** Decimals of the second of the signing time; three when absent, none when empty. */
  readonly fraction?: string
  /** Prefix of the elements of the signature, `ds` when absent; empty for none. */
  readonly prefix?: string
  /** Distinguishes the Ids of several signatures in one document. */
  readonly id?: string
  readonly flaws?: Flaws
}

/** Defects that a forger puts into a signature; a good one has none. */
export interface Flaws {
  /** Plain XML-DSig: no object with qualifying properties, and no reference to one. */
  readonly withoutProperties?: boolean
  /** The properties are there, but no reference covers them. */
  readonly uncoveredProperties?: boolean
  /** Only the properties are covered, not the document. */
  readonly uncoveredDocument?: boolean
  /** Replaces the digest of the signing certificate, Base64. */
  readonly certificateDigest?: string
  /** Signs with a key that is not that of the certificate. */
  readonly signingKey?: KeyObject
  /** Replaces the signature value, Base64. */
  readonly signatureValue?: string
  /** Leaves the certificate out of KeyInfo. */
  readonly withoutCertificate?: boolean
  /** Replaces the target of the qualifying properties, without `#`. */
  readonly target?: string
  /** Leaves the type of the reference to the properties out. */
  readonly withoutType?: boolean
  /** Leaves the signing time out. */
  readonly withoutSigningTime?: boolean
  /** Leaves out which certificate is that of the signer. */
  readonly unnamedCertificate?: boolean
  /** Markup in place of the transforms of the request. */
  readonly transforms?: string
  /** Replaces the digest of the document, Base64. */
  readonly documentDigest?: string
  /** Replaces the digest of the second reference to the document, Base64. */
  readonly secondDigest?: string
  /** Replace the digests of the key info and of the signed properties, Base64. */
  readonly keyInfoDigest?: string
  readonly propertiesDigest?: string
  /** Markup in place of the contents of the object that an enveloping signature covers. */
  readonly object?: string
}

const defaultCanonicalization: Canonicalization = { uri: exclusive }

const hash = (data: string | Uint8Array, digest: DigestMethod): string =>
  createHash(digest).update(data).digest('base64')

/** The namespaces that a root element declares. */
const defaultNamespace = (root: string): Readonly<Record<string, string>> => {
  const uri = /^<[^>]*\sxmlns="([^"]*)"/.exec(root)?.[1]
  const others = root.slice(0, root.indexOf('>')).matchAll(/\sxmlns:([\w.-]+)="([^"]*)"/g)
  return {
    ...(uri === undefined ? {} : { '': uri }),
    ...Object.fromEntries([...others].map(([, prefix, name]) => [prefix ?? '', name ?? ''])),
  }
}

/** Without comments: they are no part of what a reference within the document covers. */
const uncommented = ({ uri, ...more }: Canonicalization): Canonicalization => ({
  ...more,
  uri: uri.startsWith(exclusive)
    ? uri.replace(/WithComments$/, '')
    : uri.replace(/#WithComments$/, ''),
})

/** Signs a document given as its root element. Returns the signed document, without an XML declaration. */
export function signXades(root: string, options: SignOptions): string {
  const { flaws = {}, canonicalization = defaultCanonicalization } = options
  const id = options.id ?? 'S'
  if ((options.form ?? 'enveloped') === 'enveloped') {
    const covered = canonicalize(root, uncommented(canonicalization))
    const transforms =
      flaws.transforms ??
      exclusionXml[options.exclusion ?? 'enveloped-signature'] +
        canonicalizationXml('Transform', canonicalization)
    const signature = signatureXml(
      { uri: '', transforms, covered },
      '',
      options,
      defaultNamespace(root),
    )
    return insertLast(root, signature)
  }
  const contents = flaws.object ?? (options.encoded ? encodedAs(root, options.encoded) : root)
  const object = withPrefix(
    `<ds:Object xmlns:ds="${xmlDsig}" Id="${id}-Object"${options.objectAttributes ?? ''}>${contents}</ds:Object>`,
    options.prefix,
  )
  return signatureXml(
    {
      uri: `#${id}-Object`,
      type: `${xmlDsig}Object`,
      transforms:
        flaws.transforms ??
        (options.encoded ? base64Xml : canonicalizationXml('Transform', canonicalization)),
      covered: options.encoded
        ? Buffer.from(contents, 'base64')
        : canonicalize(object, uncommented(canonicalization)),
    },
    object,
    options,
    {},
  )
}

/** A detached signature of a document. `uri` says where the document would be found; undefined where nothing does. */
export function signDetached(root: string, uri: string | undefined, options: SignOptions): string {
  const transforms = canonicalizationXml('Transform', defaultCanonicalization)
  return signatureXml({ uri, transforms, covered: canonicalize(root) }, '', options, {})
}

/** Puts markup in front of the end tag of a root element. */
export function insertLast(root: string, markup: string): string {
  const end = root.lastIndexOf('</')
  return root.slice(0, end) + markup + root.slice(end)
}

const propertiesType = 'http://uri.etsi.org/01903#SignedProperties'

interface Reference {
  readonly uri: string | undefined
  readonly type?: string | undefined
  /** Markup. */
  readonly transforms: string
  /** What is left after the transforms. */
  readonly covered: string | Uint8Array
}

const referenceXml = (
  { uri, type, transforms, covered }: Reference,
  digest: DigestMethod,
  digestValue = hash(covered, digest),
): string =>
  [
    `<ds:Reference${attributeXml('Type', type)}${attributeXml('URI', uri)}>`,
    transforms === '' ? '' : `<ds:Transforms>${transforms}</ds:Transforms>`,
    `<ds:DigestMethod Algorithm="${digestUris[digest]}"></ds:DigestMethod>`,
    `<ds:DigestValue>${digestValue}</ds:DigestValue>`,
    '</ds:Reference>',
  ].join('')

/** @param scope what the elements around the signature declare */
function signatureXml(
  document: Reference,
  objects: string,
  options: SignOptions,
  scope: Readonly<Record<string, string>>,
): string {
  const {
    credentials,
    flaws = {},
    digest = 'sha256',
    id = 'S',
    canonicalization = defaultCanonicalization,
  } = options
  const method = options.method ?? defaultMethod(credentials.privateKey)
  const propertiesId = `${id}-SignedProperties`
  const spelled = (markup: string): string => withPrefix(markup, options.prefix)
  const properties = spelled(signedProperties(propertiesId, options))
  const own = { ...scope, [options.prefix ?? 'ds']: xmlDsig }
  const keyInfoId = options.signedKeyInfo ? `${id}-KeyInfo` : undefined
  const keyInfo = spelled(
    keyInfoXml([...(options.chain ?? []), credentials.certificate], keyInfoId),
  )
  /** A reference to a part of the signature, which declares its own prefixes. */
  const part = (
    partId: string,
    markup: string,
    { type, digestValue }: Readonly<Partial<Record<'type' | 'digestValue', string | undefined>>>,
  ): string => {
    const transforms = canonicalizationXml('Transform', canonicalization)
    const covered = canonicalize(markup, uncommented(canonicalization), own)
    return referenceXml({ uri: `#${partId}`, type, transforms, covered }, digest, digestValue)
  }
  const type = flaws.withoutType ? undefined : propertiesType
  const references = [
    ...(flaws.uncoveredDocument ? [] : [referenceXml(document, digest, flaws.documentDigest)]),
    ...(options.secondDigest === undefined
      ? []
      : [referenceXml(document, options.secondDigest, flaws.secondDigest)]),
    ...(keyInfoId === undefined
      ? []
      : [part(keyInfoId, keyInfo, { digestValue: flaws.keyInfoDigest })]),
    ...(flaws.withoutProperties || flaws.uncoveredProperties
      ? []
      : [part(propertiesId, properties, { type, digestValue: flaws.propertiesDigest })]),
  ]
  const signedInfo = spelled(
    [
      `<ds:SignedInfo xmlns:ds="${xmlDsig}">`,
      canonicalizationXml('CanonicalizationMethod', canonicalization),
      `<ds:SignatureMethod Algorithm="${methodUri(method)}"></ds:SignatureMethod>`,
      ...references,
      '</ds:SignedInfo>',
    ].join(''),
  )
  const value =
    flaws.signatureValue ??
    signText(
      canonicalize(signedInfo, canonicalization, own),
      method,
      flaws.signingKey ?? credentials.privateKey,
      options.ecdsaEncoding,
    )
  return spelled(
    [
      `<ds:Signature xmlns:ds="${xmlDsig}" Id="${id}-Signature">`,
      signedInfo,
      `<ds:SignatureValue>${value}</ds:SignatureValue>`,
      flaws.withoutCertificate ? '' : keyInfo,
      objects,
      flaws.withoutProperties
        ? ''
        : qualifyingProperties(properties, flaws.target ?? `${id}-Signature`, options.unsigned),
      '</ds:Signature>',
    ].join(''),
  )
}

function signedProperties(id: string, options: SignOptions): string {
  const { credentials, digest = 'sha256', flaws = {}, newerProperties = false } = options
  const { issuer, serial } = issuerAndSerial(credentials.certificate)
  const certificateHash = flaws.certificateDigest ?? hash(credentials.certificate, digest)
  const time = flaws.withoutSigningTime ? '' : timeXml(options)
  const property = newerProperties ? 'SigningCertificateV2' : 'SigningCertificate'
  const certificate = [
    `<xades:${property}><xades:Cert><xades:CertDigest>`,
    `<ds:DigestMethod Algorithm="${digestUris[digest]}"></ds:DigestMethod>`,
    `<ds:DigestValue>${certificateHash}</ds:DigestValue>`,
    '</xades:CertDigest>',
    newerProperties
      ? ''
      : `<xades:IssuerSerial><ds:X509IssuerName>${escapeXml(issuer)}</ds:X509IssuerName><ds:X509SerialNumber>${serial}</ds:X509SerialNumber></xades:IssuerSerial>`,
    `</xades:Cert></xades:${property}>`,
  ].join('')
  const data =
    '<xades:SignedDataObjectProperties><xades:CommitmentTypeIndication><xades:CommitmentTypeId><xades:Identifier>http://uri.etsi.org/01903/v1.2.2#ProofOfOrigin</xades:Identifier></xades:CommitmentTypeId><xades:AllSignedDataObjects></xades:AllSignedDataObjects></xades:CommitmentTypeIndication></xades:SignedDataObjectProperties>'
  const named = flaws.unnamedCertificate ? '' : certificate
  const own = newerProperties ? named + time : time + named
  const signature = `<xades:SignedSignatureProperties>${own}</xades:SignedSignatureProperties>`
  return [
    `<xades:SignedProperties xmlns:xades="${xadesNamespace}" xmlns:ds="${xmlDsig}" Id="${id}">`,
    newerProperties ? data + signature : signature,
    '</xades:SignedProperties>',
  ].join('')
}
