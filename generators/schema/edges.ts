import { parseDecimal } from '../../lib/decimal.ts'
import type { Draw } from '../draw/draw.ts'
import { seededDraw } from '../draw/draw.ts'
import { checkSimple } from './check.ts'
import { applyWhiteSpace, lengthOf, meaningOf } from './lexical.ts'
import type { SimpleType } from './model.ts'

/**
 * The values at the edges of a type: every enumeration value, both ends of every bound and length, most digits,
 * unusual characters.
 */

export type Maker = (draw: Draw) => string

interface Edge {
  /** Such as `maxLength`, `enumeration VAT`, `alphabet polish`. */
  readonly why: string
  /** A value at the edge; undefined where these choices find none. */
  readonly make: (draw: Draw) => string | undefined
}

export interface Edges {
  readonly edges: readonly Edge[]
  /** Edges of a single facet that the type as a whole has no value at, as far as is known. */
  readonly unattainable: readonly string[]
}

/** Digits of numbers without a bound: older engines take no more than 24. */
export const maxUsualDigits = 18
const maxAttempts = 40
const bounds = new Set(['minLength', 'maxLength', 'least', 'most', 'first', 'last'])

/** Whether a value lies at an edge of its type. */
export function holdsEdge(type: SimpleType, why: string, raw: string): boolean {
  if (checkSimple(type, raw) !== undefined) return false
  const { facets } = type
  const text = applyWhiteSpace(raw, facets.whiteSpace)
  if (why.startsWith('enumeration ')) {
    return applyWhiteSpace(why.slice('enumeration '.length), facets.whiteSpace) === text
  }
  if (type.kind !== 'atomic') return true
  const { primitive } = type
  const longest = facets.length ?? facets.maxLength
  switch (why) {
    case 'minLength':
      return lengthOf(primitive, text) === (facets.length ?? facets.minLength ?? 0)
    case 'maxLength':
      return longest === undefined || lengthOf(primitive, text) === longest
    case 'zero':
      return parseDecimal(text, 40) === 0n
    case 'most digits':
      return meaningOf(primitive, text)?.totalDigits === (facets.totalDigits ?? maxUsualDigits)
    default:
      return true
  }
}

/** The edges that a type has values at; those that another facet forbids are named. */
export function attainableEdges(
  type: SimpleType,
  all: readonly { readonly why: string; readonly make: Maker }[],
): Edges {
  let found: Edges | undefined
  const find = () => (found ??= findEdges(type, all))
  return {
    get edges() {
      return find().edges
    },
    get unattainable() {
      return find().unattainable
    },
  }
}

function findEdges(
  type: SimpleType,
  all: readonly { readonly why: string; readonly make: Maker }[],
): Edges {
  const edges: Edge[] = []
  const unattainable: string[] = []
  for (const { why, make } of all) {
    const holds = (value: string) => holdsEdge(type, why, value)
    let known: string | undefined
    for (let seed = 0; known === undefined && seed < maxAttempts; seed++) {
      const value = make(seededDraw(seed))
      if (holds(value)) known = value
    }
    if (known === undefined) {
      // What is no bound of the type, such as a zero, is simply not among its values.
      if (bounds.has(why)) unattainable.push(why)
      continue
    }
    const value = known
    edges.push({
      why,
      make: (draw) => {
        for (let i = 0; i < maxAttempts; i++) {
          const drawn = make(draw)
          if (holds(drawn)) return drawn
        }
        return value
      },
    })
  }
  return { edges, unattainable }
}
