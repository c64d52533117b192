import type { Element } from '../schema/document.ts'
import type { Draft } from './draft.ts'
import type { Line } from './lines.ts'
import { lineElement } from './line-element.ts'
import { lineTotals } from './lines.ts'
import type { Cents } from '../../lib/decimal.ts'
import type { ExchangeRate, Totals } from './rates.ts'
import { grandTotal } from './rates.ts'

/** What is particular to a kind of invoice: its totals and the parts of the body that only it has. */
export interface Core {
  readonly totals: Totals
  /** P_15. */
  readonly total: Cents
  /** Of a correction: what the invoice came to before and after it. */
  readonly stated?: readonly Cents[]
  /** P_13 and P_14 are written; a simplified invoice may do without. */
  readonly showTotals: boolean
  /** From PrzyczynaKorekty to KursWalutyZK. */
  readonly correction: readonly Element[]
  readonly payments: readonly Element[]
  readonly advances: readonly Element[]
  readonly lines: readonly Element[]
  readonly order?: Element
  /** What the lines or rows are about, where not everything that was drawn was used. */
  readonly sold?: readonly Line[]
}

export interface CoreInput {
  readonly lines: readonly Line[]
  readonly exchange: ExchangeRate
  /** The rate of exchange of the invoice's currency on another day. */
  readonly exchangeOn: (date: string) => ExchangeRate
  /** The day on which what a correction corrects was issued. */
  readonly correctedOn: string
  /** The buyer is a firm that buys regularly. */
  readonly onAccount: boolean
  readonly bare: boolean
  readonly minimal: boolean
  readonly goods: boolean
  /** Goods in pieces, which a buyer can give back. */
  readonly returnable: boolean
  /** Lines have days of supply of their own, where they are what is sold. */
  readonly dated: boolean
  /** Podmiot2K, where the correction changes the data of the buyer. */
  readonly formerBuyer?: Element
}

/** The parts that most kinds do not have. */
export const plain = { showTotals: true, correction: [], payments: [], advances: [] } as const

/** Totals and lines as they are sold. */
export function sale(draft: Draft, { lines, exchange, bare, minimal, dated }: CoreInput): Core {
  const totals = lineTotals(lines)
  return {
    ...plain,
    totals,
    total: grandTotal(totals),
    lines: lines.map((line, i) =>
      lineElement(draft, line, { number: i + 1, exchange, bare, minimal, dated }),
    ),
  }
}

/** Pairs of lines, the state before (StanPrzed) and the state after, each with its own number. */
export function pairs(
  draft: Draft,
  before: readonly Line[],
  after: readonly Line[],
  input: CoreInput,
) {
  const { exchange, bare, minimal } = input
  return before.flatMap((line, i) => [
    lineElement(draft, line, { number: 2 * i + 1, exchange, bare, minimal, before: true }),
    lineElement(draft, after[i]!, { number: 2 * i + 2, exchange, bare, minimal }),
  ])
}

/** Half of the lines, as each is written twice; at least one. */
export const halved = (lines: readonly Line[]) => lines.slice(0, Math.ceil(lines.length / 2))
