import { formatDecimal, parseDecimal, tenTo } from '../../lib/decimal.ts'
import type { Draw } from '../draw/draw.ts'
import { seededDraw } from '../draw/draw.ts'
import { alphabetIds, alphabets } from './alphabet.ts'
import type { AlphabetId } from './alphabet.ts'
import { checkSimple } from './check.ts'
import type { AtomicType, Facets, SimpleType } from './model.ts'
import type { PatternNode } from './parse-pattern.ts'
import { attainableEdges, maxUsualDigits } from './edges.ts'
import type { Edges, Maker } from './edges.ts'
import { parsePattern } from './parse-pattern.ts'
import { drawPattern } from './pattern.ts'
import { rareMakers } from './rare-values.ts'

/** How to fill a simple type. */
export interface Values extends Edges {
  readonly draw: Maker
}

/** A type cannot be filled: its facets leave no value that this generator can find. */
export class ValuesError extends Error {
  override readonly name = 'ValuesError'
}

/** Text without any bound is kept this short. */
const typicalLength = 24
const attempts = 40

interface Edge {
  readonly why: string
  readonly make: Maker
}

const spaceAtEdge = /^ | $| {2}/

/** Text of an exact length in UTF-16 units, so that both ways of counting characters keep within bounds. */
function text(draw: Draw, length: number, alphabet: AlphabetId, collapse: boolean): string {
  const chars: readonly string[] = alphabets[alphabet]
  let out = ''
  while (out.length < length) {
    const next = draw.pick(chars)
    out += out.length + next.length <= length ? next : 'x'
  }
  if (collapse && spaceAtEdge.test(out)) out = out.replace(/ /g, '_')
  return out
}

function stringMakers({ facets }: AtomicType): { typical: Maker; edges: Edge[] } {
  const collapse = facets.whiteSpace === 'collapse'
  const min = facets.length ?? facets.minLength ?? 0
  const max = facets.length ?? facets.maxLength ?? Math.max(min, 256)
  const typicalMax = Math.max(min, Math.min(max, typicalLength))
  const shortest = Math.max(min, max > 0 ? 1 : 0)
  const typical: Maker = (draw) => {
    const alphabet = draw.chance(80) ? 'words' : draw.pick(alphabetIds)
    return text(draw, draw.int(Math.min(shortest, typicalMax), typicalMax), alphabet, collapse)
  }
  const edges: Edge[] = [
    { why: 'minLength', make: (draw) => text(draw, min, 'ascii', collapse) },
    { why: 'maxLength', make: (draw) => text(draw, max, 'words', collapse) },
    ...alphabetIds.map((id) => ({
      why: `alphabet ${id}`,
      make: (draw: Draw) => text(draw, typicalMax, id, collapse),
    })),
  ]
  if (max > 2) {
    edges.push({
      why: 'maxLength beyond-bmp',
      make: (draw) => text(draw, max, 'beyond-bmp', collapse),
    })
  }
  return { typical, edges }
}

function patternMakers(node: PatternNode, facets: Facets): { typical: Maker; edges: Edge[] } {
  const typical: Maker = (draw) => drawPattern(node, draw)
  /** Lengthens one open repetition until the wanted length is met. */
  const ofLength =
    (wanted: number): Maker =>
    (draw) => {
      const shortest = drawPattern(node, draw, 0)
      return wanted > shortest.length ? drawPattern(node, draw, wanted - shortest.length) : shortest
    }
  const edges: Edge[] = [{ why: 'shortest match', make: (draw) => drawPattern(node, draw, 0) }]
  if (node.kind === 'any') {
    for (const [i, branch] of node.of.entries()) {
      edges.push({
        why: `branch ${i + 1} of the pattern`,
        make: (draw) => drawPattern(branch, draw),
      })
    }
  }
  if (facets.minLength !== undefined)
    edges.push({ why: 'minLength', make: ofLength(facets.minLength) })
  if (facets.maxLength !== undefined)
    edges.push({ why: 'maxLength', make: ofLength(facets.maxLength) })
  return { typical, edges }
}

/** White space that collapses, as software that pads its columns writes it; not every engine takes it on dates. */
const padded = (make: Maker): Edge => ({ why: 'blanks', make: (draw) => ` ${make(draw)}\n` })

function numberMakers({ primitive, facets }: AtomicType): { typical: Maker; edges: Edge[] } {
  const bounds = [
    facets.minInclusive,
    facets.minExclusive,
    facets.maxInclusive,
    facets.maxExclusive,
  ]
  const written = Math.max(2, ...bounds.map((bound) => bound?.split('.')[1]?.length ?? 0))
  const places = primitive === 'integer' ? 0 : Math.min(facets.fractionDigits ?? written, 12)
  const digits = facets.totalDigits ?? maxUsualDigits
  const limit = tenTo(digits) - 1n
  const at = (bound: string | undefined, step: bigint) => {
    const value = bound === undefined ? undefined : parseDecimal(bound, places)
    return value === undefined ? [] : [value + step]
  }
  const lows = [...at(facets.minInclusive, 0n), ...at(facets.minExclusive, 1n), -limit]
  const highs = [...at(facets.maxInclusive, 0n), ...at(facets.maxExclusive, -1n), limit]
  const low = lows.reduce((a, b) => (a > b ? a : b))
  const high = highs.reduce((a, b) => (a < b ? a : b))
  const clamp = (value: bigint) => (value < low ? low : value > high ? high : value)
  const write = (value: bigint, trim = false) => formatDecimal(clamp(value), places, trim)
  // The maximum number of whole digits beside all decimal places.
  const small = tenTo(Math.max(1, Math.min(6, digits)))
  const typical: Maker = (draw) => {
    const size = draw.chance(85) ? small : limit
    const value = draw.big(clamp(0n), clamp(size))
    return write(draw.chance(10) ? -value : value, draw.chance(50))
  }
  const edges: Edge[] = [
    { why: 'least', make: () => write(low) },
    { why: 'most', make: () => write(high) },
    { why: 'zero', make: () => write(0n, true) },
    { why: 'smallest step', make: () => write(1n) },
    { why: 'most digits', make: () => write(limit) },
    { why: 'without a fraction', make: () => write(tenTo(places), true) },
    padded(typical),
  ]
  return { typical, edges }
}

const dayMs = 86_400_000

function timeMakers({ primitive, facets }: AtomicType): { typical: Maker; edges: Edge[] } {
  const parse = (value: string) =>
    Date.parse(primitive === 'date' ? `${value.slice(0, 10)}T00:00:00Z` : value)
  const step = primitive === 'date' ? dayMs : 1000
  const low = facets.minInclusive
    ? parse(facets.minInclusive)
    : facets.minExclusive
      ? parse(facets.minExclusive) + step
      : Date.UTC(1970, 0, 1)
  const high = facets.maxInclusive
    ? parse(facets.maxInclusive)
    : facets.maxExclusive
      ? parse(facets.maxExclusive) - step
      : Date.UTC(2049, 11, 31)
  const write = (ms: number) => {
    const iso = new Date(ms).toISOString()
    return primitive === 'date' ? iso.slice(0, 10) : `${iso.slice(0, 19)}Z`
  }
  // Far enough from the bounds that no zone can cross them.
  const inner = Math.floor((high - low) / step) > 4 * (dayMs / step) ? 2 * dayMs : 0
  const day: Maker = (draw) =>
    write(low + inner + draw.int(0, Math.floor((high - low - 2 * inner) / step)) * step)
  const edges: Edge[] = [
    { why: 'first', make: () => write(low) },
    { why: 'last', make: () => write(high) },
    { why: 'leap day', make: () => (primitive === 'date' ? '2028-02-29' : '2028-02-29T23:59:59Z') },
  ]
  if (primitive === 'date') return { typical: day, edges }
  const zones = ['Z', '', '+02:00', '-05:30', '+14:00', '-14:00'] as const
  edges.push(
    ...zones.map((zone) => ({
      why: `zone ${zone || 'none'}`,
      make: (draw: Draw) => day(draw).slice(0, 19) + zone,
    })),
    { why: 'fraction of a second', make: (draw) => `${day(draw).slice(0, 19)}.1234567Z` },
    {
      why: 'fraction of a second in a zone',
      make: (draw) => `${day(draw).slice(0, 19)}.6475266+02:00`,
    },
    { why: 'hour 24', make: (draw) => `${day(draw).slice(0, 10)}T24:00:00Z` },
  )
  return {
    typical: (draw) => day(draw).slice(0, 19) + (draw.chance(70) ? 'Z' : draw.pick(zones)),
    edges,
  }
}

/** The values that an enumeration names. */
const listed = ({ facets }: SimpleType): Edge[] =>
  (facets.enumeration ?? []).map((item) => ({ why: `enumeration ${item}`, make: () => item }))

function makersOf(type: AtomicType): { typical: Maker; edges: Edge[] } {
  const { facets, primitive } = type
  if (facets.enumeration) {
    const items = facets.enumeration
    const typical: Maker = (draw) => draw.pick(items)
    return { typical, edges: [...listed(type), padded(typical)] }
  }
  if (primitive === 'decimal' || primitive === 'integer') return numberMakers(type)
  // Without a prefix, so that none needs to be declared.
  if (primitive === 'QName' && facets.patterns.length === 0) {
    return patternMakers(parsePattern('[\\i-[:]][\\c-[:]]*'), facets)
  }
  if (primitive === 'date' || primitive === 'dateTime') return timeMakers(type)
  const patterns = facets.patterns.flat()
  if (patterns.length > 0) {
    const all = patterns.map((pattern) => patternMakers(parsePattern(pattern), facets))
    if (all.length === 1) return all[0]!
    const typical: Maker = (draw) => draw.pick(all).typical(draw)
    return { typical, edges: all.flatMap(({ edges }) => edges) }
  }
  if (primitive === 'string') return stringMakers(type)
  return rareMakers(type)
}

/** Draws until the type takes the value; the last resort is one of its patterns. */
function certain(type: SimpleType, make: Maker, fallback: Maker | undefined): Maker {
  const fits = (value: string) => checkSimple(type, value) === undefined
  // While shrinking, choices are all alike and would fail for ever: then one value that is known to fit does.
  let fitting: string | undefined
  return (draw) => {
    for (let i = 0; i < attempts; i++) {
      const value = (i < attempts / 2 || !fallback ? make : fallback)(draw)
      if (fits(value)) return value
    }
    for (let seed = 0; fitting === undefined && seed < 10 * attempts; seed++) {
      const value = (seed % 2 === 0 || !fallback ? make : fallback)(seededDraw(seed))
      if (fits(value)) fitting = value
    }
    if (fitting === undefined) {
      throw new ValuesError(`no value was found for type ${type.name ?? '(anonymous)'}`)
    }
    return fitting
  }
}

function atomicValues(type: AtomicType): Values {
  const { typical, edges } = makersOf(type)
  const [pattern] = type.facets.patterns.flat()
  const node = pattern === undefined ? undefined : parsePattern(pattern)
  const fallback = node && ((draw: Draw) => drawPattern(node, draw))
  const make = certain(type, typical, fallback)
  return { draw: make, ...attainableEdges(type, edges) }
}

/** An item of a list has no white space inside, and is not empty. */
const itemOf = (value: string, draw: Draw) =>
  value.trim().replace(/\s+/g, '_') || draw.pick(['x', '1'])

const known = new WeakMap<SimpleType, Values>()

/** How to fill a simple type; made once for each. */
export function valuesOf(type: SimpleType): Values {
  let values = known.get(type)
  if (!values) {
    values = makeValues(type)
    known.set(type, values)
  }
  return values
}

function makeValues(type: SimpleType): Values {
  const { enumeration } = type.facets
  if (enumeration && type.kind !== 'atomic') {
    return {
      draw: certain(type, (draw) => draw.pick(enumeration), undefined),
      ...attainableEdges(type, listed(type)),
    }
  }
  switch (type.kind) {
    case 'atomic':
      return atomicValues(type)
    case 'union': {
      const members = type.members.map(valuesOf)
      const make = certain(type, (draw) => draw.pick(members).draw(draw), undefined)
      const edges = members.flatMap((member) => member.edges)
      return { draw: make, edges, unattainable: [] }
    }
    case 'list': {
      const item = valuesOf(type.item)
      const { facets } = type
      const min = facets.length ?? facets.minLength ?? 0
      const max = facets.length ?? facets.maxLength ?? Math.max(min, 4)
      const list = (draw: Draw, count: number) =>
        Array.from({ length: count }, () => itemOf(item.draw(draw), draw)).join(' ')
      return {
        draw: certain(type, (draw) => list(draw, draw.int(min, max)), undefined),
        ...attainableEdges(type, [
          { why: 'fewest items', make: (draw) => list(draw, min) },
          { why: 'most items', make: (draw) => list(draw, max) },
        ]),
      }
    }
  }
}
