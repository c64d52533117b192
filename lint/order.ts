import { formatCents, parseDecimal, rescale } from '../lib/decimal.ts'
import type { ReadElement } from '../generators/schema/read-document.ts'
import type { Warn } from './invoice-facts.ts'
import { all, amount, first, tag, textOf } from './invoice-facts.ts'

/** What an order behind an advance should come to. All of it warns; a grosz a row is allowed. */

const places = 8
const abs = (value: bigint) => (value < 0n ? -value : value)

/** P_11NettoZ against quantity and price: rows of an order have no place for a discount. */
function rowValue(row: ReadElement, path: string, warn: Warn): void {
  const [quantity, price] = ['P_8BZ', 'P_9AZ'].map((name) =>
    parseDecimal(textOf(row, name) ?? '', places),
  )
  const node = first(row, 'P_11NettoZ')
  const value = amount(node)
  if (quantity === undefined || price === undefined || !node || value === undefined) return
  const expected = rescale(quantity * price, 2 * places, 2)
  if (abs(expected - value) <= 1n) return
  warn(
    node,
    `${path}/P_11NettoZ`,
    'order-row-value',
    `P_11NettoZ is ${node.text}, P_8BZ × P_9AZ gives ${formatCents(expected)}`,
    'Check quantity and price of the row.',
  )
}

/** Zamowienie: each row, and the value of the order where every row says what it is worth. */
export function order(fa: ReadElement, kind: string, warn: Warn): void {
  const node = first(fa, 'Zamowienie')
  if (!node) return
  const path = 'Faktura/Fa/Zamowienie'
  const rows = all(node, 'ZamowienieWiersz')
  for (const [i, row] of rows.entries()) rowValue(row, tag(`${path}/ZamowienieWiersz`, i), warn)
  const values = rows.map((row) => [
    amount(first(row, 'P_11NettoZ')),
    amount(first(row, 'P_11VatZ')) ?? 0n,
  ])
  const stated = first(node, 'WartoscZamowienia')
  const total = amount(stated)
  // Rows of a correction may be differences or pairs; only those of an advance are plainly the order.
  if (kind !== 'ZAL' || !stated || total === undefined) return
  if (values.some(([net]) => net === undefined)) return
  const sum = values.reduce((before, [net = 0n, tax = 0n]) => before + net + tax, 0n)
  if (abs(sum - total) <= BigInt(rows.length)) return
  warn(
    stated,
    `${path}/WartoscZamowienia`,
    'order-value',
    `WartoscZamowienia is ${stated.text}, the rows come to ${formatCents(sum)}`,
    'The value of the order is that of its rows, tax included.',
  )
}
