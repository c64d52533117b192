import type { Draw } from '../draw/draw.ts'
import { pool } from './alphabet.ts'
import type { CharSet } from './charset.ts'
import { setSource } from './charset.ts'
import type { PatternNode } from './parse-pattern.ts'
import { PatternError } from './parse-pattern.ts'

function expression(node: PatternNode): string {
  switch (node.kind) {
    case 'any':
      return `(?:${node.of.map(expression).join('|')})`
    case 'all':
      return node.of.map(expression).join('')
    case 'set':
      return setSource(node.set)
    case 'repeat': {
      const max = node.max === Number.POSITIVE_INFINITY ? '' : node.max
      return `(?:${expression(node.of)}){${node.min},${max}}`
    }
  }
}

/** The same expression for JavaScript, matching the whole of a text by code points. */
export function toRegExp(node: PatternNode): RegExp {
  return new RegExp(`^(?:${expression(node)})$`, 'u')
}

const members = new WeakMap<CharSet, readonly string[]>()

/** The characters of a set that documents consist of; all are legal and not discouraged in XML. */
function alphabetOf(set: CharSet): readonly string[] {
  const known = members.get(set)
  if (known) return known
  const matching = new RegExp(`^${setSource(set)}$`, 'u')
  let found = pool.filter((char) => matching.test(char))
  if (found.length === 0) {
    const first = firstOf(set)
    if (first === undefined) throw new PatternError('no usable character is in a class')
    found = [first]
  }
  members.set(set, found)
  return found
}

function firstOf(set: CharSet): string | undefined {
  if (set.kind === 'range') return String.fromCodePoint(set.from)
  if (set.kind === 'union') return set.of.map(firstOf).find((each) => each !== undefined)
  if (set.kind === 'minus') return firstOf(set.of)
  return undefined
}

/** How far an unbounded repetition goes when nothing else decides. */
const defaultRepeats = 8

/**
 * Draws a text that matches.
 *
 * @param extra characters to add in one unbounded repetition, so that a wanted length can be reached
 */
export function drawPattern(node: PatternNode, draw: Draw, extra?: number): string {
  let left = extra
  const make = (at: PatternNode): string => {
    switch (at.kind) {
      case 'any':
        return make(draw.pick(at.of))
      case 'all': {
        let text = ''
        for (const each of at.of) text += make(each)
        return text
      }
      case 'set':
        return draw.pick(alphabetOf(at.set))
      case 'repeat': {
        const unbounded = at.max === Number.POSITIVE_INFINITY
        let times: number
        if (left === undefined) {
          times = draw.int(at.min, unbounded ? at.min + defaultRepeats : at.max)
        } else if (unbounded && left > 0) {
          times = at.min + left
          left = 0
        } else times = at.min
        let text = ''
        for (let i = 0; i < times; i++) text += make(at.of)
        return text
      }
    }
  }
  return make(node)
}
