import type { Core, CoreInput } from './core.ts'
import { halved, pairs, plain, sale } from './core.ts'
import { advance, correctedAdvance, correctedSettlement, settlementInvoice } from './advances.ts'
import type { CorrectionHead } from './corrections.ts'
import { correctionHead } from './corrections.ts'
import { firstDay } from './dates.ts'
import type { Draft } from './draft.ts'
import { lineElement } from './line-element.ts'
import { corrected, lineTotals } from './lines.ts'
import { difference, grandTotal } from './rates.ts'

/** The particulars of the draft's kind. */
export function core(draft: Draft, input: CoreInput): Core {
  switch (draft.kind) {
    case 'VAT':
      return sale(draft, input)
    case 'UPR':
      return simplified(draft, input)
    case 'KOR':
      return correction(draft, input)
    case 'KOR_ROZ':
      return correctedSettlement(draft, input)
    case 'ZAL':
      return advance(draft, input)
    case 'KOR_ZAL':
      return correctedAdvance(draft, input)
    case 'ROZ':
      return settlementInvoice(draft, input)
  }
}

function simplified(draft: Draft, { lines, exchange }: CoreInput): Core {
  const totals = lineTotals(lines)
  // Without totals, the rate of the lines has to tell the tax in what is due.
  const oneRate = new Set(lines.map(({ rate }) => rate)).size === 1
  return {
    ...plain,
    totals,
    total: grandTotal(totals),
    showTotals: !oneRate || draft.draw.chance(70),
    lines: lines.map((line, i) =>
      lineElement(draft, line, { number: i + 1, exchange, bare: true, unpriced: true }),
    ),
  }
}

function correction(draft: Draft, input: CoreInput): Core {
  const { draw, el } = draft
  const { lines: all, exchange, bare, minimal, formerBuyer } = input
  const head = (reason: CorrectionHead['reason']) =>
    correctionHead(draft, { invoices: 1, reason, correctedOn: input.correctedOn })
  if (formerBuyer) {
    // Who bought is put right, and nothing else.
    return {
      ...plain,
      totals: new Map(),
      total: 0n,
      correction: [...head('Błędne dane nabywcy'), formerBuyer],
      lines: [],
      sold: [],
    }
  }
  const style = draw.int(0, 9)
  if (style === 9 && input.onAccount) {
    // A rebate on everything sold in a period: many invoices, no lines.
    const totals = lineTotals(all, -1n)
    const rebate = correctionHead(draft, {
      invoices: draw.int(2, 5),
      reason: 'Rabat za okres',
      correctedOn: input.correctedOn,
    })
    const from = `${firstDay(draft.issueDate, rebate).slice(0, 7)}-01`
    return {
      ...plain,
      totals,
      total: grandTotal(totals),
      correction: [...rebate, el('OkresFaKorygowanej', `${from} do ${draft.issueDate}`)],
      lines: [],
    }
  }
  if (style >= 6) {
    // Lines that are differences: what was taken back, or the one thing that was not as it should be.
    const taken = input.returnable ? halved(all) : all.slice(0, 1)
    const totals = lineTotals(taken, -1n)
    return {
      ...plain,
      totals,
      total: grandTotal(totals),
      correction: head(input.returnable ? 'Zwrot towaru' : 'Uznana reklamacja'),
      lines: taken.map((line, i) =>
        lineElement(draft, line, { number: i + 1, exchange, bare, minimal, negative: true }),
      ),
      sold: taken,
    }
  }
  const lines = halved(all)
  const after = lines.map((line) => corrected(draft, line))
  const [former, now] = [lineTotals(lines), lineTotals(after)]
  const totals = difference(now, former)
  return {
    ...plain,
    totals,
    total: grandTotal(totals),
    stated: [grandTotal(former), grandTotal(now)],
    correction: head('Pomyłka w cenie lub ilości'),
    lines: pairs(draft, lines, after, input),
    sold: lines,
  }
}
