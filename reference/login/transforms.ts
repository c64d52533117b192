import type { XmlElement } from 'libxml2-wasm'
import type { Policy } from '../policy/policy.ts'
import { fromBase64, isBase64 } from '../base/crypto.ts'
import { refuse } from '../base/refusals.ts'
import { childElements } from '../xml/xml.ts'
import type { Canonicalization } from './canonical.ts'
import { canonicalizationOf, defaultCanonicalization } from './canonical.ts'
import type { Reference } from './signature-parts.ts'
import { algorithm, namespaces } from './signature-parts.ts'

/**
 * What the transforms of a reference amount to. Expressions are recognized, never evaluated: an expression of a
 * stranger may take for ever, and the only accepted meaning is "the document without the signature".
 */

const envelopedTransform = `${namespaces.ds}enveloped-signature`
export const base64Transform = `${namespaces.ds}base64`
const xpathTransform = 'http://www.w3.org/TR/1999/REC-xpath-19991116'

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
  const isOwn = expressions[uri]
  if (isOwn === undefined) return false
  if (!policy.exclusionFits(isOwn(transform)))
    throw invalid('an expression selects something else than the signature')
  return true
}

const trimmed = (element: XmlElement): string =>
  element.content.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '')

/** Whether an expression is one of the patterns, its prefix bound to the namespace of signatures. */
const names = (expression: XmlElement, patterns: readonly RegExp[]): boolean =>
  patterns.some((pattern) => {
    const prefix = pattern.exec(trimmed(expression))?.[1]
    return prefix !== undefined && expression.namespaceForPrefix(prefix) === namespaces.ds
  })

const name = String.raw`([A-Za-z_][\w.-]*)[ \t\r\n]*:[ \t\r\n]*Signature`
const space = String.raw`[ \t\r\n]*`
/** An expression with white space allowed between its words. */
const spaced = (...words: readonly string[]): RegExp => new RegExp(`^${words.join(space)}$`)

/** XPath 1.0: the nodes that are not part of the signature. */
const exclusions = [
  spaced('not', String.raw`\(`, 'ancestor-or-self', '::', name, String.raw`\)`),
] as const

/** The one child of a transform, an XPath expression in this namespace without elements inside. */
const onlyExpression = (transform: XmlElement, namespace: string): XmlElement | undefined => {
  const [expression, ...more] = childElements(transform)
  if (expression === undefined || more.length > 0) return undefined
  const isXPath = expression.name === 'XPath' && expression.namespaceUri === namespace
  return isXPath && childElements(expression).length === 0 ? expression : undefined
}

const isOwnExclusion = (transform: XmlElement): boolean => {
  const expression = onlyExpression(transform, namespaces.ds)
  return expression !== undefined && names(expression, exclusions)
}

/** XPath Filter 2.0: ways to select the one signature of the document. */
const selections = [
  spaced('/', 'descendant', '::', name),
  spaced('/', 'descendant-or-self', '::', name),
  spaced('/', '/', name),
  spaced('descendant', '::', name),
  spaced(
    'here',
    String.raw`\(`,
    String.raw`\)`,
    '/',
    'ancestor',
    '::',
    name,
    String.raw`\[`,
    '1',
    String.raw`\]`,
  ),
] as const

const isOwnSubtraction = (transform: XmlElement): boolean => {
  const expression = onlyExpression(transform, namespaces.filter2)
  return expression?.attr('Filter')?.value === 'subtract' && names(expression, selections)
}

/** Transforms with an expression, and whether it says "the document without the signature". */
const expressions: Readonly<Record<string, (transform: XmlElement) => boolean>> = {
  [xpathTransform]: isOwnExclusion,
  [namespaces.filter2]: isOwnSubtraction,
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
