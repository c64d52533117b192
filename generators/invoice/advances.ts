import { drawServiceNumber } from '../../lib/identifiers/service-number.ts'
import type { Element } from '../schema/document.ts'
import type { Core, CoreInput } from './core.ts'
import { halved, pairs, plain, sale } from './core.ts'
import { correctionHead } from './corrections.ts'
import { addDays, workday } from './dates.ts'
import type { Draft } from './draft.ts'
import type { Line } from './lines.ts'
import { orderRowElement } from './line-element.ts'
import { corrected, lineAmounts, lineTotals, reduced } from './lines.ts'
import type { Cents } from '../../lib/decimal.ts'
import { formatCents, formatDecimal, taxInGross } from '../../lib/decimal.ts'
import type { ExchangeRate, Totals } from './rates.ts'
import { addTotal, difference, grandTotal, rateGroups, rates, share } from './rates.ts'

/** Invoices of advances, what settles them, and corrections of both. */

/** The part of each rate group that an advance of so many ten-thousandths pays. */
function paidPart(lines: readonly Line[], tenThousandths: bigint): Totals {
  const grossByRate = new Map<Line['rate'], Cents>()
  for (const line of lines) {
    const { net, tax } = lineAmounts(line)
    grossByRate.set(line.rate, (grossByRate.get(line.rate) ?? 0n) + net + tax)
  }
  const totals: Totals = new Map()
  for (const [rate, gross] of grossByRate) {
    const paid = share(gross, tenThousandths)
    const tax = taxInGross(paid, rates[rate].percent)
    addTotal(totals, rates[rate].group, paid - tax, tax)
  }
  return totals
}

/** Zamowienie: the value of the order, tax included, and its rows. */
function order(draft: Draft, rows: readonly Element[], lines: readonly Line[]): Element {
  let value = 0n
  for (const line of lines) {
    const { net, tax } = lineAmounts(line)
    value += net + tax
  }
  return draft.el('Zamowienie', [draft.el('WartoscZamowienia', formatCents(value)), ...rows])
}

/** The minimum advance that is paid in parts. */
const worthParts: Cents = 500_000n

/** ZaliczkaCzesciowa: several payments that make up the total. */
function partPayments(
  draft: Draft,
  total: Cents,
  { exchange, exchangeOn }: Pick<CoreInput, 'exchange' | 'exchangeOn'>,
): Element[] {
  const { draw, el, issueDate } = draft
  const count = total > worthParts && draw.chance(35) ? draw.int(2, 3) : 0
  const out: Element[] = []
  let left = total
  let next = addDays(issueDate, -draw.int(1, 3))
  const dates = Array.from(
    { length: count },
    () => (next = workday(addDays(next, -draw.int(2, 6)))),
  ).toReversed()
  for (const [i, date] of dates.entries()) {
    // Parts are paid in round sums, and the last one is what is left.
    const part = (total * BigInt(draw.int(2, 4))) / 10n
    const amount = i === count - 1 ? left : part - (part % 10_000n)
    left -= amount
    const rate = exchange === undefined ? undefined : exchangeOn(date)
    out.push(
      el('ZaliczkaCzesciowa', [
        el('P_6Z', date),
        el('P_15Z', formatCents(amount)),
        ...(rate === undefined ? [] : [el('KursWalutyZW', formatDecimal(rate, 4))]),
      ]),
    )
  }
  return out
}

export function advance(draft: Draft, input: CoreInput): Core {
  const { lines, exchange, bare } = input
  const totals = paidPart(lines, BigInt(500 * draft.draw.int(2, 14)))
  const total = grandTotal(totals)
  // Each part has a rate of its own, and tax in PLN has one.
  const taxed = [...totals.values()].some(({ tax }) => tax !== 0n)
  const rows = lines.map((line, i) => orderRowElement(draft, line, { number: i + 1, bare }))
  return {
    ...plain,
    totals,
    total,
    payments: exchange !== undefined && taxed ? [] : partPayments(draft, total, input),
    lines: [],
    order: order(draft, rows, lines),
  }
}

/** P_15ZK: what the corrected invoice came to, with its rate of exchange. */
function formerTotal({ el }: Draft, total: Cents, exchange: ExchangeRate): Element[] {
  const parts = [el('P_15ZK', formatCents(total))]
  if (exchange !== undefined) parts.push(el('KursWalutyZK', formatDecimal(exchange, 4)))
  return parts
}

export function correctedAdvance(draft: Draft, input: CoreInput): Core {
  const { lines: all, exchange, bare, correctedOn } = input
  const { draw } = draft
  const lines = halved(all)
  const part = BigInt(500 * draw.int(2, 18))
  // An advance stays paid: only a smaller order gives part of it back.
  const after = lines.map((line) => reduced(draft, line))
  const [former, now] = [paidPart(lines, part), paidPart(after, part)]
  const totals = difference(now, former)
  const reason = 'Zmniejszenie wartości zamówienia i zwrot części zaliczki'
  const rows = lines.flatMap((line, i) => [
    orderRowElement(draft, line, { number: 2 * i + 1, bare, before: true }),
    orderRowElement(draft, after[i]!, { number: 2 * i + 2, bare }),
  ])
  return {
    ...plain,
    totals,
    total: grandTotal(totals),
    stated: [grandTotal(former), grandTotal(now)],
    correction: [
      ...correctionHead(draft, { invoices: 1, reason, correctedOn }),
      ...formerTotal(draft, grandTotal(former), exchange),
    ],
    lines: [],
    order: order(draft, rows, after),
    sold: lines,
  }
}

/** Maximum number of advances of an order, and the days from one to the next. */
const advancesAtMost = 3
const advanceEvery = 30
/** Days before a settlement on which its first advance was invoiced, at the earliest. */
export const earliestAdvance = advancesAtMost * advanceEvery

/** FakturaZaliczkowa, the first one first: by the number of the service, or by its own where it has none. */
function advanceReferences(
  draft: Draft,
  lines: readonly Line[],
  before = draft.issueDate,
): Element[] {
  const { draw, el } = draft
  const last = draw.int(advancesAtMost, 999)
  const large = grandTotal(lineTotals(lines)) > worthParts
  const count = large ? draw.int(1, advancesAtMost) : 1
  return Array.from({ length: count }, (_, at) => {
    const i = count - 1 - at
    const date = workday(addDays(before, -advanceEvery * (i + 1)))
    return el(
      'FakturaZaliczkowa',
      draw.chance(75)
        ? [el('NrKSeFFaZaliczkowej', drawServiceNumber(draw, draft.seller, date))]
        : [el('NrKSeFZN', '1'), el('NrFaZaliczkowej', `ZAL/${last - i}`)],
    )
  })
}

/** What is left to pay of the lines after an advance of so many ten-thousandths. */
function remainder(lines: readonly Line[], tenThousandths: bigint): Totals {
  const left: Totals = new Map()
  const full = lineTotals(lines)
  // In the order of the schema, so that nothing depends on the order of the lines.
  for (const { net: group } of rateGroups) {
    const total = full.get(group)
    if (!total) continue
    addTotal(
      left,
      group,
      total.net - share(total.net, tenThousandths),
      total.tax - share(total.tax, tenThousandths),
    )
  }
  return left
}

export function settlementInvoice(draft: Draft, input: CoreInput): Core {
  const totals = remainder(input.lines, BigInt(500 * draft.draw.int(1, 19)))
  return {
    ...sale(draft, input),
    totals,
    total: grandTotal(totals),
    advances: advanceReferences(draft, input.lines),
  }
}

export function correctedSettlement(draft: Draft, input: CoreInput): Core {
  const { exchange, correctedOn } = input
  const lines = halved(input.lines)
  // What was paid in advance stays; never more than what is left of the smallest correction.
  const part = BigInt(500 * draft.draw.int(1, 9))
  const after = lines.map((line) => corrected(draft, line))
  const totals = difference(lineTotals(after), lineTotals(lines))
  const former = grandTotal(remainder(lines, part))
  const reason = 'Pomyłka w cenie lub ilości'
  return {
    ...plain,
    totals,
    total: grandTotal(totals),
    stated: [former, former + grandTotal(totals)],
    correction: [
      ...correctionHead(draft, { invoices: 1, reason, correctedOn }),
      ...formerTotal(draft, former, exchange),
    ],
    advances: advanceReferences(draft, lines, correctedOn),
    lines: pairs(draft, lines, after, input),
    sold: lines,
  }
}
