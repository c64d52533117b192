import { drawServiceNumber } from '../../lib/identifiers/service-number.ts'
import type { Element } from '../schema/document.ts'
import type { Core, CoreInput } from './core.ts'
import { halved, pairs, plain, sale } from './core.ts'
import { correctionHead } from './corrections.ts'
import { addDays, firstDay } from './dates.ts'
import type { Draft } from './draft.ts'
import type { Line } from './lines.ts'
import { orderRowElement } from './line-element.ts'
import { corrected, lineAmounts, lineTotals } from './lines.ts'
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

/** Nobody pays less of an advance in parts. */
const worthParts: Cents = 500_000n

/** ZaliczkaCzesciowa: several payments that make up the total. */
function partPayments(draft: Draft, total: Cents, exchange: ExchangeRate): Element[] {
  const { draw, el, issueDate } = draft
  const count = total > worthParts && draw.chance(35) ? draw.int(2, 3) : 0
  const out: Element[] = []
  let left = total
  let ago = draw.int(1, 3)
  const days = Array.from({ length: count }, () => (ago += draw.int(2, 6))).toReversed()
  for (const [i, day] of days.entries()) {
    // Parts are paid in round sums, and the last one is what is left.
    const part = (total * BigInt(draw.int(2, 4))) / 10n
    const amount = i === count - 1 ? left : part - (part > 1_000_000n ? part % 100_000n : 0n)
    left -= amount
    out.push(
      el('ZaliczkaCzesciowa', [
        el('P_6Z', addDays(issueDate, -day)),
        el('P_15Z', formatCents(amount)),
        ...(exchange === undefined ? [] : [el('KursWalutyZW', formatDecimal(exchange, 4))]),
      ]),
    )
  }
  return out
}

export function advance(draft: Draft, { lines, exchange, bare }: CoreInput): Core {
  const totals = paidPart(lines, BigInt(500 * draft.draw.int(2, 14)))
  const total = grandTotal(totals)
  const rows = lines.map((line, i) => orderRowElement(draft, line, { number: i + 1, bare }))
  return {
    ...plain,
    totals,
    total,
    payments: partPayments(draft, total, exchange),
    lines: [],
    order: order(draft, rows, lines),
  }
}

/** The head of a correction of an advance or a settlement. */
const amended = { invoices: 1, reason: 'Zmiana zamówienia', former: false } as const

/** P_15ZK: what the corrected invoice came to, with its rate of exchange. */
function formerTotal({ el }: Draft, total: Cents, exchange: ExchangeRate): Element[] {
  const parts = [el('P_15ZK', formatCents(total))]
  if (exchange !== undefined) parts.push(el('KursWalutyZK', formatDecimal(exchange, 4)))
  return parts
}

export function correctedAdvance(draft: Draft, { lines: all, exchange, bare }: CoreInput): Core {
  const { draw } = draft
  const lines = halved(all)
  const part = BigInt(500 * draw.int(2, 18))
  const after = lines.map((line) => corrected(draft, line))
  const former = paidPart(lines, part)
  const totals = difference(paidPart(after, part), former)
  const rows = lines.flatMap((line, i) => [
    orderRowElement(draft, line, { number: 2 * i + 1, bare, before: true }),
    orderRowElement(draft, after[i]!, { number: 2 * i + 2, bare }),
  ])
  return {
    ...plain,
    totals,
    total: grandTotal(totals),
    correction: [
      ...correctionHead(draft, amended),
      ...formerTotal(draft, grandTotal(former), exchange),
    ],
    lines: [],
    order: order(draft, rows, after),
    sold: lines,
  }
}

/** Advances of an order, at most, and the days from one to the next. */
const advancesAtMost = 3
const advanceEvery = 30
/** Days before a settlement on which its first advance was invoiced, at the earliest. */
export const earliestAdvance = advancesAtMost * advanceEvery

/** FakturaZaliczkowa: each advance by the number of the service, or by its own where it has none. */
function advanceReferences(draft: Draft, before = draft.issueDate): Element[] {
  const { draw, el } = draft
  const last = draw.int(advancesAtMost, 999)
  return Array.from({ length: draw.int(1, advancesAtMost) }, (_, i) => {
    const date = addDays(before, -advanceEvery * (i + 1))
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
    advances: advanceReferences(draft),
  }
}

export function correctedSettlement(draft: Draft, input: CoreInput): Core {
  const { exchange } = input
  const lines = halved(input.lines)
  const part = BigInt(500 * draft.draw.int(1, 19))
  const after = lines.map((line) => corrected(draft, line))
  const former = remainder(lines, part)
  const totals = difference(remainder(after, part), former)
  const head = correctionHead(draft, amended)
  return {
    ...plain,
    totals,
    total: grandTotal(totals),
    correction: [...head, ...formerTotal(draft, grandTotal(former), exchange)],
    advances: advanceReferences(draft, firstDay(draft.issueDate, head)),
    lines: pairs(draft, lines, after, input),
    sold: lines,
  }
}
