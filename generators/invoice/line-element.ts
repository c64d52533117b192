import { formatCents, formatDecimal } from '../../lib/decimal.ts'
import type { Element } from '../schema/document.ts'
import { addDays, workday } from './dates.ts'
import type { Draft } from './draft.ts'
import type { Line } from './lines.ts'
import { lineAmounts } from './lines.ts'
import type { ExchangeRate } from './rates.ts'
import { rateCode, rates } from './rates.ts'

/** Lines as elements: of the invoice, and of the order behind an advance. */

export interface LineExtras {
  readonly number: number
  readonly exchange: ExchangeRate
  /** The line shows the state before a correction. */
  readonly before?: boolean
  /** The amounts turn negative: a difference line of a correction. */
  readonly negative?: boolean
  /** No codes and identifiers. */
  readonly bare?: boolean
  /** Each line was supplied on a day of its own. */
  readonly dated?: boolean
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
  const { id, index, gtin, pkwiu, cn, pkob, gtu, exciseShare } = (rich && line.codes) || {}
  if (id !== undefined) parts.push(el('UU_ID', `L${id}`))
  if (rich && extras.dated)
    parts.push(el('P_6A', workday(addDays(draft.issueDate, -draw.int(0, 20)))))
  parts.push(el('P_7', line.name))
  const tell = (name: string, text: string | undefined) => {
    if (text !== undefined) parts.push(el(name, text))
  }
  tell('Indeks', index)
  tell('GTIN', gtin)
  tell('PKWiU', pkwiu)
  tell('CN', cn)
  tell('PKOB', pkob)
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
    if (line.gross && tax !== 0n && line.tellsTax) {
      parts.push(el('P_11Vat', formatCents(sign * tax)))
    }
  }
  const code = rateCode(line.rate, schema)
  if (code !== undefined) parts.push(el('P_12', code))
  if (line.rate === 'oss') parts.push(el('P_12_XII', String(rates.oss.percent)))
  if (line.annex15) parts.push(el('P_12_Zal_15', '1'))
  if (exciseShare !== undefined && !extras.unpriced) {
    const part = lineAmounts(line).net / exciseShare
    tell('KwotaAkcyzy', formatCents(extras.negative ? -part : part))
  }
  tell('GTU', gtu)
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
  const { el, schema } = draft
  const { net, tax } = lineAmounts(line)
  const parts = [el('NrWierszaZam', String(number))]
  const { id, index, gtin, pkwiu, cn, pkob, gtu } = (!bare && line.codes) || {}
  if (id !== undefined) parts.push(el('UU_IDZ', `Z${id}`))
  parts.push(el('P_7Z', line.name))
  const tell = (name: string, text: string | undefined) => {
    if (text !== undefined) parts.push(el(name, text))
  }
  tell('IndeksZ', index)
  tell('GTINZ', gtin)
  tell('PKWiUZ', pkwiu)
  tell('CNZ', cn)
  tell('PKOBZ', pkob)
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
  tell('GTUZ', gtu)
  if (before) parts.push(el('StanPrzedZ', '1'))
  return el('ZamowienieWiersz', parts)
}
