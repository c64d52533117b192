import { expect, test } from '@playwright/test'
import { corpus } from '../../generators/corpus/corpus.ts'
import type { InvoiceKind } from '../../generators/invoice/invoice.ts'
import { makeInvoice } from '../../generators/invoice/invoice.ts'
import { newVehicles } from '../../generators/invoice/offers.ts'
import type { ReadElement } from '../../generators/schema/read-document.ts'
import { runOptions } from '../../suites/support/checks/run-options.ts'
import { sampleSize } from '../sample.ts'
import type { Invoice } from './read-invoice.ts'
import { all, cents, everywhere, gs1, productOf, readInvoice, regon, text } from './read-invoice.ts'

/** Generated invoices are plausible for a business: an accountant would find no nonsense in them. */

const { seed } = runOptions

let invoices: readonly Invoice[] = []
test.beforeAll(() => {
  console.log(`seed ${seed}`)
  const corpora = [
    { schema: 'fa3', profile: 'general', count: sampleSize(3_000, 3) },
    { schema: 'fa3', profile: 'export-eur', count: sampleSize(400, 3) },
    { schema: 'fa2', profile: 'general', count: sampleSize(600, 3) },
  ] as const
  invoices = corpora
    .flatMap((part) => [...corpus({ ...part, seed })])
    .map(({ bytes, line }) => readInvoice(bytes, line.file))
})

/** The files of the invoices for which a statement does not hold. */
const wrong = (said: (invoice: Invoice) => boolean, of = (_: Invoice) => true) => {
  const asked = invoices.filter(of)
  expect(asked.length, 'such invoices are drawn').toBeGreaterThan(0)
  return asked.filter((invoice) => !said(invoice)).map(({ file }) => file)
}

for (const [name, holds] of [
  ['GTIN', gs1],
  ['GTINZ', gs1],
  ['GLN', gs1],
  ['REGON', regon],
  ['CN', (code: string) => /^\d{4} \d{2} \d{2}$/.test(code)],
  ['P_22B1', (code: string) => /^[A-HJ-NPR-Z0-9]{17}$/.test(code)],
] as const)
  test(`every ${name} is valid`, () => {
    const found = invoices.flatMap(({ root }) => everywhere(root, name).map((each) => each.text))
    expect(found.length).toBeGreaterThan(0)
    expect(found.filter((code) => !holds(code))).toEqual([])
  })

test('a product has one group, one classification and one nomenclature code; all groups are drawn', () => {
  const known = new Map<string, string>()
  const groups = new Set<string>()
  for (const { file, root, lines } of invoices)
    for (const line of lines) {
      const gtu = text(line, 'GTU') ?? text(line, 'GTUZ')
      if (gtu !== undefined) groups.add(gtu)
      for (const code of ['GTU', 'PKWiU', 'CN', 'PKOB', 'Indeks', 'GTIN']) {
        const value = text(line, code) ?? text(line, `${code}Z`)
        if (value === undefined) continue
        const seller = text(all(root, 'Podmiot1')[0], 'DaneIdentyfikacyjne', 'NIP')
        // Homes, which have the lower rate, belong to another class of buildings.
        const key = `${seller} ${productOf(line)} ${code} ${code === 'PKOB' ? (text(line, 'P_12') ?? text(line, 'P_12Z')) : ''}`
        expect(known.get(key) ?? value, `${file}: ${key}`).toBe(value)
        known.set(key, value)
      }
    }
  expect(groups.size).toBe(13)
})

test('simplified invoices have a small total and state the tax', () => {
  expect(
    wrong(
      ({ fa, lines }) =>
        cents(text(fa, 'P_15')) <= 45_000 &&
        (fa.children.some(({ name }) => name.startsWith('P_13')) ||
          new Set(lines.map((line) => text(line, 'P_12'))).size === 1),
      ({ kind }) => kind === 'UPR',
    ),
  ).toEqual([])
  const many = makeInvoice(
    { seller: '5265877635', number: 'U', issueDate: '2026-03-02', kind: 'UPR', lines: 150 },
    seed,
  )
  expect(cents(text(readInvoice(many, 'many').fa, 'P_15'))).toBeLessThanOrEqual(45_000)
})

test('split payment is used where it is mandatory, and never with cash', () => {
  const rate = ({ fa, lines }: Invoice) =>
    Number(text(lines[0], 'KursWaluty') ?? text(fa, 'KursWalutyZ') ?? 1)
  const annex15 = ({ lines }: Invoice) =>
    lines.some((line) => text(line, 'P_12_Zal_15') ?? text(line, 'P_12Z_Zal_15'))
  const large = (invoice: Invoice, name: string) =>
    Math.abs(cents(text(invoice.fa, name)) * rate(invoice)) > 1_500_000.5
  const says = ({ fa }: Invoice) => text(fa, 'Adnotacje', 'P_18A') === '1'
  const corrects = ({ kind }: Invoice) => kind.startsWith('KOR')
  const due = (invoice: Invoice) => annex15(invoice) && large(invoice, 'P_15')
  expect(
    wrong(
      (invoice) => says(invoice) === due(invoice),
      (invoice) => !corrects(invoice),
    ),
  ).toEqual([])
  // A correction states what its invoice stated, however small the difference is.
  const was = (invoice: Invoice) => annex15(invoice) && large(invoice, 'P_15ZK')
  expect(wrong(says, (each) => corrects(each) && (due(each) || was(each)))).toEqual([])
  expect(wrong(({ fa }) => text(fa, 'Platnosc', 'FormaPlatnosci') !== '1', due)).toEqual([])
})

test('a NIP has one name, one address and one account; the seller issues in its own town', () => {
  const known = new Map<string, string>()
  for (const { file, root, fa } of invoices) {
    const facts = ['Podmiot1', 'Podmiot2', 'Podmiot3'].flatMap((party) => all(root, party))
    for (const party of facts) {
      const nip = text(party, 'DaneIdentyfikacyjne', 'NIP')
      const [place] = all(party, 'Adres')
      const name = text(party, 'DaneIdentyfikacyjne', 'Nazwa')
      if (nip === undefined || !place || name === undefined) continue
      const told = [name, ...place.children.map((each) => each.text)].join(', ')
      expect(known.get(nip) ?? told, `${file}: ${nip}`).toBe(told)
      known.set(nip, told)
    }
    const account = text(fa, 'Platnosc', 'RachunekBankowy', 'NrRB')?.replace(/^PL/, '')
    const seller = text(root, 'Podmiot1', 'DaneIdentyfikacyjne', 'NIP') ?? ''
    if (account !== undefined) {
      expect(known.get(`${seller} account`) ?? account, file).toBe(account)
      known.set(`${seller} account`, account)
    }
  }
  expect(known.size).toBeGreaterThan(100)
  expect(
    wrong(
      ({ root, fa }) =>
        text(root, 'Podmiot1', 'Adres', 'AdresL2')?.endsWith(` ${text(fa, 'P_1M')}`) === true,
      ({ fa }) => text(fa, 'P_1M') !== undefined,
    ),
  ).toEqual([])
})

test('a price is that of the product, in the currency of the invoice', () => {
  const ranges = new Map<string, readonly [number, number]>()
  const priced = invoices.flatMap(({ file, fa, lines }) =>
    lines.flatMap((line) => {
      const price = text(line, 'P_9A') ?? text(line, 'P_9B')
      const rate = text(line, 'KursWaluty')
      const corrected = (text(fa, 'RodzajFaktury') ?? '').startsWith('KOR')
      const foreign = text(fa, 'KodWaluty') !== 'PLN'
      if (price === undefined || corrected || (foreign && rate === undefined)) return []
      return [{ file, product: productOf(line), pln: Number(price) * Number(rate ?? 1), foreign }]
    }),
  )
  for (const { product, pln, foreign } of priced) {
    if (foreign) continue
    const [low, high] = ranges.get(product) ?? [pln, pln]
    ranges.set(product, [Math.min(low, pln), Math.max(high, pln)])
  }
  const abroad = priced.filter(({ foreign, product }) => foreign && ranges.has(product))
  expect(abroad.length).toBeGreaterThan(100)
  expect(
    abroad.filter(({ product, pln }) => {
      const [low, high] = ranges.get(product)!
      return pln < low / 20 || pln > high * 20
    }),
  ).toEqual([])
})

test('a rebate over a period names invoices of that period', () => {
  expect(
    wrong(
      ({ fa }) => {
        const [from = '', to = ''] = (text(fa, 'OkresFaKorygowanej') ?? '').split(' do ')
        return all(fa, 'DaneFaKorygowanej').every((each) => {
          const date = text(each, 'DataWystFaKorygowanej') ?? ''
          return from <= date && date <= to
        })
      },
      ({ fa }) => text(fa, 'OkresFaKorygowanej') !== undefined,
    ),
  ).toEqual([])
})

test('exchange rates match the currency', () => {
  const usual: Readonly<Record<string, readonly [number, number]>> = {
    EUR: [4, 5],
    USD: [3.3, 4.4],
    GBP: [4.6, 5.4],
    CHF: [4, 5],
    CZK: [0.15, 0.2],
  }
  expect(
    wrong(
      ({ fa }) => {
        const [low, high] = usual[text(fa, 'KodWaluty') ?? ''] ?? [1, 0]
        const rates = ['KursWaluty', 'KursWalutyZ', 'KursWalutyZK', 'KursWalutyZW'].flatMap(
          (name) => everywhere(fa, name).map((each) => Number(each.text)),
        )
        return rates.every((each) => each >= low && each <= high)
      },
      ({ fa }) => text(fa, 'KodWaluty') !== 'PLN',
    ),
  ).toEqual([])
})

test('no advance invoices for intra-EU supplies; services to Northern Ireland are outside the EU', () => {
  const rateOf = (line: ReadElement) => text(line, 'P_12') ?? text(line, 'P_12Z')
  const advances: readonly string[] = ['ZAL', 'KOR_ZAL', 'ROZ', 'KOR_ROZ'] satisfies InvoiceKind[]
  expect(
    wrong(
      ({ kind }) => !advances.includes(kind),
      ({ lines }) => lines.some((line) => rateOf(line) === '0 WDT'),
    ),
  ).toEqual([])
  expect(
    wrong(
      ({ root }) => text(root, 'Podmiot2', 'DaneIdentyfikacyjne', 'KodUE') !== 'XI',
      ({ lines }) => lines.some((line) => rateOf(line) === 'np II'),
    ),
  ).toEqual([])
})

test('payment, supply and delivery dates are consistent with the invoice', () => {
  expect(
    wrong(({ fa }) => {
      const issued = text(fa, 'P_1') ?? ''
      const days = [
        'P_6',
        'P_6A',
        'P_6Z',
        'P_6_Do',
        'DataZaplaty',
        'DataZaplatyCzesciowej',
      ].flatMap((name) => everywhere(fa, name).map((each) => each.text))
      return days.every((day) => day <= issued)
    }),
  ).toEqual([])
  expect(
    wrong(
      ({ fa }) =>
        (text(fa, 'P_6') ?? '') <= (text(fa, 'DaneFaKorygowanej', 'DataWystFaKorygowanej') ?? ''),
      ({ kind, fa }) => kind.startsWith('KOR') && text(fa, 'P_6') !== undefined,
    ),
  ).toEqual([])
  expect(
    wrong(
      ({ fa }) => text(fa, 'WZ') === undefined && everywhere(fa, 'Transport').length === 0,
      ({ kind }) => kind === 'ZAL',
    ),
  ).toEqual([])
})

test('goods are delivered to the country of the buyer; municipalities buy for their schools', () => {
  expect(
    wrong(
      ({ root, fa }) =>
        [text(root, 'Podmiot2', 'Adres', 'KodKraju') ?? 'PL'].includes(
          everywhere(fa, 'WysylkaDo').map((place) => text(place, 'KodKraju') ?? '')[0] ?? '',
        ),
      ({ fa }) => everywhere(fa, 'WysylkaDo').length > 0,
    ),
  ).toEqual([])
  expect(
    wrong(
      ({ root }) =>
        (text(root, 'Podmiot2', 'DaneIdentyfikacyjne', 'Nazwa') ?? 'Gmina ').startsWith('Gmina '),
      ({ root }) => text(root, 'Podmiot2', 'JST') === '1',
    ),
  ).toEqual([])
})

test('a correction keeps the product and changes the amount', () => {
  const told = ['UU_ID', 'P_7', 'Indeks', 'GTIN', 'PKWiU', 'CN', 'PKOB', 'P_8A', 'P_12', 'GTU']
  const pairs = invoices.flatMap(({ file, fa }) => {
    const lines = all(fa, 'FaWiersz')
    return lines.flatMap((line, i) =>
      text(line, 'StanPrzed') ? [{ file, line, next: lines[i + 1] }] : [],
    )
  })
  expect(pairs.length).toBeGreaterThan(50)
  const value = (line: ReadElement | undefined) =>
    ['P_8B', 'P_9A', 'P_9B'].map((name) => text(line, name)).join(' ')
  for (const { file, line, next } of pairs) {
    expect(
      told.map((name) => text(next, name)),
      file,
    ).toEqual(told.map((name) => text(line, name)))
    expect(value(next), file).not.toBe(value(line))
  }
})

test('a new means of transport is the product that is sold', () => {
  const names = new Set<string | undefined>(Object.values(newVehicles).map(({ name }) => name))
  expect(
    wrong(
      ({ lines }) => names.has(text(lines[0], 'P_7')),
      ({ fa }) => text(fa, 'Adnotacje', 'NoweSrodkiTransportu', 'P_22') === '1',
    ),
  ).toEqual([])
})
