import { expect, test } from '@playwright/test'
import { corpus } from '../../generators/corpus/corpus.ts'
import type { ReadElement } from '../../generators/schema/read-document.ts'
import { runOptions } from '../../suites/support/checks/run-options.ts'
import type { Invoice } from './read-invoice.ts'
import { all, cents, everywhere, productOf, readInvoice, text } from './read-invoice.ts'

/** Invoices of one seller read together: what a reader who issues invoices would notice from one to the next. */

const { seed } = runOptions

let invoices: readonly Invoice[] = []
test.beforeAll(() => {
  console.log(`seed ${seed}`)
  const profiles = ['general', 'retail', 'services', 'construction-advance', 'export-eur'] as const
  invoices = profiles
    .flatMap((profile) => [...corpus({ schema: 'fa3', profile, count: 300, seed })])
    .map(({ bytes, line }) => readInvoice(bytes, line.file))
})

/** The files of those invoices for which a statement does not hold. */
const wrong = (said: (invoice: Invoice) => boolean, of: (invoice: Invoice) => boolean) => {
  const asked = invoices.filter(of)
  expect(asked.length, 'such invoices are drawn').toBeGreaterThan(0)
  return asked.filter((invoice) => !said(invoice)).map(({ file }) => file)
}

/** Expects a single fact for each key. */
function expectOne(facts: Iterable<readonly [key: string, fact: string, file: string]>) {
  const known = new Map<string, string>()
  for (const [key, fact, file] of facts) {
    expect(known.get(key) ?? fact, `${file}: ${key}`).toBe(fact)
    known.set(key, fact)
  }
  expect(known.size).toBeGreaterThan(10)
}

const seller = ({ root }: Invoice) => text(root, 'Podmiot1', 'DaneIdentyfikacyjne', 'NIP') ?? ''
const day = ({ fa }: Invoice) => text(fa, 'P_1') ?? ''

test('a seller asks for about the same price at each sale', () => {
  const prices = new Map<string, number[]>()
  for (const invoice of invoices) {
    if (invoice.kind.startsWith('KOR') || invoice.kind === 'UPR') continue
    for (const line of invoice.lines) {
      const price = Number(text(line, 'P_9A') ?? text(line, 'P_9B') ?? text(line, 'P_9AZ'))
      const rate = Number(text(line, 'KursWaluty') ?? text(invoice.fa, 'KursWalutyZ') ?? 1)
      // A rounded price of a few grosze is not significant.
      if (!(price >= 1)) continue
      const key = `${seller(invoice)} ${productOf(line)}, ${text(line, 'P_8A') ?? text(line, 'P_8AZ')}`
      prices.set(key, [...(prices.get(key) ?? []), price * rate])
    }
  }
  const vehicles = /^\d+ (?:Samochód|Jacht|Samolot)/
  const spread = [...prices].filter(
    ([key, asked]) => !vehicles.test(key) && Math.max(...asked) > Math.min(...asked) * 1.09,
  )
  expect(prices.size).toBeGreaterThan(40)
  expect(spread).toEqual([])
})

test('a currency has one rate of exchange on a day, and it moves by little', () => {
  // A correction uses the rate of its invoice.
  const dayOf = ({ fa }: Invoice) =>
    text(fa, 'DaneFaKorygowanej', 'DataWystFaKorygowanej') ?? text(fa, 'P_1') ?? ''
  const rates = invoices.flatMap((invoice) => {
    const currency = text(invoice.fa, 'KodWaluty')
    const whole = ['KursWaluty', 'KursWalutyZ', 'KursWalutyZK']
      .flatMap((name) => everywhere(invoice.root, name))
      .map((rate) => [`${currency} ${dayOf(invoice)}`, rate.text, invoice.file] as const)
    const parts = all(invoice.fa, 'ZaliczkaCzesciowa').flatMap((part) => {
      const rate = text(part, 'KursWalutyZW')
      return rate === undefined
        ? []
        : [[`${currency} ${text(part, 'P_6Z')}`, rate, invoice.file] as const]
    })
    return [...whole, ...parts]
  })
  expectOne(rates)
  const euros = rates.filter(([key]) => key.startsWith('EUR')).map(([, rate]) => Number(rate))
  expect(Math.max(...euros) / Math.min(...euros)).toBeLessThan(1.04)
})

test('goods leave the seller on the day of supply, and travel as they are', () => {
  const carried = ({ fa }: Invoice) => everywhere(fa, 'Transport').length > 0
  expect(
    wrong((invoice) => {
      const [transport] = everywhere(invoice.fa, 'Transport')
      const from = text(transport, 'WysylkaZ', 'AdresL1')
      return (
        text(transport, 'DataGodzRozpTransportu')?.slice(0, 10) ===
          (text(invoice.fa, 'P_6') ?? day(invoice)) &&
        everywhere(invoice.fa, 'P_6A').length === 0 &&
        from === text(invoice.root, 'Podmiot1', 'Adres', 'AdresL1')
      )
    }, carried),
  ).toEqual([])
  expect(
    wrong(
      ({ lines }) => lines.every((line) => text(line, 'P_8A') === 'szt.'),
      ({ fa }) => everywhere(fa, 'RodzajTransportu').some((mode) => mode.text === '4'),
    ),
  ).toEqual([])
})

test('payments are plausible for their parties', () => {
  const payment = ({ fa }: Invoice, name: string) => text(fa, 'Platnosc', name)
  const paid = (invoice: Invoice) => payment(invoice, 'Zaplacono') === '1'
  expect(wrong((invoice) => payment(invoice, 'LinkDoPlatnosci') === undefined, paid)).toEqual([])
  expect(
    wrong(
      (invoice) => payment(invoice, 'FormaPlatnosci') !== '1',
      (invoice) => invoice.kind === 'ZAL' && paid(invoice),
    ),
  ).toEqual([])
  expect(
    wrong(
      (invoice) =>
        payment(invoice, 'DataZaplaty') ===
        text(all(invoice.fa, 'ZaliczkaCzesciowa').at(-1), 'P_6Z'),
      (invoice) => paid(invoice) && all(invoice.fa, 'ZaliczkaCzesciowa').length > 0,
    ),
  ).toEqual([])
  expect(
    wrong(
      ({ fa }) => text(fa, 'Platnosc', 'RachunekBankowy', 'NrRB')?.startsWith('PL') === true,
      ({ fa, root }) =>
        text(root, 'Podmiot2', 'Adres', 'KodKraju') === 'AT' &&
        everywhere(fa, 'RachunekBankowy').length > 0,
    ),
  ).toEqual([])
})

test('complete part payments add up to the total, incomplete ones to less', () => {
  const paid = ({ fa }: Invoice) =>
    everywhere(fa, 'KwotaZaplatyCzesciowej').reduce((sum, part) => sum + cents(part.text), 0)
  const marked = (mark: string) => (invoice: Invoice) =>
    text(invoice.fa, 'Platnosc', 'ZnacznikZaplatyCzesciowej') === mark
  const total = ({ fa }: Invoice) => cents(text(fa, 'P_15'))
  expect(wrong((invoice) => paid(invoice) === total(invoice), marked('2'))).toEqual([])
  expect(wrong((invoice) => paid(invoice) < total(invoice), marked('1'))).toEqual([])
})

test('instant services are neither ordered nor paid in advance, and are paid immediately', () => {
  const sells =
    (...names: readonly string[]) =>
    ({ lines }: Invoice) =>
      lines.some((line) => names.includes(productOf(line)))
  expect(
    wrong(
      ({ kind, fa }) =>
        ['Umowy', 'Zamowienia', 'OkresFa', 'TerminPlatnosci'].every(
          (name) => kind.startsWith('KOR') || everywhere(fa, name).length === 0,
        ) && everywhere(fa, 'Klucz').every(({ text: key }) => !/zlecenia|oferty/.test(key)),
      sells('Przejazd taksówką', 'Gitara, używana', 'Komoda dębowa, XIX w.', 'Badanie lekarskie'),
    ),
  ).toEqual([])
  expect(
    wrong(
      ({ kind }) => !kind.includes('ZAL') && !kind.endsWith('ROZ'),
      sells('Olej napędowy', 'Chleb żytni', 'Przejazd taksówką', 'Energia elektryczna'),
    ),
  ).toEqual([])
})

test('a lorry load has a plausible value, and energy, land and rights are not transported', () => {
  expect(
    wrong(
      ({ lines }) =>
        lines.every(
          (line) =>
            Number(text(line, 'P_8B')) >= 4 &&
            Number(text(line, 'P_8B')) * Number(text(line, 'P_9A') ?? text(line, 'P_9B')) > 100,
        ),
      ({ root, fa }) =>
        text(root, 'Podmiot2', 'DaneIdentyfikacyjne', 'BrakID') !== '1' &&
        text(fa, 'WarunkiTransakcji', 'Transport', 'OpisLadunku') === '13',
    ),
  ).toEqual([])
  expect(
    wrong(
      ({ fa }) =>
        ['WZ', 'Transport', 'WarunkiDostawy'].every((name) => text(fa, name) === undefined),
      ({ lines }) => lines.some((line) => /^(Energia|Gaz|Działka|Upraw)/.test(productOf(line))),
    ),
  ).toEqual([])
})

test('unique items are sold, and returned, once', () => {
  const oneOfAKind = (line: ReadElement) =>
    /używan|Obraz|Grafika|Komoda|Zegar/.test(productOf(line))
  expect(
    wrong(
      ({ lines }) =>
        lines.filter(oneOfAKind).every((line) => Math.abs(Number(text(line, 'P_8B') ?? 1)) === 1),
      ({ lines }) => lines.some(oneOfAKind),
    ),
  ).toEqual([])
})

test('an order comes before everything else of its invoice', () => {
  expect(
    wrong(
      ({ fa }) => {
        const days = ['P_6', 'P_6A', 'P_6Z', 'P_6_Od', 'DataWystFaKorygowanej'].flatMap((name) =>
          everywhere(fa, name).map((each) => each.text),
        )
        return everywhere(fa, 'DataZamowienia').every((order) =>
          [...days, text(fa, 'P_1') ?? ''].every((each) => order.text < each),
        )
      },
      ({ fa }) => everywhere(fa, 'DataZamowienia').length > 0,
    ),
  ).toEqual([])
})

test('buyers have a name, one customer number, and one relation to the seller', () => {
  expect(
    wrong(
      ({ root }) => text(root, 'Podmiot2', 'DaneIdentyfikacyjne', 'Nazwa') !== undefined,
      ({ root }) => text(root, 'Podmiot2', 'DaneIdentyfikacyjne', 'BrakID') === '1',
    ),
  ).toEqual([])
  expectOne(
    invoices.flatMap((invoice) => {
      const party = all(invoice.root, 'Podmiot2')[0]
      const number = text(party, 'NrKlienta')
      const key = ['NIP', 'NrVatUE', 'NrID']
        .map((id) => text(party, 'DaneIdentyfikacyjne', id))
        .find((id) => id !== undefined)
      return number === undefined || key === undefined ? [] : [[key, number, invoice.file] as const]
    }),
  )
})

test('awkward texts are in few documents, and creation times differ', () => {
  const awkward = invoices.filter(({ root }) =>
    ['P_7', 'Wartosc'].some((name) =>
      everywhere(root, name).some(({ text: value }) => /czcionka|napis|znak |nakład/.test(value)),
    ),
  )
  expect(awkward.length / invoices.length).toBeLessThan(0.04)
  const hours = new Set(
    invoices.map(({ root }) => text(root, 'Naglowek', 'DataWytworzeniaFa')?.slice(11)),
  )
  expect(hours.size).toBeGreaterThan(invoices.length / 2)
})
