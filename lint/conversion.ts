import { formatCents, parseDecimal, rescale } from '../lib/decimal.ts'
import type { ReadElement } from '../generators/schema/read-document.ts'
import type { Warn } from './invoice-facts.ts'
import { all, amount, first, textOf } from './invoice-facts.ts'

/** Tax in PLN on invoices in another currency. All of it warns. */

const places = 8
const abs = (value: bigint) => (value < 0n ? -value : value)

/** Rates of exchange at which tax may have been converted; none where something has no rate. */
function exchangeRates(fa: ReadElement): readonly bigint[] {
  const lines = all(fa, 'FaWiersz')
  const payments = all(fa, 'ZaliczkaCzesciowa')
  const nodes = [
    first(fa, 'KursWalutyZ'),
    ...(lines.length > 0 ? lines.map((line) => first(line, 'KursWaluty')) : []),
    ...payments.map((payment) => first(payment, 'KursWalutyZW')),
  ]
  const rates = nodes.filter((node) => node !== undefined)
  // Lines without a rate leave open what theirs is.
  if (lines.some((line) => !first(line, 'KursWaluty')) && !first(fa, 'KursWalutyZ')) return []
  return rates
    .map((node) => parseDecimal(node.text, places))
    .filter((rate) => rate !== undefined && rate > 0n) as bigint[]
}

/** P_14_nW: there where the invoice is in another currency, and P_14_n at one of its rates of exchange. */
export function conversion(fa: ReadElement, warn: Warn): void {
  const currency = textOf(fa, 'KodWaluty')?.trim()
  const rates = exchangeRates(fa)
  const lines = BigInt(all(fa, 'FaWiersz').length + 1)
  for (const group of ['1', '2', '3', '4']) {
    const node = first(fa, `P_14_${group}`)
    const tax = amount(node)
    const converted = first(fa, `P_14_${group}W`)
    const path = `Faktura/Fa/P_14_${group}W`
    if (currency === 'PLN') {
      if (!converted) continue
      warn(
        converted,
        path,
        'converted-tax',
        'the invoice is in PLN, no tax needs to be converted',
        'Leave it out.',
      )
      continue
    }
    if (!node || tax === undefined || tax === 0n) continue
    if (!converted) {
      warn(
        node,
        `Faktura/Fa/P_14_${group}`,
        'converted-tax',
        `the invoice is in ${currency}, its tax is not given in PLN`,
        `Add P_14_${group}W.`,
      )
      continue
    }
    const stated = amount(converted)
    if (stated === undefined || rates.length === 0) continue
    const [low, high] = [
      rates.reduce((a, b) => (a < b ? a : b)),
      rates.reduce((a, b) => (a > b ? a : b)),
    ]
    const [min, max] = [low, high].map((rate) => rescale(abs(tax) * rate, places + 2, 2)) as [
      bigint,
      bigint,
    ]
    // A grosz of the currency of each line, at its rate, and one of PLN.
    const tolerance = rescale(lines * high, places, 0) + lines
    // Before and after a correction there may be two rates, and then their difference says nothing.
    if (low !== high && tax < 0n) continue
    if (abs(stated) >= min - tolerance && abs(stated) <= max + tolerance) continue
    warn(
      converted,
      path,
      'converted-tax',
      `P_14_${group}W is ${converted.text}, P_14_${group} at the rates of exchange comes to ${formatCents(min)}${low === high ? '' : ` to ${formatCents(max)}`}`,
      'Convert the tax at the rate of exchange of the lines.',
    )
  }
}
