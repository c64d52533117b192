import { createHash } from 'node:crypto'
import { openOnline } from '../../../lib/flows/session.ts'
import { Inconclusive } from '../../../lib/outcome.ts'
import type { Me } from '../service/contexts.ts'
import { formCodes } from '../checks/forms.ts'
import type { Filters } from '../steps/filters.ts'
import { isoDay } from '../../../lib/local-time.ts'
import { outcomeOfInvoice, recordOf } from '../steps/steps.ts'
import { buyerName, describedPlainly, documentOf, sellerName } from '../documents/stock-document.ts'
import type { Described } from '../documents/stock-document.ts'

/**
 * Accepted invoices for searches: one from which each other one differs in a single property, so that every filter,
 * alone or beside others, makes a difference to what is found.
 */

export interface Stocked extends Described {
  readonly svcNumber: string
  readonly referenceNumber: string
  readonly bytes: Uint8Array
  readonly invoiceHash: string
  /** The session that it was sent in, as its sender. */
  readonly sender: Me
  readonly session: string
}

interface Parties {
  readonly issueDate: string
  /** Two sellers; the third party of every invoice. */
  readonly seller: Me
  readonly otherSeller: Me
  readonly third: string
  /** Prefix of the invoice numbers. */
  readonly prefix: string
}

/** What differs from the first invoice, one property each. */
const differences = ({ otherSeller, issueDate }: Parties): readonly Partial<Described>[] => [
  {},
  { seller: { nip: otherSeller.context.nip, name: sellerName } },
  { buyer: { identifier: { type: 'VatUe', value: 'DE123456780' }, name: buyerName } },
  { buyer: { identifier: { type: 'Other', value: 'DE123456789' }, name: buyerName } },
  // Identifiers that hold another one, begin with it, and have it in another case.
  { buyer: { identifier: { type: 'Other', value: 'ODE123456789' }, name: buyerName } },
  { buyer: { identifier: { type: 'Other', value: 'DE1234567890' }, name: buyerName } },
  { buyer: { identifier: { type: 'Other', value: 'de123456789' }, name: buyerName } },
  { currency: 'USD' },
  { invoiceType: 'Upr' },
  { isSelfInvoicing: true },
  // Issued earlier, it would be offline whether or not it is declared so.
  { invoicingMode: 'Offline', issueDate: isoDay(Date.parse(issueDate) - 86_400_000) },
  { netAmount: -100.02 },
  { netAmount: -100 },
  { vatAmount: -23 },
  { vatAmount: -23.02 },
  { grossAmount: -123.03 },
  { grossAmount: -123.01 },
]

/** The number of an invoice: the first is a prefix of all others but one, which has it in another letter case. */
const numberOf = (prefix: string, place: number): string =>
  place === 0 ? `${prefix}/x` : place === 1 ? `${prefix}/X` : `${prefix}/x${place}`

/** Properties without a filter differ in every invoice, so that each row has to be that invoice's own. */
const differing = (made: Described, place: number): Described => ({
  ...made,
  seller: { ...made.seller, name: `${made.seller.name} ${place}` },
  buyer: { ...made.buyer, name: `${made.buyer.name} ${place}` },
  payer: {
    identifier:
      place % 4 === 1
        ? { type: 'Nip', value: nips[(place >> 2) % nips.length]! }
        : { type: 'None' },
    name: `Payer ${place}`,
  },
  authorized: { nip: nips[place % nips.length]!, name: `Agent ${place}`, role: (place % 3) + 1 },
})

const nips = ['5265877635', '7980332920', '1111111111'] as const

const send = async (
  { api }: Me,
  session: Awaited<ReturnType<typeof openOnline>>,
  bytes: Uint8Array,
  offlineMode: boolean,
) => {
  const outcome = await outcomeOfInvoice({ api, session }, bytes, { offlineMode })
  const { svcNumber, referenceNumber } = recordOf(outcome)
  if (typeof svcNumber !== 'string' || typeof referenceNumber !== 'string')
    throw new Inconclusive(
      'have invoices accepted for a search',
      `acceptance, got ${JSON.stringify(recordOf(outcome)['status'] ?? outcome)}`,
    )
  return { svcNumber, referenceNumber }
}

/**
 * Has the invoices accepted.
 * @throws {Inconclusive} when one is not
 */
export const stock = async (parties: Parties): Promise<readonly Stocked[]> => {
  const { issueDate, seller, otherSeller, prefix } = parties
  const first: Described = {
    ...describedPlainly({ seller: seller.context.nip, number: '', issueDate }),
    netAmount: -100.01,
    vatAmount: -23.01,
    grossAmount: -123.02,
    currency: 'EUR',
  }
  const desks = new Map<Me, Awaited<ReturnType<typeof openOnline>>>()
  const all: Stocked[] = []
  for (const [place, difference] of differences(parties).entries()) {
    const made = differing(
      { ...first, ...difference, invoiceNumber: numberOf(prefix, place) },
      place,
    )
    const sender = made.seller.nip === seller.context.nip ? seller : otherSeller
    const session = desks.get(sender) ?? (await openOnline(sender.api, { formCode: formCodes.fa3 }))
    desks.set(sender, session)
    const bytes = documentOf(made, parties)
    all.push({
      ...made,
      ...(await send(sender, session, bytes, made.invoicingMode === 'Offline')),
      bytes,
      invoiceHash: createHash('sha256').update(bytes).digest('base64'),
      sender,
      session: session.referenceNumber,
    })
  }
  return all
}

/** What a search reports about an invoice of the stock, except for its timestamps. */
export const describedAs = (one: Stocked, { third }: Pick<Parties, 'third'>) => ({
  ...described(one),
  formCode: { systemCode: 'FA (3)', schemaVersion: '1-0E', value: 'FA' },
  hasAttachment: false,
  thirdSubjects: [
    { identifier: { type: 'Nip', value: third }, name: 'Recipient', role: 2 },
    { ...one.payer, role: 4 },
  ],
  authorizedSubject: one.authorized,
})

const described = ({ svcNumber, invoiceHash, ...one }: Stocked) => ({
  svcNumber,
  invoiceHash,
  invoiceNumber: one.invoiceNumber,
  issueDate: one.issueDate,
  seller: one.seller,
  buyer: one.buyer,
  netAmount: one.netAmount,
  vatAmount: one.vatAmount,
  grossAmount: one.grossAmount,
  currency: one.currency,
  invoicingMode: one.invoicingMode,
  invoiceType: one.invoiceType,
  isSelfInvoicing: one.isSelfInvoicing,
})

/** A filter with the value that the first invoice of the stock has, and with what an invoice must be to be found. */
export interface StockFilter {
  readonly name: string
  readonly given: Partial<Filters>
  readonly keeps: (one: Stocked) => boolean
}

const amount = (type: string, from: number | undefined, to: number | undefined) => ({
  amount: { type, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) },
})

const buyer = (type: string, value: string) => ({ buyerIdentifier: { type, value } })

/** Filters by each property, for the values of one invoice. Filters of one kind exclude each other. */
export const filtersFor = (one: Stocked): readonly StockFilter[] => [
  {
    name: 'svcNumber',
    given: { svcNumber: one.svcNumber },
    keeps: (o) => o.svcNumber === one.svcNumber,
  },
  {
    name: 'invoiceNumber',
    given: { invoiceNumber: one.invoiceNumber },
    keeps: (o) => o.invoiceNumber === one.invoiceNumber,
  },
  {
    name: 'sellerNip',
    given: { sellerNip: one.seller.nip },
    keeps: (o) => o.seller.nip === one.seller.nip,
  },
  {
    name: 'buyerIdentifier',
    given: { buyerIdentifier: one.buyer.identifier },
    keeps: ({ buyer: { identifier } }) =>
      identifier.type === one.buyer.identifier.type &&
      identifier.value === one.buyer.identifier.value,
  },
  {
    name: 'currencyCodes',
    given: { currencyCodes: [one.currency] },
    keeps: (o) => o.currency === one.currency,
  },
  {
    name: 'invoiceTypes',
    given: { invoiceTypes: [one.invoiceType] },
    keeps: (o) => o.invoiceType === one.invoiceType,
  },
  {
    name: 'isSelfInvoicing',
    given: { isSelfInvoicing: one.isSelfInvoicing },
    keeps: (o) => o.isSelfInvoicing === one.isSelfInvoicing,
  },
  {
    name: 'invoicingMode',
    given: { invoicingMode: one.invoicingMode },
    keeps: (o) => o.invoicingMode === one.invoicingMode,
  },
  // Every invoice of the stock has this form and no attachment: beside these filters, the others still count.
  { name: 'formType', given: { formType: 'FA' }, keeps: () => true },
  { name: 'hasAttachment', given: { hasAttachment: false }, keeps: () => true },
  ...(
    [
      ['Netto', 'netAmount'],
      ['Vat', 'vatAmount'],
      ['Brutto', 'grossAmount'],
    ] as const
  ).flatMap(([type, field]): StockFilter[] => [
    {
      name: 'amount',
      given: amount(type, one[field], undefined),
      keeps: (o) => o[field] >= one[field],
    },
    {
      name: 'amount',
      given: amount(type, undefined, one[field]),
      keeps: (o) => o[field] <= one[field],
    },
    {
      name: 'amount',
      given: amount(type, one[field], one[field]),
      keeps: (o) => o[field] === one[field],
    },
  ]),
]

/** Filters with several values, one of which an invoice has, first or last. */
export const severalFor = (one: Stocked): readonly StockFilter[] => [
  ...[
    [one.currency, 'CHF'],
    ['CHF', one.currency],
  ].map((currencyCodes) => ({
    name: 'currencyCodes',
    given: { currencyCodes },
    keeps: (o: Stocked) => o.currency === one.currency,
  })),
  ...[
    [one.invoiceType, 'Zal'],
    ['Zal', one.invoiceType],
  ].map((invoiceTypes) => ({
    name: 'invoiceTypes',
    given: { invoiceTypes },
    keeps: (o: Stocked) => o.invoiceType === one.invoiceType,
  })),
]

const keepsNone = () => false

/** Filters with values that no invoice of a stock has. */
export const filtersForNone: readonly StockFilter[] = [
  { name: 'sellerNip', given: { sellerNip: '5265877635' }, keeps: keepsNone },
  { name: 'invoiceNumber', given: { invoiceNumber: 'none of these' }, keeps: keepsNone },
  { name: 'currencyCodes', given: { currencyCodes: ['CHF'] }, keeps: keepsNone },
  { name: 'invoiceTypes', given: { invoiceTypes: ['Zal'] }, keeps: keepsNone },
  { name: 'hasAttachment', given: { hasAttachment: true }, keeps: keepsNone },
  { name: 'buyerIdentifier', given: buyer('Nip', '5265877635'), keeps: keepsNone },
  { name: 'buyerIdentifier', given: buyer('VatUe', 'AT123456789'), keeps: keepsNone },
  { name: 'amount', given: amount('Brutto', 1e9, undefined), keeps: keepsNone },
]

/** The numbers of the invoices of a stock that every filter keeps. */
export const keptBy = (all: readonly Stocked[], filters: readonly StockFilter[]): string[] =>
  all
    .filter((one) => filters.every(({ keeps }) => keeps(one)))
    .map(({ svcNumber }) => svcNumber)
    .toSorted()

/** A filter of a search with everything that some filters give. */
export const withFilters = (base: Filters, filters: readonly StockFilter[]): Filters => ({
  ...base,
  ...Object.assign({}, ...filters.map(({ given }) => given)),
})

/** The status of an invoice of the stock, as its sender sees it. */
export const statusOfStocked = async ({ sender, session, referenceNumber }: Stocked) => {
  const answer = await sender.api.call('invoices.inSession', {
    path: { referenceNumber: session, invoiceReferenceNumber: referenceNumber },
  })
  return (answer.body ?? {}) as Readonly<Record<string, unknown>>
}
