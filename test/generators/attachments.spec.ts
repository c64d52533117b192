import { expect, test } from '@playwright/test'
import { corpus } from '../../generators/corpus/corpus.ts'
import { invoiceKinds } from '../../generators/invoice/options.ts'
import { runOptions } from '../../suites/support/checks/run-options.ts'
import type { Invoice } from './read-invoice.ts'
import { all, everywhere, readInvoice, text } from './read-invoice.ts'

/** Attachments as their reader sees them, beside the invoice that they belong to. */

const { seed } = runOptions

let invoices: readonly Invoice[] = []
test.beforeAll(() => {
  console.log(`seed ${seed}`)
  invoices = invoiceKinds
    .flatMap((kind) => [
      ...corpus({ schema: 'fa3', kind, attachment: true, count: kind === 'VAT' ? 300 : 80, seed }),
    ])
    .map(({ bytes, line }) => readInvoice(bytes, line.file))
})

/** The cells of a column, by its heading. */
const column = ({ root }: Invoice, heading: string): string[] =>
  everywhere(root, 'Tabela').flatMap((table) => {
    const at = everywhere(table, 'NKom').findIndex((each) => each.text === heading)
    return at === -1 ? [] : all(table, 'Wiersz').map((row) => all(row, 'WKom')[at]?.text ?? '')
  })
const headed = (heading: string) => {
  const found = invoices.filter((invoice) => column(invoice, heading).length > 0)
  expect(found.length, `a column "${heading}" is drawn`).toBeGreaterThan(0)
  return found
}
const soldIn = ({ lines }: Invoice) =>
  new Set(lines.map((line) => text(line, 'P_7') ?? text(line, 'P_7Z')))
const issued = ({ fa }: Invoice) => text(fa, 'P_1') ?? ''

test('an attachment repeats the numbers that its invoice states', () => {
  const both = invoices.flatMap(({ file, root, fa }) =>
    all(fa, 'DodatkowyOpis').flatMap((said) =>
      everywhere(root, 'MetaDane')
        .filter((each) => text(each, 'ZKlucz') === text(said, 'Klucz'))
        .map((each) => ({ file, said: text(said, 'Wartosc'), repeated: text(each, 'ZWartosc') })),
    ),
  )
  expect(both.length).toBeGreaterThan(10)
  expect(both.filter(({ said, repeated }) => said !== repeated)).toEqual([])
})

test('a correction lists the corrected invoices, and that of an advance the order', () => {
  const corrections = invoices.filter(({ kind }) => kind.startsWith('KOR'))
  for (const invoice of corrections) {
    const corrected = everywhere(invoice.fa, 'NrFaKorygowanej').map((each) => each.text)
    expect(column(invoice, 'Faktura'), invoice.file).toEqual(corrected)
  }
  expect(
    corrections.some((invoice) => column(invoice, 'Faktura').length > 1),
    'a correction of several invoices is drawn',
  ).toBe(true)
  for (const invoice of headed('Planowany termin')) {
    expect(new Set(column(invoice, 'Pozycja')), invoice.file).toEqual(soldIn(invoice))
    expect(invoice.kind).toBe('ZAL')
    const [day = '', ...others] = new Set(column(invoice, 'Planowany termin'))
    expect(others, `${invoice.file}: one day for all`).toEqual([])
    expect(day > issued(invoice), invoice.file).toBe(true)
  }
})

test('rows name the sold items, once each where they are delivered or metered', () => {
  for (const heading of ['Przedmiot', 'Czynność', 'Pozycja']) {
    for (const invoice of headed(heading)) {
      const named = column(invoice, heading)
      const sold = soldIn(invoice)
      expect(
        named.filter((each) => !sold.has(each)),
        invoice.file,
      ).toEqual([])
      if (heading !== 'Czynność') expect(new Set(named).size, invoice.file).toBe(named.length)
    }
  }
  for (const invoice of headed('Stan licznika')) {
    const monthly = invoice.lines.filter((line) => text(line, 'P_8A') === 'mies.')
    const named = column(invoice, 'Pozycja')
    expect(
      monthly.filter((line) => named.includes(text(line, 'P_7') ?? '')),
      invoice.file,
    ).toEqual([])
  }
})

test('work of a row was done on its day, and the day of issue has no time of day', () => {
  for (const invoice of headed('Czynność')) {
    if (everywhere(invoice.fa, 'P_6_Od').length > 0) continue
    const days = new Map(
      invoice.lines.map((line) => [
        text(line, 'P_7'),
        text(line, 'P_6A') ?? text(invoice.fa, 'P_6') ?? issued(invoice),
      ]),
    )
    const rows = column(invoice, 'Czynność').map((name) => days.get(name))
    expect(column(invoice, 'Data'), invoice.file).toEqual(rows)
  }
  for (const invoice of invoices) {
    const moments = everywhere(invoice.root, 'WKom').filter((each) =>
      each.text.startsWith(`${issued(invoice)}T`),
    )
    expect(moments.length, invoice.file).toBe(0)
  }
})

test('there are no more packages than pieces, and none for counter sales', () => {
  for (const invoice of headed('Opakowanie')) {
    expect(
      invoice.lines.filter((line) => /używan/.test(text(line, 'P_7') ?? '')),
      invoice.file,
    ).toEqual([])
    const pieces = invoice.lines.reduce((sum, line) => sum + Number(text(line, 'P_8B')), 0)
    expect(column(invoice, 'Opakowanie').length, invoice.file).toBeLessThanOrEqual(
      Math.ceil(pieces),
    )
  }
})
