import type { Element } from '../xsd/document.ts'
import type { Draft } from './draft.ts'
import { addDays } from './dates.ts'
import type { Cents } from '../arbitraries/money.ts'
import {
  divideRounded,
  formatCents,
  formatDecimal,
  rescale,
  taxInGross,
  taxOnNet,
} from '../arbitraries/money.ts'
import type { ExchangeRate, RateId, Totals } from './rates.ts'
import { addTotal, rateCode, rates } from './rates.ts'
import { itemOf, note, workItem } from './text.ts'

/** One thing sold. Quantity and price are scaled whole numbers. */
export interface Line {
  readonly name: string
  readonly unit: string
  readonly quantity: bigint
  readonly quantityScale: number
  readonly price: bigint
  readonly priceScale: number
  /** Per unit, at the scale of the price. */
  readonly discount: bigint
  /** The price includes tax (P_9B, P_11A). */
  readonly gross: boolean
  readonly rate: RateId
  /** Listed in annex 15, where split payment may be due. */
  readonly annex15: boolean
}

export interface LineAmounts {
  /** Value of the line as printed: net, or gross where prices are gross. */
  readonly value: Cents
  readonly net: Cents
  readonly tax: Cents
}

/** What a line comes to: P_11 = round(P_8B * (P_9A - P_10)), the same with P_9B for gross prices. */
export function lineAmounts(line: Line): LineAmounts {
  const exact = line.quantity * (line.price - line.discount)
  const value = rescale(exact, line.quantityScale + line.priceScale, 2)
  const { percent } = rates[line.rate]
  if (line.gross) {
    const tax = taxInGross(value, percent)
    return { value, net: value - tax, tax }
  }
  return { value, net: value, tax: taxOnNet(value, percent) }
}

/**
 * Totals by rate. Tax is taken from the sum of the lines of one rate and one kind of price, so that
 * P_14_x = round(P_13_x * rate) for net prices, and the tax in the gross sum for gross ones.
 */
export function lineTotals(lines: readonly Line[], sign: 1n | -1n = 1n): Totals {
  const sums = new Map<string, { rate: RateId; gross: boolean; value: Cents }>()
  for (const line of lines) {
    const key = `${line.rate}${line.gross ? 'g' : 'n'}`
    const { value } = lineAmounts(line)
    const sum = sums.get(key)
    if (sum) sum.value += value
    else sums.set(key, { rate: line.rate, gross: line.gross, value })
  }
  const totals: Totals = new Map()
  for (const { rate, gross, value } of sums.values()) {
    const { percent, group } = rates[rate]
    const tax = gross ? taxInGross(value, percent) : taxOnNet(value, percent)
    addTotal(totals, group, sign * (gross ? value - tax : value), sign * tax)
  }
  return totals
}

export interface LineStyle {
  readonly gross: boolean
  readonly goods: boolean
  /** Rows of an order, which have no place for a discount. */
  readonly ordered?: boolean
  /** Nothing but what the sums need. */
  readonly bare: boolean
  /** Values of four digits at most. */
  readonly minimal?: boolean
}

const plainLine = {
  name: 'T',
  unit: 'szt.',
  quantity: 1n,
  quantityScale: 0,
  priceScale: 2,
  discount: 0n,
  gross: false,
  annex15: false,
} as const

export function drawLine(draft: Draft, rate: RateId, style: LineStyle): Line {
  const { draw } = draft
  if (style.minimal) return { ...plainLine, price: BigInt(draw.int(1, 9_999)), rate }
  // One in eight is measured finely and priced below the grosz.
  const fine = !style.bare && draw.chance(12)
  const priceScale = fine ? draw.int(3, 8) : 2
  const quantityScale = fine ? draw.int(1, 6) : 0
  const cents = BigInt(draw.int(1, style.bare ? 5_000 : 250_000))
  const price = cents * 10n ** BigInt(priceScale - 2) + (fine ? BigInt(draw.int(0, 9)) : 0n)
  const [name, unit] =
    draft.profile === 'construction-advance' && !style.goods
      ? workItem(draw)
      : itemOf(draw, style.goods ? 'goods' : 'services', rate)
  const quantity = fine
    ? BigInt(draw.int(1, 50)) * 10n ** BigInt(quantityScale) + BigInt(draw.int(0, 9))
    : BigInt(draw.int(1, 40))
  return {
    name: style.bare ? `Towar ${draw.int(1, 999)}` : draw.chance(5) ? note(draw) : name,
    unit,
    quantity,
    quantityScale,
    price,
    priceScale,
    discount:
      !style.bare && !style.ordered && draw.chance(8) ? price / BigInt(draw.int(2, 20)) : 0n,
    gross: style.gross,
    rate,
    annex15: rate === '23' && style.goods && draw.chance(6),
  }
}

export interface LineExtras {
  readonly number: number
  readonly exchange: ExchangeRate
  /** The line shows the state before a correction. */
  readonly before?: boolean
  /** The amounts turn negative: a difference line of a correction. */
  readonly negative?: boolean
  /** No codes and identifiers. */
  readonly bare?: boolean
  /** Number, one letter, value and rate: ten thousand such lines fit into a million bytes. */
  readonly minimal?: boolean
  /** Nothing that says how much (simplified invoices, names of corrected lines). */
  readonly unpriced?: boolean
}

/** FaWiersz. */
export function lineElement(draft: Draft, line: Line, extras: LineExtras): Element {
  const { el, draw, schema } = draft
  const parts = [el('NrWierszaFa', String(extras.number))]
  if (extras.minimal) {
    const value = (extras.negative ? -1n : 1n) * lineAmounts(line).value
    parts.push(el('P_7', 'T'), el(line.gross ? 'P_11A' : 'P_11', formatCents(value)))
    parts.push(el('P_12', rateCode(line.rate, schema) ?? '23'))
    if (extras.before) parts.push(el('StanPrzed', '1'))
    return el('FaWiersz', parts)
  }
  const rich = !extras.bare
  if (rich && draw.chance(25)) parts.push(el('UU_ID', `L${extras.number}-${draw.int(1000, 9999)}`))
  if (rich && draw.chance(6)) parts.push(el('P_6A', addDays(draft.issueDate, -draw.int(0, 20))))
  parts.push(el('P_7', line.name))
  if (rich && draw.chance(25)) parts.push(el('Indeks', `IDX/${draw.int(1, 99_999)}`))
  if (rich && draw.chance(10))
    parts.push(el('GTIN', `590${draw.int(1_000_000_000, 4_000_000_000)}`))
  if (rich && draw.chance(8)) parts.push(el('PKWiU', `${draw.int(10, 99)}.${draw.int(10, 99)}.1`))
  if (rich && draw.chance(5)) parts.push(el('CN', `${draw.int(1000, 9999)} ${draw.int(10, 99)}`))
  if (!extras.unpriced) {
    const { value, tax } = lineAmounts(line)
    const sign = extras.negative ? -1n : 1n
    const quantity = formatDecimal(sign * line.quantity, line.quantityScale, true)
    parts.push(el('P_8A', line.unit), el('P_8B', quantity))
    const price = formatDecimal(line.price, line.priceScale, line.priceScale > 2)
    parts.push(el(line.gross ? 'P_9B' : 'P_9A', price))
    if (line.discount !== 0n) {
      parts.push(el('P_10', formatDecimal(line.discount, line.priceScale, line.priceScale > 2)))
    }
    parts.push(el(line.gross ? 'P_11A' : 'P_11', formatCents(sign * value)))
    if (line.gross && tax !== 0n && draw.chance(50)) {
      parts.push(el('P_11Vat', formatCents(sign * tax)))
    }
  }
  const code = rateCode(line.rate, schema)
  if (code !== undefined) parts.push(el('P_12', code))
  if (line.rate === 'oss') parts.push(el('P_12_XII', String(rates.oss.percent)))
  if (line.annex15) parts.push(el('P_12_Zal_15', '1'))
  if (rich && !extras.unpriced && draw.chance(3)) parts.push(el('KwotaAkcyzy', '0.50'))
  if (rich && draw.chance(10)) {
    parts.push(el('GTU', `GTU_${String(draw.int(1, 13)).padStart(2, '0')}`))
  }
  if (line.rate === 'oss') parts.push(el('Procedura', 'WSTO_EE'))
  if (extras.exchange !== undefined) {
    parts.push(el('KursWaluty', formatDecimal(extras.exchange, 4)))
  }
  if (extras.before) parts.push(el('StanPrzed', '1'))
  return el('FaWiersz', parts)
}

/** ZamowienieWiersz: a row of the order behind an advance; prices are net. */
export function orderRowElement(
  draft: Draft,
  line: Line,
  { number, before, bare }: Pick<LineExtras, 'number' | 'before' | 'bare'>,
): Element {
  const { el, draw, schema } = draft
  const { net, tax } = lineAmounts(line)
  const parts = [el('NrWierszaZam', String(number))]
  if (!bare && draw.chance(25)) parts.push(el('UU_IDZ', `Z${number}-${draw.int(1000, 9999)}`))
  parts.push(el('P_7Z', line.name))
  if (!bare && draw.chance(20)) parts.push(el('IndeksZ', `R/${draw.int(1, 9999)}`))
  if (!bare && draw.chance(10)) parts.push(el('PKOBZ', `${draw.int(1110, 2420)}`))
  parts.push(
    el('P_8AZ', line.unit),
    el('P_8BZ', formatDecimal(line.quantity, line.quantityScale, true)),
    el('P_9AZ', formatDecimal(line.price, line.priceScale, line.priceScale > 2)),
    el('P_11NettoZ', formatCents(net)),
    el('P_11VatZ', formatCents(tax)),
  )
  const code = rateCode(line.rate, schema)
  if (code !== undefined) parts.push(el('P_12Z', code))
  if (line.annex15) parts.push(el('P_12Z_Zal_15', '1'))
  if (before) parts.push(el('StanPrzedZ', '1'))
  return el('ZamowienieWiersz', parts)
}

/** The same thing sold at a lower price or in a smaller quantity: what a correction leaves. */
export function corrected(draft: Draft, line: Line): Line {
  const { draw } = draft
  if (line.quantity > 1n && draw.chance(50)) {
    const left = divideRounded(line.quantity * BigInt(draw.int(0, 9)), 10n)
    return { ...line, quantity: left }
  }
  return {
    ...line,
    price: line.discount + ((line.price - line.discount) * BigInt(draw.int(0, 12))) / 10n,
  }
}
