import type { Broken } from './check.ts'
import { applyWhiteSpace, lengthOf, meaningOf } from './lexical.ts'
import type { SimpleType } from './model.ts'

/** Why a type does not accept a value, with the limit that the value breaks. */

const maxShown = 60
const maxListed = 8

/** A value in quotation marks, cut where it is long; control characters are written as escapes. */
export function quoted(text: string): string {
  const short = text.length > maxShown ? `${text.slice(0, maxShown)}…` : text
  const visible = short.replace(
    // oxlint-disable-next-line no-control-regex -- these are the characters that are replaced
    /[\u0000-\u001F\u007F-\u009F]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return text.length > maxShown ? `"${visible}" (${text.length} characters)` : `"${visible}"`
}

/** Names, at most so many of them. */
export const listed = (names: readonly string[], join = ', '): string =>
  names.length > maxListed
    ? `${names.slice(0, maxListed).join(join)} and ${names.length - maxListed} more`
    : names.join(join)

const count = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`

const typeWords: Readonly<Record<string, string>> = {
  decimal: 'a decimal number such as 1234.56',
  integer: 'a whole number',
  date: 'a date such as 2026-06-15',
  dateTime: 'a date and time such as 2026-06-15T10:00:00Z',
  boolean: 'true, false, 1 or 0',
  time: 'a time such as 10:00:00',
}

const unitOf = (type: SimpleType) =>
  type.kind === 'list'
    ? 'item'
    : type.kind === 'atomic' && ['hexBinary', 'base64Binary'].includes(type.primitive)
      ? 'byte'
      : 'character'

/** The sentence about a value that breaks a facet of its type. */
export function objectionTo(type: SimpleType, facet: Broken, raw: string): string {
  const { facets } = type
  const text = applyWhiteSpace(raw, facets.whiteSpace)
  const value = quoted(raw)
  const meaning = type.kind === 'atomic' ? meaningOf(type.primitive, text) : undefined
  const length = () =>
    count(
      type.kind === 'atomic'
        ? lengthOf(type.primitive, text)
        : text.split(' ').filter(Boolean).length,
      unitOf(type),
    )
  const limits: Partial<Record<Broken, () => string>> = {
    fractionDigits: () =>
      `${value} has ${count(meaning?.fractionDigits ?? 0, 'decimal')}; at most ${facets.fractionDigits} are allowed`,
    totalDigits: () =>
      `${value} has ${count(meaning?.totalDigits ?? 0, 'digit')}; at most ${facets.totalDigits} are allowed`,
    length: () => `${value} has ${length()}; exactly ${facets.length} are required`,
    minLength: () => `${value} has ${length()}; at least ${facets.minLength} are required`,
    maxLength: () => `${value} has ${length()}; at most ${facets.maxLength} are allowed`,
    minInclusive: () => `${value} is below ${facets.minInclusive}, the minimum`,
    maxInclusive: () => `${value} is above ${facets.maxInclusive}, the maximum`,
    minExclusive: () => `${value} must be above ${facets.minExclusive}`,
    maxExclusive: () => `${value} must be below ${facets.maxExclusive}`,
    enumeration: () =>
      facets.enumeration?.length === 1
        ? `${value} is not "${facets.enumeration[0]}", the only allowed value`
        : `${value} is not among the ${count(facets.enumeration?.length ?? 0, 'allowed value')}: ${listed(facets.enumeration ?? [])}`,
    patterns: () => `${value} does not match ${patternOf(facets.patterns)}`,
  }
  // A pattern often repeats what a facet says more plainly.
  const { fractionDigits = Number.POSITIVE_INFINITY } = facets
  if (facet === 'patterns' && (meaning?.fractionDigits ?? 0) > fractionDigits) {
    return limits.fractionDigits!()
  }
  const primitive = type.kind === 'atomic' ? typeWords[type.primitive] : undefined
  return (
    limits[facet]?.() ??
    `${value} is not ${primitive ?? `a value of the type ${type.name ?? 'required here'}`}`
  )
}

const patternOf = (steps: readonly (readonly string[])[]) => {
  const all = steps.flat()
  return `the pattern ${listed(all, ' or ')}`
}
