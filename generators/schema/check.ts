import { applyWhiteSpace, boundFacets, lengthOf, meaningOf } from './lexical.ts'
import type { AtomicType, Facets, SimpleType } from './model.ts'
import { parsePattern } from './parse-pattern.ts'
import { toRegExp } from './pattern.ts'

/** Which facet a text breaks; `type` where it is not in the lexical space at all. */
export type Broken = keyof Facets | 'type'

const expressions = new Map<string, RegExp>()

function expressionOf(pattern: string): RegExp {
  let expression = expressions.get(pattern)
  if (!expression) {
    expression = toRegExp(parsePattern(pattern))
    expressions.set(pattern, expression)
  }
  return expression
}

function brokenPattern(facets: Facets, text: string): boolean {
  return !facets.patterns.every((step) => step.some((pattern) => expressionOf(pattern).test(text)))
}

const lengths = [
  ['length', (length: number, bound: number) => length === bound],
  ['minLength', (length: number, bound: number) => length >= bound],
  ['maxLength', (length: number, bound: number) => length <= bound],
] as const

function brokenLength(facets: Facets, length: number): Broken | undefined {
  for (const [facet, holds] of lengths) {
    const bound = facets[facet]
    if (bound !== undefined && !holds(length, bound)) return facet
  }
  return undefined
}

/** Fourteen hours, in milliseconds. */
const widestZone = 50_400_000n

function checkAtomic({ primitive, facets }: AtomicType, raw: string): Broken | undefined {
  const text = applyWhiteSpace(raw, facets.whiteSpace)
  const meaning = meaningOf(primitive, text)
  if (!meaning) return 'type'
  if (brokenPattern(facets, text)) return 'patterns'
  const length = brokenLength(facets, lengthOf(primitive, text))
  if (length) return length
  const { totalDigits, fractionDigits } = facets
  if (fractionDigits !== undefined && (meaning.fractionDigits ?? 0) > fractionDigits) {
    return 'fractionDigits'
  }
  if (totalDigits !== undefined && (meaning.totalDigits ?? 0) > totalDigits) return 'totalDigits'
  for (const [facet, holds] of boundFacets) {
    const bound = facets[facet]
    if (bound === undefined) continue
    // NaN lies within no bound.
    if (meaning.same === 'NaN') return facet
    if (meaning.key === undefined) continue
    const limit = meaningOf(primitive, bound)
    if (limit?.key === undefined) continue
    // Without a zone on one side, the bound must hold in whatever zone that side is meant.
    const shift = limit.zoned === meaning.zoned ? 0n : widestZone
    if (!holds(meaning.key - shift, limit.key) || !holds(meaning.key + shift, limit.key)) {
      return facet
    }
  }
  const { enumeration } = facets
  if (enumeration) {
    const same = enumeration.some(
      (each) =>
        meaningOf(primitive, applyWhiteSpace(each, facets.whiteSpace))?.same === meaning.same,
    )
    if (!same) return 'enumeration'
  }
  return undefined
}

/** The facet that a text breaks, or undefined where the type takes it. */
export function checkSimple(type: SimpleType, text: string): Broken | undefined {
  switch (type.kind) {
    case 'atomic':
      return checkAtomic(type, text)
    case 'union': {
      if (!type.members.some((member) => checkSimple(member, text) === undefined)) return 'type'
      if (brokenPattern(type.facets, text)) return 'patterns'
      return type.facets.enumeration && !type.facets.enumeration.includes(text)
        ? 'enumeration'
        : undefined
    }
    case 'list': {
      const items = applyWhiteSpace(text, 'collapse').split(' ').filter(Boolean)
      if (items.some((item) => checkSimple(type.item, item) !== undefined)) return 'type'
      if (brokenPattern(type.facets, items.join(' '))) return 'patterns'
      const length = brokenLength(type.facets, items.length)
      if (length) return length
      const allowed = type.facets.enumeration?.map((each) => applyWhiteSpace(each, 'collapse'))
      return allowed && !allowed.includes(items.join(' ')) ? 'enumeration' : undefined
    }
  }
}
