import { drawGs1 } from '../../lib/identifiers/gs1.ts'
import type { Draft } from './draft.ts'
import type { Cents } from '../../lib/decimal.ts'
import { rescale, taxInGross, taxOnNet } from '../../lib/decimal.ts'
import { seedFrom } from '../../lib/random.ts'
import type { Draw } from '../draw/draw.ts'
import { seededDraw } from '../draw/draw.ts'
import type { ExchangeRate, RateId, Totals } from './rates.ts'
import { addTotal, inCurrency, rates } from './rates.ts'
import type { Item, Unit } from './item.ts'
import { units } from './item.ts'
import type { Offer } from './offers.ts'
import { awkwardDetail } from './text.ts'

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
  /** What it is; absent where a line says no more than it must. */
  readonly item?: Item
  /** What is stated about it beside its name: the same before and after a correction. */
  readonly codes?: Codes
  /** The tax of a gross line is stated beside its value. */
  readonly tellsTax?: boolean
}

/** Codes and identifiers of a thing sold. */
interface Codes {
  readonly id?: string
  readonly index?: string
  readonly gtin?: string
  readonly pkwiu?: string
  readonly cn?: string
  readonly pkob?: string
  readonly gtu?: string
  /** The excise duty is stated: the net value divided by this number. */
  readonly exciseShare?: bigint
}

/** What a seller's program writes on every line of an invoice, where a thing has it. */
type Habits = Readonly<Record<Exclude<keyof Codes, 'exciseShare'> | 'tax', boolean>>

export const drawHabits = (draw: Draw): Habits => ({
  id: draw.chance(25),
  index: draw.chance(25),
  gtin: draw.chance(20),
  pkwiu: draw.chance(25),
  cn: draw.chance(15),
  pkob: draw.chance(15),
  gtu: draw.chance(60),
  tax: draw.chance(50),
})

/** The codes of an item that is sold at a rate, on the line with this number. */
function drawCodes(
  { draw, seller }: Draft,
  { item, rate }: Offer,
  number: number,
  habits: Habits,
): Codes {
  const { cn, pkwiu, building, gtu, excise, unit } = item
  const codes: { -readonly [Name in keyof Codes]: Codes[Name] } = {}
  if (habits.id) codes.id = `${number}-${draw.int(1000, 9999)}`
  // A thing has one number in its seller's books, and one on its package.
  const own = seededDraw(seedFrom('item', seller, item.name))
  const known = { index: `IDX/${own.int(1, 99_999)}`, gtin: drawGs1(own) }
  if (habits.index) codes.index = known.index
  // Piece by piece: what is poured and weighed has no package.
  if (habits.gtin && cn !== undefined && units[unit].places === 0) codes.gtin = known.gtin
  if (habits.pkwiu && pkwiu !== undefined) codes.pkwiu = pkwiu
  if (habits.cn && cn !== undefined) codes.cn = cn
  // Homes have the lower rate, offices do not.
  if (habits.pkob && building) codes.pkob = rate === '8' ? '1122' : '1220'
  if (habits.gtu && gtu !== undefined) codes.gtu = gtu
  if (excise && draw.chance(30)) codes.exciseShare = BigInt(draw.int(3, 9))
  return codes
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
  /** The buyer is a taxable person, for whom split payment is meant. */
  readonly taxable?: boolean
  /** With a place for a discount, and sold by those who give one. */
  readonly rebated?: boolean
  /** Bought by a person, in small quantities. */
  readonly retail?: boolean
  /** Bought by the lorry. */
  readonly freight?: boolean
  /** One unit each, and no more than so many hundredths. */
  readonly upTo?: number
  /** Nothing but what the sums need. */
  readonly bare: boolean
  /** Values of four digits at most. */
  readonly minimal?: boolean
  readonly exchange: ExchangeRate
  readonly habits: Habits
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

/** Parts of a price, in a hundred, by which it differs from one sale to the next. */
const spread = 3

/** A price in the currency of the invoice, in units of 10^-scale: about the same at each sale of one seller. */
function drawPrice({ draw, seller }: Draft, { name, price, fine }: Item, style: LineStyle) {
  const listed = seededDraw(seedFrom('price', seller, name)).int(...price)
  const [low, high] = [listed - (listed * spread) / 100, listed + (listed * spread) / 100]
  const scale =
    fine !== undefined && !style.bare && !style.retail && draw.chance(60) ? draw.int(3, fine) : 2
  const factor = 10n ** BigInt(scale - 2)
  const cents = BigInt(draw.int(Math.ceil(low), Math.floor(high)))
  const exact = cents * factor + (factor > 1n ? draw.big(0n, factor - 1n) : 0n)
  return { price: inCurrency(exact, style.exchange), scale, cents }
}

/** Maximum quantity of a sale where only the price decides it. */
function maxAtOnce(cents: bigint, { retail }: LineStyle): number {
  if (retail) return cents > dearAtHome ? 2 : 5
  return cents > dear ? 5 : Number.POSITIVE_INFINITY
}

/** How many make a lorry worth sending: fewer of what is expensive, and more of what is cheap. */
function byTheLorry(cents: bigint, range: readonly [number, number]): readonly [number, number] {
  if (cents > dear && range[0] > fewDear[0]) return fewDear
  return cents < cheapForFreight ? [range[0] * 5, range[1] * 5] : range
}

/** The quantity sold, in units of 10^-scale: less of what is expensive, and fractions where the unit allows them. */
function drawQuantity(draw: Draw, sold: Item, cents: bigint, style: LineStyle) {
  const { max: typicalMax, places, step = 1, freight }: Unit = units[sold.unit]
  const [min, max] =
    style.freight && freight
      ? byTheLorry(cents, freight)
      : [1, Math.min(typicalMax, maxAtOnce(cents, style))]
  // What an item says itself counts before what a lorry takes.
  const whole = draw.int(sold.min ?? (sold.max === undefined ? min : 1), sold.max ?? max)
  const scale = places > 0 && !style.bare && draw.chance(25) ? draw.int(1, places) : 0
  const factor = 10n ** BigInt(scale)
  const quantity = BigInt(whole) * factor
  const steps = factor / BigInt(step)
  return { scale, quantity: quantity + BigInt(step) * draw.big(0n, scale > 0 ? steps - 1n : 0n) }
}

/** Line `number` of an invoice, from 1: the offers in turn, then variants of them. */
export function drawLine(
  draft: Draft,
  offers: readonly Offer[],
  number: number,
  style: LineStyle,
): Line {
  const { draw } = draft
  const offer = offers[(number - 1) % offers.length]!
  const { item, rate } = offer
  if (style.minimal) return { ...plainLine, price: BigInt(draw.int(1, 9_999)), rate }
  const line = { unit: item.unit, gross: style.gross, rate, discount: 0n } as const
  const cheap = style.upTo !== undefined
  if (style.bare || cheap) {
    const high = cheap ? style.upTo : 5_000
    const low = Math.min(cheap ? item.price[0] : 1, high)
    const price = draw.int(low, cheap ? Math.max(low, Math.min(item.price[1], high)) : high)
    const max = cheap ? Math.max(1, Math.min(units[item.unit].max, Math.floor(high / price))) : 40
    const sold = {
      ...line,
      quantity: BigInt(draw.int(1, max)),
      quantityScale: 0,
      price: BigInt(price),
      priceScale: 2,
      annex15: false,
    }
    if (cheap) return { ...sold, name: item.name, item }
    return { ...sold, name: `${style.goods ? 'Towar' : 'Usługa'} ${draw.int(1, 999)}` }
  }
  const { price, scale: priceScale, cents } = drawPrice(draft, item, style)
  const { quantity, scale: quantityScale } = drawQuantity(draw, item, cents, style)
  const variant = Math.floor((number - 1) / offers.length) + 1
  const name = variant > 1 ? `${item.name}, wariant ${variant}` : item.name
  return {
    ...line,
    name: item.lettered && draw.chance(8) ? `${name} (${awkwardDetail(draw)})` : name,
    quantity,
    quantityScale,
    price,
    priceScale,
    discount: style.rebated && draw.chance(8) ? price / BigInt(draw.int(5, 20)) : 0n,
    annex15: style.taxable === true && item.annex15 === true && splitRates.has(rate),
    item,
    codes: drawCodes(draft, offer, number, style.habits),
    tellsTax: style.habits.tax,
  }
}

/** Above this price only a few are bought in one sale, in hundredths. */
const dear = 100_000n
/** The same for a household. */
const dearAtHome = 10_000n
/** Below this price large quantities are sent in one load. */
const cheapForFreight = 5_000n
/** How many expensive things make a lorry worth sending. */
const fewDear = [10, 40] as const
/** Rates under which split payment may be due. */
const splitRates: ReadonlySet<RateId> = new Set(['23', '8', '5'])
/** Less of the same thing: so many tenths of it, and at least one. */
function fewer(line: Line, tenths: number): Line {
  const quantity = (line.quantity * BigInt(tenths)) / 10n
  return { ...line, quantity: quantity > 0n ? quantity : 1n }
}

const priced = (line: Line, hundredths: number): Line => ({
  ...line,
  price: (line.price * BigInt(hundredths)) / 100n,
  discount: (line.discount * BigInt(hundredths)) / 100n,
})

/** The same thing sold at another price or in a smaller quantity: what a correction leaves. */
export function corrected({ draw }: Draft, line: Line): Line {
  if (line.quantity > 1n && draw.chance(50)) return fewer(line, draw.int(5, 9))
  // From seven tenths of it to thirteen, and never the same.
  const share = draw.int(70, 129)
  const repriced = priced(line, share < 100 ? share : share + 1)
  // A few hundredths have no percent.
  return repriced.price === line.price ? fewer(line, 8) : repriced
}

/** Less of the same thing, or the same thing for less. */
export function reduced({ draw }: Draft, line: Line): Line {
  return line.quantity > 1n ? fewer(line, draw.int(4, 9)) : priced(line, draw.int(70, 95))
}
