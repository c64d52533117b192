import { constants, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { xmlDsig } from './xmldsig.ts'

/** The algorithms of a signature: their names on the wire, and how a text is signed with them. */

const more = 'http://www.w3.org/2001/04/xmldsig-more#'
const pss = 'http://www.w3.org/2007/05/xmldsig-more#'

const methods = {
  'rsa-sha1': { uri: `${xmlDsig}rsa-sha1`, hash: 'sha1', kind: 'rsa' },
  'rsa-sha256': { uri: `${more}rsa-sha256`, hash: 'sha256', kind: 'rsa' },
  'rsa-sha384': { uri: `${more}rsa-sha384`, hash: 'sha384', kind: 'rsa' },
  'rsa-sha512': { uri: `${more}rsa-sha512`, hash: 'sha512', kind: 'rsa' },
  'rsa-pss-sha256': { uri: `${pss}sha256-rsa-MGF1`, hash: 'sha256', kind: 'pss' },
  'rsa-pss-sha384': { uri: `${pss}sha384-rsa-MGF1`, hash: 'sha384', kind: 'pss' },
  'rsa-pss-sha512': { uri: `${pss}sha512-rsa-MGF1`, hash: 'sha512', kind: 'pss' },
  'ecdsa-sha256': { uri: `${more}ecdsa-sha256`, hash: 'sha256', kind: 'ec' },
  'ecdsa-sha384': { uri: `${more}ecdsa-sha384`, hash: 'sha384', kind: 'ec' },
  'ecdsa-sha512': { uri: `${more}ecdsa-sha512`, hash: 'sha512', kind: 'ec' },
} as const
export type SignatureMethod = keyof typeof methods

export const methodUri = (method: SignatureMethod): string => methods[method].uri

export const digestUris = {
  sha1: `${xmlDsig}sha1`,
  sha256: 'http://www.w3.org/2001/04/xmlenc#sha256',
  sha384: 'http://www.w3.org/2001/04/xmldsig-more#sha384',
  sha512: 'http://www.w3.org/2001/04/xmlenc#sha512',
} as const
export type DigestMethod = keyof typeof digestUris

/** How the two numbers of an ECDSA signature are written: side by side (RFC 6931), or as DER. */
export type EcdsaEncoding = 'ieee-p1363' | 'der'

export const defaultMethod = (key: KeyObject): SignatureMethod =>
  key.asymmetricKeyType === 'ec' ? 'ecdsa-sha256' : 'rsa-sha256'

/** The signature of a text, Base64. */
export function signText(
  text: string,
  method: SignatureMethod,
  key: KeyObject,
  dsaEncoding: EcdsaEncoding = 'ieee-p1363',
): string {
  const { hash, kind } = methods[method]
  const bytes = Buffer.from(text, 'utf8')
  if (kind === 'ec') return sign(hash, bytes, { key, dsaEncoding }).toString('base64')
  if (kind === 'pss') {
    const padding = constants.RSA_PKCS1_PSS_PADDING
    const saltLength = constants.RSA_PSS_SALTLEN_DIGEST
    return sign(hash, bytes, { key, padding, saltLength }).toString('base64')
  }
  return sign(hash, bytes, key).toString('base64')
}
