import { isAccount } from '../arbitraries/identifiers.ts'
import { isInternalId } from '../../lib/internal-id.ts'
import { isNip } from '../../lib/nip.ts'
import type { ReadElement } from '../xsd/reader.ts'
import type { Warn } from './invoice-facts.ts'
import { all, at, first, textOf } from './invoice-facts.ts'

/** What parts of an invoice say about each other. All of it warns. */

const tag = (path: string, i: number) => `${path}${i > 0 ? `[${i + 1}]` : ''}`

function lineNumbers(fa: ReadElement, warn: Warn): void {
  const seen = new Set<string>()
  for (const [i, line] of all(fa, 'FaWiersz').entries()) {
    const node = first(line, 'NrWierszaFa')
    const number = node?.text.trim().replace(/^0+/, '')
    if (!node || number === undefined) continue
    if (seen.has(number)) {
      warn(
        node,
        `${tag('Faktura/Fa/FaWiersz', i)}/NrWierszaFa`,
        'line-number-twice',
        `line number ${number} stands twice`,
        'Number the lines one by one.',
      )
    }
    seen.add(number)
  }
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

function parties(root: ReadElement, warn: Warn): void {
  const nips: [ReadElement, string][] = []
  for (const name of ['Podmiot1', 'Podmiot2', 'Podmiot3', 'PodmiotUpowazniony']) {
    for (const [i, party] of all(root, name).entries()) {
      const path = `${tag(`Faktura/${name}`, i)}/DaneIdentyfikacyjne`
      const nip = at(party, 'DaneIdentyfikacyjne', 'NIP')
      if (nip) nips.push([nip, `${path}/NIP`])
      const unit = at(party, 'DaneIdentyfikacyjne', 'IDWew')
      if (unit && !isInternalId(unit.text.trim())) {
        warn(
          unit,
          `${path}/IDWew`,
          'internal-id-check-digit',
          `${unit.text}: the check digit does not agree`,
          'Production refuses a wrong NIP inside; check the identifier.',
        )
      }
    }
  }
  for (const [node, path] of nips) {
    if (!isNip(node.text)) {
      warn(
        node,
        path,
        'nip-check-digit',
        `${node.text}: the check digit does not agree`,
        'Production refuses it; test environments do not.',
      )
    }
  }
  const buyer = first(root, 'Podmiot2')
  const seller = at(root, 'Podmiot1', 'DaneIdentyfikacyjne', 'NIP')?.text
  const buyerNip = buyer && at(buyer, 'DaneIdentyfikacyjne', 'NIP')
  if (buyerNip && buyerNip.text === seller) {
    warn(
      buyerNip,
      'Faktura/Podmiot2/DaneIdentyfikacyjne/NIP',
      'self-sale',
      'the buyer is the seller',
      'Check the parties.',
    )
  }
  const roles = new Set(all(root, 'Podmiot3').map((party) => textOf(party, 'Rola')?.trim()))
  for (const [name, role] of [
    ['JST', '8'],
    ['GV', '10'],
  ] as const) {
    const marker = buyer && first(buyer, name)
    if (marker?.text.trim() === '1' && !roles.has(role)) {
      warn(
        marker,
        `Faktura/Podmiot2/${name}`,
        'marker-role',
        `${name} is 1, no Podmiot3 has role ${role}`,
        `Add the Podmiot3 with role ${role}.`,
      )
    }
  }
}

function payment(fa: ReadElement, warn: Warn): void {
  const node = first(fa, 'Platnosc')
  if (!node) return
  const id = first(node, 'IPKSeF')
  const link = first(node, 'LinkDoPlatnosci')
  if (id && link && !link.text.includes(`IPKSeF=${id.text.trim()}`)) {
    warn(
      id,
      'Faktura/Fa/Platnosc/IPKSeF',
      'payment-id',
      'the link to the payment carries another id',
      'Make both the same.',
    )
  }
  for (const [i, account] of all(node, 'RachunekBankowy').entries()) {
    const number = first(account, 'NrRB')
    if (number && /^\d{26}$/.test(number.text) && !isAccount(number.text)) {
      warn(
        number,
        `${tag('Faktura/Fa/Platnosc/RachunekBankowy', i)}/NrRB`,
        'account-check-digits',
        `${number.text}: the check digits do not agree`,
        'Check the account number.',
      )
    }
  }
}

const cellShapes: Readonly<Record<string, RegExp>> = {
  int: /^[-+]?\d+$/,
  dec: /^[-+]?\d+(?:[.,]\d+)?$/,
  date: /^\d{4}-\d{2}-\d{2}$/,
  datetime: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/,
  time: /^\d{2}:\d{2}/,
}

function tables(root: ReadElement, warn: Warn): void {
  const attachment = first(root, 'Zalacznik')
  if (!attachment) return
  for (const [b, block] of all(attachment, 'BlokDanych').entries()) {
    for (const [t, table] of all(block, 'Tabela').entries()) {
      const path = `${tag('Faktura/Zalacznik/BlokDanych', b)}/${tag('Tabela', t)}`
      const columns = all(first(table, 'TNaglowek') ?? table, 'Kol').map(
        (column) => column.attributes.find(({ name }) => name === 'Typ')?.value ?? 'txt',
      )
      for (const [name, cell] of [
        ['Wiersz', 'WKom'],
        ['Suma', 'SKom'],
      ] as const) {
        for (const [r, row] of all(table, name).entries()) {
          const cells = all(row, cell)
          // A single cell is a heading within the table.
          if (cells.length > 1 && cells.length !== columns.length) {
            warn(
              row,
              `${path}/${tag(name, r)}`,
              'table-width',
              `${cells.length} cells under ${columns.length} columns`,
              'Give every row as many cells as there are columns.',
            )
          }
          for (const [c, each] of cells.entries()) {
            const shape = cellShapes[columns[c] ?? 'txt']
            if (name === 'Wiersz' && shape && each.text !== '' && !shape.test(each.text.trim())) {
              warn(
                each,
                `${path}/${tag(name, r)}/${tag(cell, c)}`,
                'table-type',
                `"${each.text}" is no ${columns[c]}`,
                'Write the value as the column type says.',
              )
            }
          }
        }
      }
    }
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
