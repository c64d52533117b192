import { parseDecimal } from '../../lib/decimal.ts'
import type { Facets, Primitive, WhiteSpace } from './model.ts'

/** What a text means in a value space: order by `key` where the type is ordered, equal where `same` is. */
export interface Meaning {
  /** Equal values have equal text here. */
  readonly same: string
  /** A scaled number, for ordered types. */
  readonly key?: bigint
  /** For dates and times: whether a zone fixes the instant. */
  readonly zoned?: boolean
  readonly totalDigits?: number
  readonly fractionDigits?: number
}

/** Decimal places that the order of decimals is kept to. */
const scale = 40

export function applyWhiteSpace(text: string, how: WhiteSpace): string {
  if (how === 'preserve') return text
  const replaced = text.replace(/[\t\n\r]/g, ' ')
  return how === 'replace' ? replaced : replaced.replace(/ +/g, ' ').replace(/^ | $/g, '')
}

const daysIn = (year: number, month: number) =>
  month === 2 && (year % 4 !== 0 || (year % 100 === 0 && year % 400 !== 0))
    ? 28
    : [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]!

const zonePart = String.raw`(Z|[+-](?:0\d|1[0-3]):[0-5]\d|[+-]14:00)?`
const datePart = String.raw`(-?(?:[1-9]\d{3,}|0\d{3}))-(\d{2})-(\d{2})`
const timePart = String.raw`(?:([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(\.\d+)?|(24):00:00(?:\.0+)?)`
const dateExpression = new RegExp(`^${datePart}${zonePart}$`)
const dateTimeExpression = new RegExp(`^${datePart}T${timePart}${zonePart}$`)
const timeExpression = new RegExp(`^${timePart}${zonePart}$`)

/** Milliseconds since 1970 in UTC, thousandths beyond that are dropped; without a zone, as if UTC. */
function instant(year: number, month: number, day: number, ms: number, zone?: string): bigint {
  const days = Date.UTC(2000 + (year % 400), month - 1, day) / 86_400_000
  // 400 years are 146,097 days: any year can be computed within the range of Date.
  const cycles = Math.floor((year - (2000 + (year % 400))) / 400)
  let offset = 0
  if (zone !== undefined && zone !== 'Z') {
    const sign = zone[0] === '-' ? -1 : 1
    offset = sign * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4, 6))) * 60_000
  }
  return BigInt(days + cycles * 146_097) * 86_400_000n + BigInt(ms - offset)
}

function dateLike(text: string, withTime: boolean): Meaning | undefined {
  const match = (withTime ? dateTimeExpression : dateExpression).exec(text)
  if (!match) return undefined
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  if (year === 0 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month))
    return undefined
  let ms = 0
  if (withTime) {
    ms = match[8]
      ? 86_400_000
      : ((Number(match[4]) * 60 + Number(match[5])) * 60 + Number(match[6])) * 1000 +
        Math.floor(Number(match[7] ?? '0') * 1000)
  }
  const zone = match[withTime ? 9 : 4]
  const key = instant(year, month, day, ms, zone)
  const zoned = zone !== undefined
  return { key, zoned, same: `${key}${zoned ? '' : 'local'}` }
}

const shapes: Partial<Record<Primitive, RegExp>> = {
  boolean: /^(?:true|false|0|1)$/,
  double: /^(?:[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?|INF|-INF|NaN)$/,
  gYear: new RegExp(`^-?(?:[1-9]\\d{3,}|0\\d{3})${zonePart}$`),
  gYearMonth: new RegExp(`^-?(?:[1-9]\\d{3,}|0\\d{3})-(?:0[1-9]|1[0-2])${zonePart}$`),
  gMonthDay: new RegExp(`^--(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])${zonePart}$`),
  gDay: new RegExp(`^---(?:0[1-9]|[12]\\d|3[01])${zonePart}$`),
  gMonth: new RegExp(`^--(?:0[1-9]|1[0-2])${zonePart}$`),
  duration: /^-?P(?!$)(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?!$)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?)?$/,
  hexBinary: /^(?:[0-9a-fA-F]{2})*$/,
  base64Binary:
    /^(?:(?:[A-Za-z0-9+/] ?){4})*(?:(?:[A-Za-z0-9+/] ?){2}= ?=|(?:[A-Za-z0-9+/] ?){3}=)?$/,
}

/** A part of a date as the first day that it names, in a year that has every day. */
function partOfDate(primitive: Primitive, text: string): Meaning | undefined {
  const [, part = '', zone = ''] = new RegExp(`^(.*?)${zonePart}$`).exec(text) ?? []
  const day = {
    gYear: `${part}-01-01`,
    gYearMonth: `${part}-01`,
    gMonthDay: `2000${part.slice(1)}`,
    gDay: `2000-01${part.slice(2)}`,
    gMonth: `2000${part.slice(1)}-01`,
  }[primitive as 'gYear']
  return dateLike(day + zone, false)
}

/** The bits of a double, transformed so that they sort like the numbers. */
function doubleMeaning(text: string): Meaning {
  const value = Number(text.replace('INF', 'Infinity'))
  const bits = new BigInt64Array(new Float64Array([value]).buffer)[0]!
  const key = bits < 0n ? -(bits & 0x7fff_ffff_ffff_ffffn) : bits
  return Number.isNaN(value) ? { same: 'NaN' } : { key, same: String(value) }
}

/** A duration in months and seconds: a year is twelve months, and a day 24 hours. */
function durationMeaning(text: string): Meaning {
  const part = (unit: string, of: string) => Number(new RegExp(`(\\d+)${unit}`).exec(of)?.[1] ?? 0)
  const [days = '', time = ''] = text.split('T')
  const [, whole = '0', fraction = ''] = /(\d+)(?:\.(\d+))?S/.exec(time) ?? []
  const months = part('Y', days) * 12 + part('M', days)
  const minutes = (part('D', days) * 24 + part('H', time)) * 60 + part('M', time)
  const seconds = `${minutes * 60 + Number(whole)}.${fraction.replace(/0+$/, '')}`
  const none = months === 0 && seconds === '0.'
  return { same: `${text.startsWith('-') && !none ? '-' : ''}${months} ${seconds}` }
}

/** One text for each value, where a type writes the same value in several ways. */
function sameValue(primitive: Primitive, text: string): string {
  switch (primitive) {
    case 'boolean':
      return text === '1' ? 'true' : text === '0' ? 'false' : text
    case 'hexBinary':
      return text.toUpperCase()
    case 'base64Binary':
      return text.replaceAll(' ', '')
    default:
      return text
  }
}

/** What a text (white space already treated) means; undefined where it is not of the type. */
export function meaningOf(primitive: Primitive, text: string): Meaning | undefined {
  switch (primitive) {
    case 'string':
    case 'anyURI':
    case 'QName':
      return { same: text }
    case 'integer':
    case 'decimal': {
      if (
        !(
          primitive === 'integer' ? /^[-+]?[0-9]+$/ : /^[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)$/
        ).test(text)
      ) {
        return undefined
      }
      const key = parseDecimal(text, scale)
      if (key === undefined) return undefined
      const [whole, fraction = ''] = text.replace(/^[-+]/, '').split('.') as [string, string?]
      const wholeDigits = whole.replace(/^0+/, '').length
      const fractionDigits = fraction.replace(/0+$/, '').length
      return { key, same: String(key), fractionDigits, totalDigits: wholeDigits + fractionDigits }
    }
    case 'date':
      return dateLike(text, false)
    case 'dateTime':
      return dateLike(text, true)
    case 'time':
      return timeExpression.test(text) ? dateLike(`2000-01-01T${text}`, true) : undefined
    case 'double':
      return shapes.double?.test(text) ? doubleMeaning(text) : undefined
    case 'gYear':
    case 'gYearMonth':
    case 'gMonthDay':
    case 'gDay':
    case 'gMonth':
      return shapes[primitive]?.test(text) ? partOfDate(primitive, text) : undefined
    case 'duration':
      return shapes.duration?.test(text) ? durationMeaning(text) : undefined
    default:
      return shapes[primitive]?.test(text) ? { same: sameValue(primitive, text) } : undefined
  }
}

/** Characters as facets count them: code points; bytes for binary types. */
export function lengthOf(primitive: Primitive, text: string): number {
  if (primitive === 'hexBinary') return text.length / 2
  if (primitive === 'base64Binary') {
    const compact = text.replaceAll(' ', '')
    return (compact.length / 4) * 3 - (compact.match(/=/g)?.length ?? 0)
  }
  let length = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < 0xdc00 || code > 0xdfff) length++
  }
  return length
}

/** The facets that bound a value, in the order in which they are checked. */
export const boundFacets = [
  ['minInclusive', (value: bigint, bound: bigint) => value >= bound],
  ['minExclusive', (value: bigint, bound: bigint) => value > bound],
  ['maxInclusive', (value: bigint, bound: bigint) => value <= bound],
  ['maxExclusive', (value: bigint, bound: bigint) => value < bound],
] as const satisfies readonly (readonly [keyof Facets, (a: bigint, b: bigint) => boolean])[]
