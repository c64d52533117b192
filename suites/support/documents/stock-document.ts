import { invoiceKinds } from '../../../generators/invoice/invoice.ts'
import type { InvoiceKind } from '../../../generators/invoice/invoice.ts'

/** The documents of a stock of invoices (`stock.ts`). */

/** What a search reports about an invoice, as far as it follows from the document. */
export interface Described {
  readonly invoiceNumber: string
  readonly issueDate: string
  readonly seller: { readonly nip: string; readonly name: string }
  readonly buyer: {
    readonly identifier: { readonly type: 'VatUe' | 'Other'; readonly value: string }
    readonly name: string
  }
  readonly netAmount: number
  readonly vatAmount: number
  readonly grossAmount: number
  readonly currency: string
  readonly invoicingMode: 'Online' | 'Offline'
  readonly invoiceType: 'Vat' | 'Upr'
  readonly isSelfInvoicing: boolean
  /** A further third party. */
  readonly payer: {
    readonly identifier:
      | { readonly type: 'None' }
      | { readonly type: 'Nip'; readonly value: string }
    readonly name: string
  }
  readonly authorized: { readonly nip: string; readonly name: string; readonly role: number }
}

/** What a search reports about a plain invoice of 100 zł plus tax. */
export const describedPlainly = (facts: {
  readonly seller: string
  readonly number: string
  readonly issueDate: string
}): Described => ({
  invoiceNumber: facts.number,
  issueDate: facts.issueDate,
  seller: { nip: facts.seller, name: sellerName },
  buyer: { identifier: { type: 'VatUe', value: 'DE123456789' }, name: buyerName },
  netAmount: 100,
  vatAmount: 23,
  grossAmount: 123,
  currency: 'PLN',
  invoicingMode: 'Online',
  invoiceType: 'Vat',
  isSelfInvoicing: false,
  payer: { identifier: { type: 'None' }, name: 'Payer' },
  authorized: { nip: '7980332920', name: 'Agent', role: 3 },
})

/** `KOR_ZAL` in a document is `KorZal` in a search. */
export const invoiceTypeOf = (kind: InvoiceKind): string =>
  kind
    .split('_')
    .map((word) => word.charAt(0) + word.slice(1).toLowerCase())
    .join('')

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

export const sellerName = 'Zakłady „Żółw” & Syn'
export const buyerName = 'Käufer & Söhne 🧾'

export const documentOf = (made: Described, { third }: { readonly third: string }): Uint8Array => {
  const { identifier } = made.buyer
  const buyer =
    identifier.type === 'VatUe'
      ? `<KodUE>${identifier.value.slice(0, 2)}</KodUE><NrVatUE>${identifier.value.slice(2)}</NrVatUE>`
      : `<NrID>${identifier.value}</NrID>`
  const { identifier: payer } = made.payer
  const payerId = payer.type === 'None' ? '<BrakID>1</BrakID>' : `<NIP>${payer.value}</NIP>`
  // As short as the schema allows: one decimal digit, or none, where the others are zeros.
  const money = (amount: number): string => String(Number(amount.toFixed(2)))
  // Amounts at two rates, whose sum a search reports; the tax is in PLN, even if the invoice has another currency.
  const rates = [
    { net: made.netAmount - 7.5, vat: made.vatAmount - 0.6 },
    { net: 7.5, vat: 0.6 },
  ]
  const amounts = rates.map(({ net, vat }, at) => {
    const rate = at + 1
    const tax =
      made.currency === 'PLN'
        ? `<P_14_${rate}>${money(vat)}</P_14_${rate}>`
        : `<P_14_${rate}>${money(vat / 4)}</P_14_${rate}><P_14_${rate}W>${money(vat)}</P_14_${rate}W>`
    return `<P_13_${rate}>${money(net)}</P_13_${rate}>${tax}`
  })
  const address = '<Adres><KodKraju>PL</KodKraju><AdresL1>ul. Polna 1</AdresL1></Adres>'
  const party = (nip: string, name: string): string =>
    `<DaneIdentyfikacyjne><NIP>${nip}</NIP><Nazwa>${name}</Nazwa></DaneIdentyfikacyjne>${address}`
  return new TextEncoder().encode(
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
      '<Faktura xmlns="http://crd.gov.pl/wzor/2025/06/25/13775/"><Naglowek>' +
      '<KodFormularza kodSystemowy="FA (3)" wersjaSchemy="1-0E">FA</KodFormularza>' +
      '<WariantFormularza>3</WariantFormularza>' +
      `<DataWytworzeniaFa>${made.issueDate}T06:00:00Z</DataWytworzeniaFa></Naglowek>` +
      `<Podmiot1>${party(made.seller.nip, escaped(made.seller.name))}</Podmiot1>` +
      `<Podmiot2><DaneIdentyfikacyjne>${buyer}<Nazwa>${escaped(made.buyer.name)}</Nazwa></DaneIdentyfikacyjne>` +
      '<JST>2</JST><GV>2</GV></Podmiot2>' +
      `<Podmiot3>${party(third, 'Recipient')}<Rola>2</Rola></Podmiot3>` +
      `<Podmiot3><DaneIdentyfikacyjne>${payerId}<Nazwa>${made.payer.name}</Nazwa></DaneIdentyfikacyjne>` +
      `${address}<Rola>4</Rola></Podmiot3>` +
      `<PodmiotUpowazniony>${party(made.authorized.nip, made.authorized.name)}<RolaPU>${made.authorized.role}</RolaPU></PodmiotUpowazniony>` +
      `<Fa><KodWaluty>${made.currency}</KodWaluty><P_1>${made.issueDate}</P_1>` +
      `<P_2>${made.invoiceNumber}</P_2>` +
      `${amounts.join('')}<P_15>${money(made.grossAmount)}</P_15>` +
      `<Adnotacje><P_16>2</P_16><P_17>${made.isSelfInvoicing ? 1 : 2}</P_17><P_18>2</P_18><P_18A>2</P_18A>` +
      '<Zwolnienie><P_19N>1</P_19N></Zwolnienie>' +
      '<NoweSrodkiTransportu><P_22N>1</P_22N></NoweSrodkiTransportu><P_23>2</P_23>' +
      '<PMarzy><P_PMarzyN>1</P_PMarzyN></PMarzy></Adnotacje>' +
      `<RodzajFaktury>${made.invoiceType.toUpperCase()}</RodzajFaktury></Fa></Faktura>`,
  )
}

type Made = Parameters<typeof describedPlainly>[0] & { readonly bytes: Uint8Array }

/** Invoices of each kind, and plain ones of each order of magnitude, up to trillions. */
export const ofEachKindAndMagnitude = (
  invoice: (options?: { readonly kind: InvoiceKind }) => Made,
): readonly Pick<Made, 'bytes'>[] => [
  ...invoiceKinds.map((kind) => invoice({ kind })),
  ...Array.from({ length: 12 }, (_, power) => {
    const netAmount = 10 * 10 ** power
    const vatAmount = 0.23 * netAmount
    const amounts = { netAmount, vatAmount, grossAmount: netAmount + vatAmount }
    const bytes = documentOf(
      { ...describedPlainly(invoice()), ...amounts },
      { third: '5265877635' },
    )
    return { bytes }
  }),
]
