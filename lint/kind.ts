import type { ReadElement } from '../generators/schema/read-document.ts'
import type { Warn } from './invoice-facts.ts'
import { all, amount, at, first, tag, textOf } from './invoice-facts.ts'

/** What each kind of invoice is about. All of it warns. */

/** Nothing is corrected before it is issued. */
function correctedDates(fa: ReadElement, warn: Warn): void {
  const issued = textOf(fa, 'P_1')?.trim()
  for (const [i, corrected] of all(fa, 'DaneFaKorygowanej').entries()) {
    const node = first(corrected, 'DataWystFaKorygowanej')
    if (!node || issued === undefined || node.text.trim() <= issued) continue
    warn(
      node,
      `${tag('Faktura/Fa/DaneFaKorygowanej', i)}/DataWystFaKorygowanej`,
      'corrected-later',
      `issued ${issued}, it corrects an invoice of ${node.text.trim()}`,
      'Check both dates.',
    )
  }
}

/** Up to what total an invoice may be a simplified one, in hundredths of the currency. */
const simplifiedUpTo: Readonly<Record<string, bigint>> = { PLN: 45_000n, EUR: 10_000n }

function simplifiedLimit(fa: ReadElement, warn: Warn): void {
  const node = first(fa, 'P_15')
  const total = amount(node)
  const currency = textOf(fa, 'KodWaluty')?.trim() ?? ''
  const limit = simplifiedUpTo[currency]
  if (!node || total === undefined || limit === undefined || total <= limit) return
  warn(
    node,
    'Faktura/Fa/P_15',
    'simplified-limit',
    `P_15 of a simplified invoice is ${node.text} ${currency}, at most ${limit / 100n} are possible`,
    'Issue a whole invoice.',
  )
}

/** An intra-EU supply is one only to a buyer with a number of another member state. */
function buyerOfSupply(root: ReadElement, fa: ReadElement, warn: Warn): void {
  const number = at(root, 'Podmiot2', 'DaneIdentyfikacyjne', 'NrVatUE')
  if (number) return
  const lines = all(fa, 'FaWiersz')
  const found = lines.findIndex((line) => textOf(line, 'P_12')?.trim() === '0 WDT')
  if (found < 0) return
  warn(
    lines[found]!,
    `${tag('Faktura/Fa/FaWiersz', found)}/P_12`,
    'supply-buyer',
    'an intra-EU supply to a buyer without a number of another member state',
    'Give KodUE and NrVatUE of the buyer, or the rate that applies.',
  )
}

/** Rates that ended with the year 2010; only corrections of older invoices have them. */
const formerRates: ReadonlySet<string | undefined> = new Set(['22', '7', '3'])

function formerRate(fa: ReadElement, warn: Warn): void {
  const lines = all(fa, 'FaWiersz')
  const found = lines.findIndex((line) => formerRates.has(textOf(line, 'P_12')?.trim()))
  if (found < 0 || (textOf(fa, 'P_1')?.trim() ?? '') < '2011') return
  warn(
    lines[found]!,
    `${tag('Faktura/Fa/FaWiersz', found)}/P_12`,
    'former-rate',
    `the rate ${textOf(lines[found]!, 'P_12')} ended with 2010, and this is no correction`,
    'Write the rate that is in force.',
  )
}

/** A correction without lines, totals and data of the parties leaves everything as it was. */
function nothingCorrected(fa: ReadElement, node: ReadElement, warn: Warn): void {
  const corrects = ['FaWiersz', 'Zamowienie', 'Podmiot1K', 'Podmiot2K', 'Rozliczenie']
  if (corrects.some((name) => first(fa, name)) || amount(first(fa, 'P_15')) !== 0n) return
  warn(
    node,
    'Faktura/Fa/RodzajFaktury',
    'correction-of-nothing',
    'the correction changes no line, no total and no party',
    'Give what changes.',
  )
}

/** An advance that is settled is settled once. */
function settledAdvances(fa: ReadElement, warn: Warn): void {
  const seen = new Set<string>()
  for (const [i, advance] of all(fa, 'FakturaZaliczkowa').entries()) {
    const number = textOf(advance, 'NrKSeFFaZaliczkowej') ?? textOf(advance, 'NrFaZaliczkowej')
    const name = number?.trim()
    if (name === undefined) continue
    if (seen.has(name))
      warn(
        advance,
        tag('Faktura/Fa/FakturaZaliczkowa', i),
        'advance-twice',
        `the advance ${name} is settled twice`,
        'Name each advance once.',
      )
    seen.add(name)
  }
}

/** What a kind of invoice needs, and what belongs to other kinds. */
export function kind(root: ReadElement, fa: ReadElement, warn: Warn): void {
  const node = first(fa, 'RodzajFaktury')
  const name = node?.text.trim()
  if (!node || name === undefined) return
  const path = 'Faktura/Fa/RodzajFaktury'
  const correction = name.startsWith('KOR')
  if (correction && !first(fa, 'DaneFaKorygowanej')) {
    warn(
      node,
      path,
      'correction-reference',
      `${name} names no invoice that it corrects`,
      'Add DaneFaKorygowanej.',
    )
  }
  for (const only of ['Podmiot1K', 'Podmiot2K']) {
    const found = first(fa, only)
    if (found && !correction) {
      warn(
        found,
        `Faktura/Fa/${only}`,
        'correction-only',
        `${only} belongs to corrections, this is ${name}`,
        'Leave it out.',
      )
    }
  }
  const before = all(fa, 'FaWiersz').findIndex((line) => first(line, 'StanPrzed'))
  if (before >= 0 && !correction) {
    warn(
      all(fa, 'FaWiersz')[before]!,
      tag('Faktura/Fa/FaWiersz', before),
      'correction-only',
      `StanPrzed belongs to corrections, this is ${name}`,
      'Leave it out.',
    )
  }
  if (name === 'ZAL' && !first(fa, 'Zamowienie')) {
    warn(
      node,
      path,
      'advance-order',
      'an advance without the order that it is for',
      'Add Zamowienie.',
    )
  }
  if (name === 'ROZ' && !first(fa, 'FakturaZaliczkowa')) {
    warn(
      node,
      path,
      'settlement-advance',
      'a settlement that names no advance invoice',
      'Add FakturaZaliczkowa.',
    )
  }
  if ((name === 'ROZ' || name === 'VAT') && all(fa, 'FaWiersz').length === 0) {
    warn(node, path, 'no-lines', `${name} without a line`, 'Add FaWiersz.')
  }
  if (correction) nothingCorrected(fa, node, warn)
  else formerRate(fa, warn)
  settledAdvances(fa, warn)
  correctedDates(fa, warn)
  if (name === 'UPR') simplifiedLimit(fa, warn)
  buyerOfSupply(root, fa, warn)
}
