import type { XmlElement } from 'libxml2-wasm'
import { namespaces } from '../xml/signature-namespaces.ts'
import { childElements } from '../xml/xml.ts'

/**
 * Which XPath expressions mean "the document without the signature". They are recognized, never evaluated: an
 * expression from a caller may take for ever.
 */

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

const expressions: Readonly<Record<string, (transform: XmlElement) => boolean>> = {
  'http://www.w3.org/TR/1999/REC-xpath-19991116': isOwnExclusion,
  [namespaces.filter2]: isOwnSubtraction,
}

/** Whether a transform selects by an expression. */
export const hasExpression = (uri: string): boolean => expressions[uri] !== undefined

/** Whether the expression of a transform leaves the signature out and nothing else. */
export const excludesSignature = (transform: XmlElement, uri: string): boolean =>
  expressions[uri]?.(transform) ?? false
