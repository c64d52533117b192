import type { VerifyKeyObjectInput } from 'node:crypto'
import { verify } from 'node:crypto'
import { excludesSignature } from './exclusions.ts'

/** Decisions about the signature of an authentication document. Names of algorithms as node:crypto has them. */

const sha1 = 'http://www.w3.org/2000/09/xmldsig#sha1'
const digests: Readonly<Record<string, string>> = {
  'http://www.w3.org/2001/04/xmlenc#sha256': 'sha256',
  'http://www.w3.org/2001/04/xmldsig-more#sha384': 'sha384',
  'http://www.w3.org/2001/04/xmlenc#sha512': 'sha512',
  'http://www.w3.org/2007/05/xmldsig-more#sha3-256': 'sha3-256',
  'http://www.w3.org/2007/05/xmldsig-more#sha3-384': 'sha3-384',
  'http://www.w3.org/2007/05/xmldsig-more#sha3-512': 'sha3-512',
}

export interface SignatureAlgorithm {
  readonly kind: 'rsa' | 'rsa-pss' | 'ec'
  readonly hash: string
}

const more = 'http://www.w3.org/2001/04/xmldsig-more#'
const pss = 'http://www.w3.org/2007/05/xmldsig-more#'
const sha3 = 'http://www.w3.org/2021/04/xmldsig-more#'
const signatures: Readonly<Record<string, SignatureAlgorithm>> = Object.fromEntries([
  ...['sha256', 'sha384', 'sha512'].flatMap((hash) => [
    [`${more}rsa-${hash}`, { kind: 'rsa', hash }],
    [`${pss}${hash}-rsa-MGF1`, { kind: 'rsa-pss', hash }],
    [`${more}ecdsa-${hash}`, { kind: 'ec', hash }],
  ]),
  ...['sha3-256', 'sha3-384', 'sha3-512'].flatMap((hash) => [
    [`${pss}${hash}-rsa-MGF1`, { kind: 'rsa-pss', hash }],
    [`${sha3}ecdsa-${hash}`, { kind: 'ec', hash }],
  ]),
])

/** Whether a value verifies. A key that cannot be applied to it verifies nothing. */
const verifySignature = (
  hash: string,
  signed: Uint8Array,
  key: VerifyKeyObjectInput,
  value: Uint8Array,
): boolean => {
  try {
    return verify(hash, signed, key, value)
  } catch {
    return false
  }
}

const transforms: ReadonlySet<string> = new Set([
  'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
  'http://www.w3.org/2000/09/xmldsig#base64',
  'http://www.w3.org/TR/1999/REC-xpath-19991116',
  'http://www.w3.org/2002/06/xmldsig-filter2',
])

const c14n = [
  'http://www.w3.org/TR/2001/REC-xml-c14n-20010315',
  'http://www.w3.org/2006/12/xml-c14n11',
  'http://www.w3.org/2001/10/xml-exc-c14n#',
]
const canonicalizations: ReadonlySet<string> = new Set([
  ...c14n,
  `${c14n[0]}#WithComments`,
  `${c14n[1]}#WithComments`,
  `${c14n[2]}WithComments`,
])

export const signaturePolicy = {
  // auth.xades.hostile-xml: a DOCTYPE is refused before anything is parsed
  doctypeAllowed: (present: boolean): boolean => !present,
  // auth.xades.incomplete-signature-refused: exactly one signature
  signatureCountFits: (count: number): boolean => count === 1,
  // auth.xades.detached-refused, auth.xades.enveloped, auth.xades.enveloping
  formAccepted: (form: 'enveloped' | 'enveloping' | 'detached'): boolean => form !== 'detached',
  // auth.xades.wrapping-refused: one request in the whole document, and nothing else in the signature
  requestCountFits: (count: number): boolean => count === 1,
  objectCountFits: (count: number, expected: number): boolean => count === expected,
  idsUnique: (ids: readonly string[]): boolean => new Set(ids).size === ids.length,
  // auth.xades.incomplete-signature-refused: references to the request, once or several times, and to the signed
  // properties, besides that to the key info, which XAdES allows
  referenceCountFits: (count: number): boolean => count >= 2 && count <= 10,
  // auth.xades.detached-refused: what the reference names goes with the form
  referencePlaceFits: (form: string, uri: string, leavesSignatureOut: boolean): boolean =>
    form === 'enveloped'
      ? uri === '' && leavesSignatureOut
      : form === 'enveloping' && uri.startsWith('#') && !leavesSignatureOut,
  targetFits: (target: string, expected: string): boolean => target === expected,
  // auth.xades.tampered-refused
  digestFits: (found: string, stated: string): boolean => found === stated,
  signatureVerifies: verifySignature,
  // auth.xades.incomplete-signature-refused: the certificate is the one whose digest was signed
  certificateDigestFits: (found: string, stated: string): boolean => found === stated,
  // auth.xades.tampered-refused: sound algorithms only, not SHA-1
  digestAlgorithm: (uri: string): string | undefined => (uri === sha1 ? undefined : digests[uri]),
  signatureAlgorithm: (uri: string): SignatureAlgorithm | undefined => signatures[uri],
  canonicalizationAllowed: (uri: string): boolean => canonicalizations.has(uri),
  // auth.signature.transforms: besides canonicalizations
  transformAccepted: (uri: string): boolean => transforms.has(uri),
  // auth.signature.transforms-refused: an object of Base64 text holds nothing else, nor does the document in it
  encodedAlone: (others: number): boolean => others === 0,
  // auth.signature.transforms-refused: an XPath leaves the signature out and nothing else
  exclusionFits: excludesSignature,
  // auth.xades.weak-key-refused
  keyStrongEnough: (kind: string, bits: number): boolean => bits >= (kind === 'ec' ? 256 : 2048),
  // auth.xades.accepted: signed recently, and not in the future
  signingTimeFits: (signedAt: number, now: number): boolean =>
    signedAt <= now + 600_000 && signedAt >= now - 24 * 3_600_000,
  // auth.xades.subject-type, auth.xades.context-kinds: the document conforms to its schema
  documentConforms: (findings: readonly string[]): boolean => findings.length === 0,
  // auth.xades.context-kinds: Nip, InternalId, NipVatUe and no other
  contextKindAccepted: (kind: string): boolean =>
    ['Nip', 'InternalId', 'NipVatUe', 'PeppolId'].includes(kind),
  // auth.xades.subject-type
  subjectKindAccepted: (kind: string): boolean =>
    kind === 'certificateSubject' || kind === 'certificateFingerprint',
}
