import type { ReadElement } from '../xsd/reader.ts'
import type { Warn } from './invoice-facts.ts'
import { all, at, first, tag, textOf } from './invoice-facts.ts'
import { parties, payment, tables } from './parties.ts'

/** What parts of an invoice say about each other. All of it warns. */

function lineNumbers(fa: ReadElement, warn: Warn): void {
  const seen = new Set<string>()
  const before = new Set<string>()
  for (const [i, line] of all(fa, 'FaWiersz').entries()) {
    const node = first(line, 'NrWierszaFa')
    const number = node?.text.trim().replace(/^0+/, '')
    if (!node || number === undefined) continue
    // Before and after a correction, one line has one number.
    const state = first(line, 'StanPrzed') ? before : seen
    if (state.has(number)) {
      warn(
        node,
        `${tag('Faktura/Fa/FaWiersz', i)}/NrWierszaFa`,
        'line-number-twice',
        `line number ${number} stands twice`,
        'Number the lines one by one.',
      )
    }
    state.add(number)
  }
  for (const number of before) seen.add(number)
  for (const [i, extra] of all(fa, 'DodatkowyOpis').entries()) {
    const node = first(extra, 'NrWiersza')
    if (node && seen.size > 0 && !seen.has(node.text.trim().replace(/^0+/, ''))) {
      warn(
        node,
        `${tag('Faktura/Fa/DodatkowyOpis', i)}/NrWiersza`,
        'line-reference',
        `there is no line ${node.text}`,
        'Refer to an existing line, or to none.',
      )
    }
  }
}

function dates(root: ReadElement, fa: ReadElement, warn: Warn): void {
  const from = at(fa, 'OkresFa', 'P_6_Od')
  const to = at(fa, 'OkresFa', 'P_6_Do')
  if (from && to && from.text.trim() > to.text.trim()) {
    warn(
      from,
      'Faktura/Fa/OkresFa',
      'period-reversed',
      `the period begins ${from.text} and ends ${to.text}`,
      'Swap the two dates.',
    )
  }
  for (const [i, leg] of all(first(fa, 'WarunkiTransakcji') ?? fa, 'Transport').entries()) {
    const start = first(leg, 'DataGodzRozpTransportu')
    const end = first(leg, 'DataGodzZakTransportu')
    if (start && end && Date.parse(start.text) > Date.parse(end.text)) {
      warn(
        start,
        tag('Faktura/Fa/WarunkiTransakcji/Transport', i),
        'transport-reversed',
        'the transport ends before it begins',
        'Swap the two instants.',
      )
    }
  }
  const created = at(root, 'Naglowek', 'DataWytworzeniaFa')
  const issued = first(fa, 'P_1')
  // A document may be made days before its date of issue, not years.
  if (
    created &&
    issued &&
    Date.parse(issued.text.trim()) - Date.parse(created.text.trim()) > 366 * 86_400_000
  ) {
    warn(
      created,
      'Faktura/Naglowek/DataWytworzeniaFa',
      'created-long-before',
      `made ${created.text}, issued ${issued.text}`,
      'DataWytworzeniaFa is the instant at which the file is made.',
    )
  }
}

function annotations(fa: ReadElement, warn: Warn): void {
  const node = first(fa, 'Adnotacje')
  if (!node) return
  const rates = new Set(all(fa, 'FaWiersz').map((line) => textOf(line, 'P_12')?.trim()))
  const path = 'Faktura/Fa/Adnotacje'
  const flag = (name: string) => first(node, name)
  if (rates.has('oo') && flag('P_18')?.text.trim() === '2') {
    warn(
      flag('P_18')!,
      `${path}/P_18`,
      'reverse-charge-flag',
      'a line is under reverse charge, P_18 says no',
      'Set P_18 to 1.',
    )
  }
  const exempt = rates.has('zw') || first(fa, 'P_13_7') !== undefined
  if (exempt && at(node, 'Zwolnienie', 'P_19N')) {
    warn(
      at(node, 'Zwolnienie', 'P_19N')!,
      `${path}/Zwolnienie`,
      'exemption-flag',
      'something is exempt, P_19N says no',
      'Give P_19 and its legal basis.',
    )
  }
  const margin = at(node, 'PMarzy', 'P_PMarzy')
  const total = textOf(fa, 'P_15')?.trim() ?? '0'
  const totals = fa.children.some(({ name }) => name.startsWith('P_13_'))
  if (margin && totals && !/^-?0(?:\.0+)?$/.test(total) && !first(fa, 'P_13_11')) {
    warn(
      margin,
      `${path}/PMarzy`,
      'margin-total',
      'the margin scheme is flagged, P_13_11 is not there',
      'Give the total under the margin scheme.',
    )
  }
  if (first(fa, 'P_13_11') && !margin) {
    warn(
      first(fa, 'P_13_11')!,
      'Faktura/Fa/P_13_11',
      'margin-flag',
      'there is a total under the margin scheme, P_PMarzyN says no',
      'Give P_PMarzy and its kind.',
    )
  }
  const vehicle = at(node, 'NoweSrodkiTransportu', 'P_42_5')
  if (vehicle && all(fa, 'FaWiersz').length === 0) {
    warn(
      vehicle,
      `${path}/NoweSrodkiTransportu`,
      'vehicle-line',
      'a new means of transport is sold on no line',
      'Refer to the line that sells it.',
    )
  }
}

function kind(fa: ReadElement, warn: Warn): void {
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
  if ((name === 'ROZ' || name === 'VAT') && all(fa, 'FaWiersz').length === 0) {
    warn(node, path, 'no-lines', `${name} without a line`, 'Add FaWiersz.')
  }
  const currency = first(fa, 'KodWaluty')?.text.trim()
  const converted = ['1', '2', '3', '4'].map((n) => first(fa, `P_14_${n}W`)).find(Boolean)
  if (currency === 'PLN' && converted) {
    warn(
      converted,
      `Faktura/Fa/${converted.name}`,
      'converted-tax',
      'the invoice is in PLN, no tax needs to be converted',
      'Leave it out.',
    )
  }
}

/** Every check of references between the parts. */
export function references(root: ReadElement, fa: ReadElement, warn: Warn): void {
  lineNumbers(fa, warn)
  dates(root, fa, warn)
  annotations(fa, warn)
  kind(fa, warn)
  parties(root, warn)
  payment(fa, warn)
  tables(root, warn)
}
