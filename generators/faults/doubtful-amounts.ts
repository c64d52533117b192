import { formatCents, parseDecimal } from '../../lib/decimal.ts'
import type { Element } from '../schema/document.ts'
import { children } from '../schema/document.ts'
import type { DoubtfulRow } from './doubtful-row.ts'
import { fa, line, removed } from './doubtful-row.ts'
import { elementAt, NoSuchPlaceError, textOf, withText } from './edit.ts'

/** Amounts that do not agree with each other. */

/** More by so many hundredths. */
const more =
  (cents: bigint) =>
  (old: string): string =>
    formatCents((parseDecimal(old, 2) ?? 0n) + cents)

/** The total of a rate and the grand total, by more than rounding explains and too little to change the tax. */
function rateTotal(document: Element, path: string): Element {
  const lines = children(elementAt(document, fa)).filter(({ name }) => name === 'FaWiersz')
  if (lines.length === 0) throw new NoSuchPlaceError('no lines')
  // The net of a gross price is rounded, which would hide as much.
  if (lines.some((each) => children(each).some(({ name }) => name === 'P_11A')))
    throw new NoSuchPlaceError('lines with gross prices')
  const by = more(BigInt(lines.length + 1))
  const higher = withText(document, path, by(textOf(document, path)))
  return withText(higher, `${fa}/P_15`, by(textOf(document, `${fa}/P_15`)))
}

export const doubtfulAmounts: readonly DoubtfulRow[] = [
  {
    id: 'line-value',
    summary: 'the price of a line does not give its value',
    warns: 'line-value',
    kind: 'VAT',
    path: `${line}/P_9A`,
    text: more(10_000n),
  },
  {
    id: 'rate-total',
    summary: 'the total of a rate is not the sum of its lines',
    warns: 'rate-total',
    kind: 'VAT',
    path: `${fa}/P_13_1`,
    change: rateTotal,
  },
  {
    id: 'tax-total',
    summary: 'the tax is not that of its rate',
    warns: 'tax-total',
    kind: 'VAT',
    path: `${fa}/P_14_1`,
    change: (document, path) =>
      withText(
        withText(document, path, more(500n)(textOf(document, path))),
        `${fa}/P_15`,
        more(500n)(textOf(document, `${fa}/P_15`)),
      ),
  },
  {
    id: 'grand-total',
    summary: 'the total due is not the sum of the totals',
    warns: 'grand-total',
    kind: 'VAT',
    path: `${fa}/P_15`,
    text: more(100n),
  },
  {
    id: 'converted-tax',
    summary: 'the tax of an invoice in a foreign currency is not given in PLN',
    warns: 'converted-tax',
    path: `${fa}/P_14_1W`,
    change: removed,
  },
  {
    id: 'order-value',
    summary: 'the value of an order is not that of its rows',
    warns: 'order-value',
    kind: 'ZAL',
    path: `${fa}/Zamowienie/WartoscZamowienia`,
    text: more(10_000n),
  },
  {
    id: 'order-row-value',
    summary: 'the price of a row of an order does not give its value',
    warns: 'order-row-value',
    kind: 'ZAL',
    path: `${fa}/Zamowienie/ZamowienieWiersz/P_9AZ`,
    text: more(10_000n),
  },
  {
    id: 'advance-payments',
    summary: 'the payments of an advance do not make up its total',
    warns: 'advance-payments',
    kind: 'ZAL',
    path: `${fa}/ZaliczkaCzesciowa/P_15Z`,
    text: more(100n),
  },
  {
    id: 'settlement-sum',
    summary: 'the charges do not add up',
    warns: 'settlement-sum',
    kind: 'VAT',
    path: `${fa}/Rozliczenie/SumaObciazen`,
    text: more(100n),
  },
  {
    id: 'settlement-due',
    summary: 'what remains to be paid is not the total with charges and deductions',
    warns: 'settlement-due',
    kind: 'VAT',
    path: `${fa}/Rozliczenie/DoZaplaty`,
    text: more(100n),
  },
  {
    id: 'part-payments',
    summary: 'a part of the total is marked as all of it',
    warns: 'part-payments',
    path: `${fa}/Platnosc/ZnacznikZaplatyCzesciowej`,
    schemas: ['fa3'],
    text: (old) => (old === '1' ? '2' : undefined),
  },
]
