import type { Draw } from '../draw/draw.ts'
import type { CharSet } from './charset.ts'
import { classEscape, isNormalChar, setSource, singleEscape } from './charset.ts'
import { pool } from './alphabet.ts'

/** Regular expressions of XML Schema: parsed once, then matched (as a JavaScript RegExp) and drawn from. */
export type PatternNode =
  | { readonly kind: 'any'; readonly of: readonly PatternNode[] }
  | { readonly kind: 'all'; readonly of: readonly PatternNode[] }
  | {
      readonly kind: 'repeat'
      readonly of: PatternNode
      readonly min: number
      readonly max: number
    }
  | { readonly kind: 'set'; readonly set: CharSet }

/** The text is no regular expression of XML Schema, or uses what is not supported. */
export class PatternError extends Error {
  override readonly name = 'PatternError'
}

export function parsePattern(source: string): PatternNode {
  const chars = Array.from(source)
  let at = 0
  const fail = (message: string): never => {
    throw new PatternError(`${message} at character ${at + 1} of ${source}`)
  }
  const take = () => chars[at++] ?? fail('something is missing')

  const escape = (): CharSet => {
    const char = take()
    const single = singleEscape(char)
    if (single !== undefined) return { kind: 'range', from: single, to: single }
    let property: string | undefined
    if (char === 'p' || char === 'P') {
      if (take() !== '{') fail('"{" is expected')
      property = ''
      for (let next = take(); next !== '}'; next = take()) property += next
    }
    return classEscape(char, property) ?? fail(`\\${char}${property ?? ''} is not supported`)
  }

  const group = (): CharSet => {
    const negated = chars[at] === '^'
    if (negated) at++
    const of: CharSet[] = []
    let minus: CharSet | undefined
    for (let first = true; chars[at] !== ']'; first = false) {
      if (at >= chars.length) fail('"]" is missing')
      if (chars[at] === '-' && chars[at + 1] === '[' && !first) {
        at += 2
        minus = group()
        if (chars[at] !== ']') fail('"]" is expected after a subtraction')
        break
      }
      const char = take()
      if (char === '[') fail('"[" must be escaped in a class')
      const start: CharSet =
        char === '\\'
          ? escape()
          : { kind: 'range', from: char.codePointAt(0)!, to: char.codePointAt(0)! }
      const isRange =
        chars[at] === '-' &&
        chars[at + 1] !== ']' &&
        chars[at + 1] !== '[' &&
        start.kind === 'range'
      if (!isRange) {
        of.push(start)
        continue
      }
      at++
      const last = take()
      const end: CharSet =
        last === '\\'
          ? escape()
          : { kind: 'range', from: last.codePointAt(0)!, to: last.codePointAt(0)! }
      if (start.kind !== 'range' || end.kind !== 'range' || end.from < start.from) {
        return fail('the range is reversed')
      }
      of.push({ kind: 'range', from: start.from, to: end.from })
    }
    at++
    if (of.length === 0) fail('a class is empty')
    const union: CharSet = negated
      ? { kind: 'not', of: { kind: 'union', of } }
      : { kind: 'union', of }
    return minus ? { kind: 'minus', of: union, without: minus } : union
  }

  const atom = (): PatternNode => {
    const char = take()
    if (char === '(') {
      const inner = alternatives()
      if (take() !== ')') fail('")" is expected')
      return inner
    }
    if (char === '[') return { kind: 'set', set: group() }
    if (char === '\\') return { kind: 'set', set: escape() }
    if (char === '.') return { kind: 'set', set: classEscape('.', undefined)! }
    if (!isNormalChar(char)) fail(`"${char}" must be escaped`)
    const code = char.codePointAt(0)!
    return { kind: 'set', set: { kind: 'range', from: code, to: code } }
  }

  const number = (): number => {
    let digits = ''
    while (/[0-9]/.test(chars[at] ?? '')) digits += chars[at++]
    return digits === '' ? fail('a number is expected') : Number(digits)
  }

  const piece = (): PatternNode => {
    const of = atom()
    const next = chars[at]
    if (next === '?') return (at++, { kind: 'repeat', of, min: 0, max: 1 })
    if (next === '*') return (at++, { kind: 'repeat', of, min: 0, max: Number.POSITIVE_INFINITY })
    if (next === '+') return (at++, { kind: 'repeat', of, min: 1, max: Number.POSITIVE_INFINITY })
    if (next !== '{') return of
    at++
    const min = number()
    let max = min
    if (chars[at] === ',') {
      at++
      max = chars[at] === '}' ? Number.POSITIVE_INFINITY : number()
    }
    if (take() !== '}') fail('"}" is expected')
    if (max < min) fail('the quantifier is reversed')
    return { kind: 'repeat', of, min, max }
  }

  const alternatives = (): PatternNode => {
    const branches: PatternNode[] = []
    for (;;) {
      const pieces: PatternNode[] = []
      while (at < chars.length && chars[at] !== '|' && chars[at] !== ')') pieces.push(piece())
      branches.push(pieces.length === 1 ? pieces[0]! : { kind: 'all', of: pieces })
      if (chars[at] !== '|') break
      at++
    }
    return branches.length === 1 ? branches[0]! : { kind: 'any', of: branches }
  }

  const node = alternatives()
  if (at < chars.length) fail('")" is too many')
  return node
}

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

/** The characters of a set that documents are made of; all are legal and not discouraged in XML. */
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
const usualRepeats = 8

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
          times = draw.int(at.min, unbounded ? at.min + usualRepeats : at.max)
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
