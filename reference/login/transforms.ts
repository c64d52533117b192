import type { XmlElement } from 'libxml2-wasm'
import type { Policy } from '../policy/policy.ts'
import { fromBase64, isBase64 } from '../base/crypto.ts'
import { refuse } from '../base/refusals.ts'
import { hasExpression } from '../policy/exclusions.ts'
import { namespaces } from '../xml/signature-namespaces.ts'
import { childElements } from '../xml/xml.ts'
import type { Canonicalization } from './canonical.ts'
import { canonicalizationOf, defaultCanonicalization } from './canonical.ts'
import type { Reference } from './signature-parts.ts'
import { algorithm } from './signature-parts.ts'

/** What the transforms of a reference amount to. */

const envelopedTransform = `${namespaces.ds}enveloped-signature`
export const base64Transform = `${namespaces.ds}base64`

export interface Transforms {
  /** The signature is left out. */
  readonly isEnveloped: boolean
  /** What is covered are the bytes that the Base64 text of an element encodes. */
  readonly isEncoded: boolean
  readonly canonicalization: Canonicalization
}

const invalid = (why: string) => refuse('signature-invalid', why)

/** Reads the transforms of a reference. @throws refusal signature-invalid for all that is not accepted */
export const transformsOf = (reference: Reference, policy: Policy): Transforms => {
  let isEnveloped = false
  let isEncoded = false
  let canonicalization: Canonicalization | undefined
  for (const transform of reference.transforms) {
    const uri = algorithm(transform)
    if (canonicalization !== undefined) throw invalid('a transform follows the canonicalization')
    if (isEncoded) throw invalid('a transform follows the Base64 transform')
    if (policy.canonicalizationAllowed(uri)) canonicalization = canonicalizationOf(transform)
    else if (!policy.transformAccepted(uri)) throw invalid(`the transform ${uri} is not accepted`)
    else if (uri === base64Transform) isEncoded = true
    else if (leavesSignatureOut(transform, uri, policy)) isEnveloped = true
  }
  if (isEncoded && isEnveloped) throw invalid('Base64 encodes an object, not an enveloped request')
  return {
    isEnveloped,
    isEncoded,
    canonicalization: canonicalization ?? { uri: defaultCanonicalization, prefixes: [] },
  }
}

/**
 * Whether a transform leaves the signature out. It may stand twice, because the signature left out is the same.
 * @throws refusal signature-invalid for an expression that leaves out something else
 */
const leavesSignatureOut = (transform: XmlElement, uri: string, policy: Policy): boolean => {
  if (uri === envelopedTransform) return true
  if (!hasExpression(uri)) return false
  if (!policy.exclusionFits(transform, uri))
    throw invalid('an expression selects something else than the signature')
  return true
}

/** The bytes that the text of an object encodes. */
export const decodedObject = (object: XmlElement, policy: Policy): Uint8Array => {
  // What the transform takes is all text within, whatever elements it is in: so there may be none.
  if (!policy.encodedAlone(childElements(object).length)) {
    throw invalid('an object of Base64 text holds elements')
  }
  const text = object.content.replace(/[ \t\r\n]/g, '')
  const decoded = isBase64(text) ? fromBase64(text) : undefined
  if (decoded === undefined) throw invalid('the object is not Base64')
  return decoded
}
