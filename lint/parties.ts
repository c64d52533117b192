import { isInternalId } from '../lib/identifiers/internal-id.ts'
import { isNip } from '../lib/identifiers/nip.ts'
import { isAccount, isSortCode } from '../lib/identifiers/account.ts'
import type { ReadElement } from '../generators/schema/read-document.ts'
import type { Warn } from './invoice-facts.ts'
import { all, at, first, tag, textOf } from './invoice-facts.ts'

/** Identifiers of parties and accounts, markers of the buyer, tables of the attachment. All of it warns. */

export function parties(root: ReadElement, warn: Warn): void {
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
    // What has not ten digits, of whatever script, the schema refuses.
    if (/^\p{Nd}{10}$/u.test(node.text) && !isNip(node.text)) {
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
  const eu = buyer && at(buyer, 'DaneIdentyfikacyjne', 'KodUE')
  if (eu?.text === 'PL') {
    warn(
      eu,
      'Faktura/Podmiot2/DaneIdentyfikacyjne/KodUE',
      'buyer-identifier',
      'the number of a Polish buyer is in the field for those of other member states',
      'Give it as NIP, else the buyer will not find the invoice.',
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

export function payment(fa: ReadElement, warn: Warn): void {
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
    const digits = number?.text.replace(/^PL| /g, '') ?? ''
    // Numbers of other countries that are digits alone are shorter.
    const polish = /^\d{24,28}$/.test(digits) || number?.text.startsWith('PL')
    if (number && polish && digits.length !== 26) {
      warn(
        number,
        `${tag('Faktura/Fa/Platnosc/RachunekBankowy', i)}/NrRB`,
        'account-length',
        `a Polish account number has 26 digits; this one has ${digits.length}`,
        'Check the account number.',
      )
    } else if (number && polish && isAccount(digits) && !isSortCode(digits.slice(2, 10))) {
      warn(
        number,
        `${tag('Faktura/Fa/Platnosc/RachunekBankowy', i)}/NrRB`,
        'account-sort-code',
        `${digits.slice(2, 10)} is not the sort code of a Polish bank: its check digit is wrong`,
        'Check the account number.',
      )
    } else if (number && polish && !isAccount(digits)) {
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

export function tables(root: ReadElement, warn: Warn): void {
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
