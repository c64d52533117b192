import type { Draw } from '../draw/draw.ts'
import { alphabets } from './alphabet.ts'
import type { AtomicType, Facets, Primitive } from './model.ts'

/** Values of the types that invoices hardly use: times, parts of dates, floating point, binary, addresses. */

type Maker = (draw: Draw) => string

export interface Makers {
  readonly typical: Maker
  readonly edges: { readonly why: string; readonly make: Maker }[]
}

const pad = (value: number, length = 2) => String(value).padStart(length, '0')

/** Days before each month of a year that has a 29th of February. */
const monthStarts = [0, 31, 60, 91, 121, 152, 182, 213, 244, 274, 305, 335, 366] as const

interface Scale {
  /** What is drawn from where no facet bounds it. */
  readonly low: number
  readonly high: number
  readonly read: (text: string) => number
  readonly write: (value: number) => string
}

/** Ordered types whose values can be counted. */
const scales: Partial<Record<Primitive, Scale>> = {
  time: {
    low: 0,
    high: 86_399,
    read: (text) => {
      const [hours = 0, minutes = 0, seconds = 0] = text.split(':').map(Number.parseFloat)
      return (hours * 60 + minutes) * 60 + seconds
    },
    write: (value) =>
      `${pad(Math.floor(value / 3600))}:${pad(Math.floor(value / 60) % 60)}:${pad(value % 60)}`,
  },
  gYear: { low: 1990, high: 2049, read: Number.parseInt, write: (value) => pad(value, 4) },
  gYearMonth: {
    low: 1990 * 12,
    high: 2049 * 12 + 11,
    read: (text) => Number(text.slice(0, -3)) * 12 + Number(text.slice(-2)) - 1,
    write: (value) => `${pad(Math.floor(value / 12), 4)}-${pad((value % 12) + 1)}`,
  },
  gMonthDay: {
    low: 0,
    high: 365,
    read: (text) => monthStarts[Number(text.slice(2, 4)) - 1]! + Number(text.slice(5, 7)) - 1,
    write: (value) => {
      const month = monthStarts.findIndex((start) => start > value)
      return `--${pad(month)}-${pad(value - monthStarts[month - 1]! + 1)}`
    },
  },
  gDay: {
    low: 1,
    high: 31,
    read: (text) => Number(text.slice(3, 5)),
    write: (value) => `---${pad(value)}`,
  },
  gMonth: {
    low: 1,
    high: 12,
    read: (text) => Number(text.slice(2, 4)),
    write: (value) => `--${pad(value)}`,
  },
}

/** The lowest and the highest that the facets allow, in steps; where one side is open, near the other one. */
function boundsOf(facets: Facets, { low, high, read }: Scale, step: number): [number, number] {
  const bound = (text: string | undefined, by: number) =>
    text === undefined ? undefined : read(text.replace(/Z$/, '')) + by
  const from = bound(facets.minInclusive, 0) ?? bound(facets.minExclusive, step)
  const to = bound(facets.maxInclusive, 0) ?? bound(facets.maxExclusive, -step)
  const span = high - low
  return [from ?? Math.min(low, (to ?? high) - span), to ?? Math.max(high, (from ?? low) + span)]
}

function countedMakers(facets: Facets, scale: Scale): Makers {
  const [low, high] = boundsOf(facets, scale, 1)
  return {
    typical: (draw) => scale.write(draw.int(low, Math.max(low, high))),
    edges: [
      { why: 'first', make: () => scale.write(low) },
      { why: 'last', make: () => scale.write(high) },
    ],
  }
}

const anyDouble: Scale = { low: -1_000_000, high: 1_000_000, read: Number, write: String }

function doubleMakers(facets: Facets): Makers {
  const [low, high] = boundsOf(facets, anyDouble, 0.000_001)
  const write = (value: number) => String(value).replace('e+', 'E')
  return {
    typical: (draw) => {
      if (draw.chance(20)) return draw.pick(['0', '1.5', '-2.25E3', '1e-3'])
      return write(low + ((high - low) * draw.int(0, 1000)) / 1000)
    },
    edges: [
      { why: 'least', make: () => write(low) },
      { why: 'most', make: () => write(high) },
      ...['0', '1.25E-3', 'INF', '-INF', 'NaN'].map((text) => ({ why: text, make: () => text })),
    ],
  }
}

/** Texts of a length: of characters, or of bytes for binary types. */
function lengthMakers(facets: Facets, limit: number, write: (draw: Draw, n: number) => string) {
  const min = facets.length ?? facets.minLength ?? 0
  const max = facets.length ?? facets.maxLength ?? Math.max(min, limit)
  return {
    typical: (draw: Draw) => write(draw, draw.int(min, max)),
    edges: [
      { why: 'minLength', make: (draw: Draw) => write(draw, min) },
      { why: 'maxLength', make: (draw: Draw) => write(draw, max) },
    ],
  }
}

const hex = (draw: Draw, length: number) =>
  Array.from({ length }, () => draw.int(0, 255).toString(16).padStart(2, '0').toUpperCase())

function base64(draw: Draw, length: number): string {
  const bytes = Array.from({ length }, () => draw.int(0, 255))
  return btoa(String.fromCharCode(...bytes))
}

/** An address where one fits, and a relative one where not. */
function address(draw: Draw, length: number): string {
  const site = 'https://firma.example/'
  const rest = Array.from({ length: Math.max(0, length - site.length) }, () =>
    draw.pick(alphabets.ascii),
  )
  return length < site.length ? 'a'.repeat(length) : site + rest.join('')
}

const durations = ['P1D', 'PT1S', 'P1Y', 'P1M', 'P2Y3M4DT5H6M7.8S', '-P1D', 'P0D'] as const

/** How to fill a primitive that has nothing to do with plain text, whole dates or decimals. */
export function rareMakers({ primitive, facets }: AtomicType): Makers {
  const scale = scales[primitive]
  if (scale) return countedMakers(facets, scale)
  switch (primitive) {
    case 'boolean':
      return {
        typical: (draw) => draw.pick(['true', 'false', '1', '0']),
        edges: ['true', 'false', '1', '0'].map((text) => ({ why: text, make: () => text })),
      }
    case 'double':
      return doubleMakers(facets)
    case 'duration':
      return {
        typical: (draw) => `P${draw.int(0, 9)}Y${draw.int(0, 11)}M${draw.int(0, 30)}D`,
        edges: durations.map((text) => ({ why: text, make: () => text })),
      }
    case 'hexBinary':
      return lengthMakers(facets, 16, (draw, n) => hex(draw, n).join(''))
    case 'base64Binary':
      return lengthMakers(facets, 24, base64)
    default:
      return lengthMakers(facets, 40, address)
  }
}
