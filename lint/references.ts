import type { ReadElement } from '../generators/schema/read-document.ts'
import type { Warn } from './invoice-facts.ts'
import { all, amount, at, first, tag, textOf } from './invoice-facts.ts'
import { kind } from './kind.ts'
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
        `line number ${number} is used twice`,
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

function dates(root: ReadElement, fa: ReadElement, day: string, warn: Warn): void {
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
    // A date in the future is a separate fault.
    issued.text.trim() <= day &&
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

/** P_15 from which goods and services of annex 15 are to be paid in two parts, in grosze. */
const splitPaymentAbove = 1_500_000n

function splitPayment(fa: ReadElement, flag: ReadElement | undefined, warn: Warn): void {
  const listed = all(fa, 'FaWiersz').some((line) => first(line, 'P_12_Zal_15'))
  const total = amount(first(fa, 'P_15')) ?? 0n
  const inPln = textOf(fa, 'KodWaluty')?.trim() === 'PLN'
  if (!listed || !inPln || total <= splitPaymentAbove || flag?.text.trim() !== '2') return
  warn(
    flag,
    'Faktura/Fa/Adnotacje/P_18A',
    'split-payment-flag',
    'a line is of annex 15 and P_15 is above 15 000 PLN, P_18A says no',
    'Set P_18A to 1, unless the buyer is no taxable person.',
  )
}

function annotations(fa: ReadElement, warn: Warn): void {
  const node = first(fa, 'Adnotacje')
  if (!node) return
  const rates = new Set(all(fa, 'FaWiersz').map((line) => textOf(line, 'P_12')?.trim()))
  const path = 'Faktura/Fa/Adnotacje'
  const flag = (name: string) => first(node, name)
  if ((rates.has('oo') || rates.has('np II')) && flag('P_18')?.text.trim() === '2') {
    warn(
      flag('P_18')!,
      `${path}/P_18`,
      'reverse-charge-flag',
      'a line is under reverse charge, P_18 says no',
      'Set P_18 to 1.',
    )
  }
  splitPayment(fa, flag('P_18A'), warn)
  // Software that writes every total writes zeros too.
  const isThere = (name: string) => (amount(first(fa, name)) ?? 0n) !== 0n
  const exempt = rates.has('zw') || isThere('P_13_7')
  if (exempt && at(node, 'Zwolnienie', 'P_19N')) {
    warn(
      at(node, 'Zwolnienie', 'P_19N')!,
      `${path}/Zwolnienie`,
      'exemption-flag',
      'something is exempt, P_19N says no',
      'Give P_19 and its legal basis.',
    )
  }
  const claimed = at(node, 'Zwolnienie', 'P_19')
  const allRated = rates.size > 0 && !rates.has(undefined)
  if (claimed && !exempt && allRated) {
    warn(
      claimed,
      `${path}/Zwolnienie/P_19`,
      'exemption-flag',
      'nothing is exempt, P_19 says that something is',
      'Give P_19N, or the rate zw.',
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
  if (isThere('P_13_11') && !margin) {
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

/** Every check of references between the parts. */
export function references(root: ReadElement, fa: ReadElement, day: string, warn: Warn): void {
  lineNumbers(fa, warn)
  dates(root, fa, day, warn)
  annotations(fa, warn)
  kind(root, fa, warn)
  parties(root, warn)
  payment(fa, warn)
  tables(root, warn)
}
