import type { InvoiceSchemaId } from '../../contract/environments.ts'
import { formatDecimal, parseDecimal, tenTo } from '../../lib/decimal.ts'
import type { Draw } from '../draw/draw.ts'
import type { Broken } from '../schema/check.ts'
import { checkSimple } from '../schema/check.ts'
import type { Element } from '../schema/document.ts'
import type { AtomicType, Primitive, SimpleType, Type } from '../schema/model.ts'
import { isSimple } from '../schema/model.ts'
import { nameOf, textOf, withText } from './edit.ts'
import type { InvoiceMalformation } from './malformation.ts'
import { mistakes } from './mistakes.ts'
import { everySchema } from './malformation.ts'
import type { SchemaClass } from './schema-classes.ts'
import {
  invoicePlaces,
  placeIn,
  schemaMalformations,
  schemaOf,
  withPlace,
} from './schema-classes.ts'

/** Characters that look like white space, and that XML does not count as such. */
const blanks = {
  'no-break-space': '\u00A0',
  'zero-width-space': '\u200B',
  'byte-order-mark': '\uFEFF',
  'ideographic-space': '\u3000',
} as const
/** A value with each of them in front. */
const behindBlanks = (value: string): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(blanks).map(([how, blank]) => [how, blank + value]))

/** Text that is not in the lexical space of a primitive type, and why people write it. */
const garbage: Partial<Record<Primitive, Readonly<Record<string, string>>>> = {
  decimal: {
    comma: '1,50',
    thousands: '1 492.00',
    currency: '492.00 PLN',
    exponent: '4.92E2',
    infinite: 'INF',
    'not-a-number': 'NaN',
    hexadecimal: '0x1EC',
    word: 'sto',
    'two-points': '1.2.3',
    'two-signs': '--5',
    blank: ' ',
    ...behindBlanks('492.00'),
  },
  integer: {
    fraction: '1.5',
    exponent: '1e3',
    word: 'jeden',
    comma: '1,0',
    blank: '',
    ...behindBlanks('1'),
  },
  date: {
    'no-such-day': '2026-02-30',
    'month-13': '2026-13-01',
    'no-zeros': '2026-1-5',
    slashes: '2026/01/15',
    reversed: '15-01-2026',
    'with-time': '2026-01-15T00:00:00',
    compact: '20260115',
    'no-leap-year': '2027-02-29',
    ...behindBlanks('2026-01-15'),
  },
  dateTime: {
    'date-only': '2026-01-15',
    'blank-for-T': '2026-01-15 10:00:00Z',
    'leap-second': '2026-06-30T23:59:60Z',
    'hour-25': '2026-01-15T25:00:00Z',
    'offset-15': '2026-01-15T10:00:00+15:00',
    'offset-short': '2026-01-15T10:00:00+01',
    'no-seconds': '2026-01-15T10:00Z',
    ...behindBlanks('2026-01-15T10:00:00Z'),
  },
}

/** Values to try for each facet: which of them break that facet alone is found by trying. */
function candidates(type: AtomicType, valid: string): Partial<Record<Broken, readonly string[]>> {
  const { facets } = type
  const places = facets.fractionDigits ?? 0
  const out: Partial<Record<Broken, readonly string[]>> = {}
  const beyond = (bound: string | undefined, step: bigint): readonly string[] => {
    if (bound === undefined) return []
    if (type.primitive === 'date' || type.primitive === 'dateTime') {
      const length = type.primitive === 'date' ? 86_400_000 : 1000
      const ms = Date.parse(type.primitive === 'date' ? `${bound.slice(0, 10)}T00:00:00Z` : bound)
      const iso = new Date(ms + Number(step) * length).toISOString()
      return [type.primitive === 'date' ? iso.slice(0, 10) : `${iso.slice(0, 19)}Z`]
    }
    const value = parseDecimal(bound, places)
    return value === undefined ? [] : [formatDecimal(value + step, places, true)]
  }
  if (facets.length !== undefined) out.length = [valid.slice(1), `${valid}x`]
  if (facets.minLength !== undefined && facets.minLength > 0) {
    const min = facets.minLength
    out.minLength = ['', 'x'.repeat(min - 1), '@'.repeat(min - 1), '1'.repeat(min - 1)]
  }
  if (facets.maxLength !== undefined) {
    const max = facets.maxLength
    out.maxLength = [
      'x'.repeat(max + 1),
      `${'x'.repeat(max - 1)}@x`,
      '1'.repeat(max + 1),
      lengthened(valid, max + 1),
    ]
  }
  if (facets.patterns.length > 0) {
    out.patterns = [
      `${valid}x`,
      `x${valid}`,
      valid.slice(1),
      valid.slice(0, -1),
      valid.toLowerCase(),
      `+${valid}`,
      `0${valid}`,
      valid.replace(/^(-?)/, '$10'),
      `\n${valid}\n`,
      '',
    ]
  }
  if (facets.enumeration) {
    out.enumeration = [valid.toLowerCase(), '0', '99', 'X', `${valid}${valid}`, `${valid}0`, '999']
  }
  if (facets.totalDigits !== undefined) {
    const digits = facets.totalDigits
    out.totalDigits = [
      '9'.repeat(digits + 1),
      formatDecimal(tenTo(digits + 1) - 1n, places),
      formatDecimal(tenTo(Math.min(digits, 15) + 1) - 1n, Math.min(places + 1, 8)),
    ]
  }
  if (facets.fractionDigits !== undefined && type.primitive === 'decimal') {
    out.fractionDigits = [`1.${'1'.repeat(places + 1)}`]
  }
  out.minInclusive = beyond(facets.minInclusive, -1n)
  out.maxInclusive = beyond(facets.maxInclusive, 1n)
  out.minExclusive = beyond(facets.minExclusive, 0n)
  out.maxExclusive = beyond(facets.maxExclusive, 0n)
  return out
}

const lengthened = (valid: string, length: number) =>
  valid + valid.slice(-1).repeat(Math.max(0, length - valid.length))

interface TypePlace {
  readonly name: string
  /** Where it stands first, by schema. */
  readonly paths: Partial<Record<InvoiceSchemaId, string>>
}

const schemasOf = ({ paths }: TypePlace) => everySchema.filter((schema) => schema in paths)
const anyPath = ({ paths }: TypePlace) => (paths.fa3 ?? paths.fa2)!

/** Values that other parts of an invoice depend on, and parts that not every session takes. */
const dependedOn =
  /^Faktura\/(?:Zalacznik\/|Podmiot[12]\/Dane|Fa\/(?:P_1|P_13_\w+|P_14_\w+|P_15\w*|KodWaluty|OkresFa\/.*|ZaliczkaCzesciowa\/.*|Rozliczenie\/.*|Zamowienie\/.*|Platnosc\/.*|DaneFaKorygowanej\/.*|FaWiersz\/(?:P_\w+|NrWierszaFa|KursWaluty))$)/

/** One place for each simple type: a named one where nothing depends on it, an anonymous one by its own path. */
function typePlaces(): TypePlace[] {
  const out = new Map<string, TypePlace>()
  for (const schema of everySchema) {
    const seen = new Set<string>()
    // Where the type has a place that nothing depends on, a broken value there is the only fault.
    const elements = invoicePlaces(schema).elements.toSorted(
      (a, b) => Number(dependedOn.test(a.path)) - Number(dependedOn.test(b.path)),
    )
    for (const { particle, path } of elements) {
      const type = simpleContent(particle.type())
      if (!type || particle.fixed !== undefined) continue
      const name = type.name && !type.name.startsWith('xsd:') ? type.name : nameOf(path)
      if (seen.has(name)) continue
      seen.add(name)
      const known = out.get(name)
      if (known) known.paths[schema] = path
      else out.set(name, { name, paths: { [schema]: path } })
    }
  }
  return [...out.values()]
}

function simpleContent(type: Type): SimpleType | undefined {
  if (type.kind !== 'complex') return type
  return type.content && isSimple(type.content) ? type.content : undefined
}

/** The facets whose breaking makes a class, in words. */
const words: Partial<Record<Broken, string>> = {
  type: 'is no value of its type',
  length: 'has another length',
  minLength: 'is too short',
  maxLength: 'is too long',
  patterns: 'does not match its pattern',
  enumeration: 'is not among the allowed values',
  totalDigits: 'has too many digits',
  fractionDigits: 'has too many decimal places',
  minInclusive: 'is below its least',
  maxInclusive: 'is above its most',
  minExclusive: 'is not above its bound',
  maxExclusive: 'is not below its bound',
}

function valueClass(
  place: TypePlace,
  how: string,
  summary: string,
  make: (type: SimpleType, valid: string, draw: Draw) => string | undefined,
): SchemaClass {
  const pathIn = (document: Element) => place.paths[schemaOf(document)]!
  return {
    id: `value:${place.name}/${how}`,
    summary: `${nameOf(anyPath(place))} ${summary}`,
    schemas: schemasOf(place),
    prepare: (document: Element, draw: Draw) => withPlace(document, pathIn(document), draw),
    change: (document: Element, draw: Draw) => {
      const path = pathIn(document)
      const old = textOf(document, path)
      const type = simpleContent(placeIn(document, path).particle.type())!
      // Where this type has no such value, the document stays as it is and the class is dropped.
      const value = make(type, old, draw) ?? old
      return {
        document: withText(document, path, value),
        fault: { path, old, new: value, seenAt: [path] },
      }
    },
  }
}

function classesOf(place: TypePlace): SchemaClass[] {
  const out: SchemaClass[] = []
  const [schema] = schemasOf(place)
  const { particle } = invoicePlaces(schema!).byPath.get(place.paths[schema!]!)!
  const type = simpleContent(particle.type())!
  for (const [how, summary, text] of mistakes[place.name] ?? []) {
    out.push(
      valueClass(place, how, summary, (own) =>
        checkSimple(own, text) === undefined ? undefined : text,
      ),
    )
  }
  if (type.kind === 'atomic') {
    for (const [how, text] of Object.entries(garbage[type.primitive] ?? {})) {
      // For a flag the commonest mistakes suffice; there are a dozen such types.
      if (type.facets.enumeration && !['fraction', 'word', 'blank'].includes(how)) continue
      out.push(
        valueClass(place, how, `is written as "${text}"`, (own) =>
          checkSimple(own, text) === undefined ? undefined : text,
        ),
      )
    }
    // Each facet alone; flags are enumerations of numbers, whose garbage is above.
    for (const facet of Object.keys(words) as Broken[]) {
      if (facet === 'type') continue
      out.push(
        valueClass(place, facet, words[facet]!, (own, valid) => {
          if (own.kind !== 'atomic') return undefined
          const tries = candidates(own, valid.trim())[facet] ?? []
          return (
            tries.find((text) => checkSimple(own, text) === facet) ??
            // A pattern may forbid the value before the facet does: still one value, still out of bounds.
            tries.find((text) => facet !== 'patterns' && checkSimple(own, text) === 'patterns')
          )
        }),
      )
    }
  } else {
    out.push(
      valueClass(place, 'union', 'fits none of its types', (own, valid) =>
        [`${valid}0`, valid.slice(1), 'x'].find((text) => checkSimple(own, text) !== undefined),
      ),
    )
  }
  return out
}

/** The value space of every simple type: each facet broken alone, and what is no value at all. */
export function values(): InvoiceMalformation[] {
  return schemaMalformations('values', typePlaces().flatMap(classesOf))
}
