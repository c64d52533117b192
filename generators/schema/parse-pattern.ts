import type { CharSet } from './charset.ts'
import { classEscape, isNormalChar, singleEscape } from './charset.ts'

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

/** A pattern and how far it has been read. */
interface Reader {
  readonly source: string
  readonly chars: readonly string[]
  at: number
}

export function parsePattern(source: string): PatternNode {
  const reader: Reader = { source, chars: Array.from(source), at: 0 }
  const node = alternatives(reader)
  if (reader.at < reader.chars.length) fail(reader, '")" is too many')
  return node
}

function fail({ at, source }: Reader, message: string): never {
  throw new PatternError(`${message} at character ${at + 1} of ${source}`)
}

const next = ({ chars, at }: Reader): string | undefined => chars[at]

const take = (reader: Reader): string =>
  reader.chars[reader.at++] ?? fail(reader, 'something is missing')

/** Reads a character if it comes next. */
function takeIf(reader: Reader, char: string): boolean {
  if (next(reader) !== char) return false
  reader.at++
  return true
}

function expectNext(reader: Reader, char: string): void {
  if (take(reader) !== char) fail(reader, `"${char}" is expected`)
}

function alternatives(reader: Reader): PatternNode {
  const branches: PatternNode[] = []
  do {
    const pieces: PatternNode[] = []
    while (next(reader) !== undefined && next(reader) !== '|' && next(reader) !== ')')
      pieces.push(piece(reader))
    branches.push(pieces.length === 1 ? pieces[0]! : { kind: 'all', of: pieces })
  } while (takeIf(reader, '|'))
  return branches.length === 1 ? branches[0]! : { kind: 'any', of: branches }
}

function piece(reader: Reader): PatternNode {
  const of = atom(reader)
  if (takeIf(reader, '?')) return { kind: 'repeat', of, min: 0, max: 1 }
  if (takeIf(reader, '*')) return { kind: 'repeat', of, min: 0, max: Number.POSITIVE_INFINITY }
  if (takeIf(reader, '+')) return { kind: 'repeat', of, min: 1, max: Number.POSITIVE_INFINITY }
  if (!takeIf(reader, '{')) return of
  const min = number(reader)
  let max = min
  if (takeIf(reader, ',')) max = next(reader) === '}' ? Number.POSITIVE_INFINITY : number(reader)
  expectNext(reader, '}')
  if (max < min) fail(reader, 'the quantifier is reversed')
  return { kind: 'repeat', of, min, max }
}

function number(reader: Reader): number {
  let digits = ''
  while (/[0-9]/.test(next(reader) ?? '')) digits += take(reader)
  return digits === '' ? fail(reader, 'a number is expected') : Number(digits)
}

function atom(reader: Reader): PatternNode {
  const char = take(reader)
  if (char === '(') {
    const inner = alternatives(reader)
    expectNext(reader, ')')
    return inner
  }
  if (char === '[') return { kind: 'set', set: group(reader) }
  if (char === '\\') return { kind: 'set', set: escape(reader) }
  if (char === '.') return { kind: 'set', set: classEscape('.', undefined)! }
  if (!isNormalChar(char)) fail(reader, `"${char}" must be escaped`)
  return { kind: 'set', set: single(char) }
}

const single = (char: string): CharSet => {
  const code = char.codePointAt(0)!
  return { kind: 'range', from: code, to: code }
}

function escape(reader: Reader): CharSet {
  const char = take(reader)
  const code = singleEscape(char)
  if (code !== undefined) return { kind: 'range', from: code, to: code }
  let property: string | undefined
  if (char === 'p' || char === 'P') {
    expectNext(reader, '{')
    property = ''
    for (let letter = take(reader); letter !== '}'; letter = take(reader)) property += letter
  }
  return classEscape(char, property) ?? fail(reader, `\\${char}${property ?? ''} is not supported`)
}

/** A character class, behind its opening bracket. */
function group(reader: Reader): CharSet {
  const negated = takeIf(reader, '^')
  const of: CharSet[] = []
  let minus: CharSet | undefined
  for (let first = true; next(reader) !== ']'; first = false) {
    if (next(reader) === undefined) fail(reader, '"]" is missing')
    if (!first && next(reader) === '-' && reader.chars[reader.at + 1] === '[') {
      reader.at += 2
      minus = group(reader)
      if (next(reader) !== ']') fail(reader, '"]" is expected after a subtraction')
      break
    }
    of.push(member(reader))
  }
  reader.at++
  if (of.length === 0) fail(reader, 'a class is empty')
  const union: CharSet = negated
    ? { kind: 'not', of: { kind: 'union', of } }
    : { kind: 'union', of }
  return minus ? { kind: 'minus', of: union, without: minus } : union
}

/** A character, an escape or a range within a class. */
function member(reader: Reader): CharSet {
  const char = take(reader)
  if (char === '[') fail(reader, '"[" must be escaped in a class')
  const start = char === '\\' ? escape(reader) : single(char)
  const following = reader.chars[reader.at + 1]
  const isRange =
    next(reader) === '-' && following !== ']' && following !== '[' && start.kind === 'range'
  if (!isRange) return start
  reader.at++
  const last = take(reader)
  const end = last === '\\' ? escape(reader) : single(last)
  if (end.kind !== 'range' || end.from < start.from) return fail(reader, 'the range is reversed')
  return { kind: 'range', from: start.from, to: end.from }
}
