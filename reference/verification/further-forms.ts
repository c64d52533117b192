/**
 * Forms whose schemas the project does not have: PEF and PEF_KOR (UBL), FA_RR. What identifies an invoice is read from
 * them by name; nothing else of them is validated. Source: gap further-operations.
 */

import type { XmlDocument } from 'libxml2-wasm'
import type { FormId } from '../../contract/environments.ts'
import type { InvoiceFacts, InvoiceKind, Party } from '../model/invoice-facts.ts'
import { elementsOf } from '../xml/xml.ts'
import { hundredths } from './metadata.ts'

/** Where a form has each fact, below its root, by local names. */
interface Places {
  readonly seller: string
  readonly sellerName: string
  readonly buyer: string
  readonly buyerName: string
  readonly number: string
  readonly issueDate: string
  readonly currency: string
  readonly net: string
  readonly vat: string
  readonly gross: string
  /** Absent where the form itself is the kind. */
  readonly kind?: string
}

const ublParty = (party: string) => `${party}/Party`
const ubl: Places = {
  seller: `${ublParty('AccountingSupplierParty')}/PartyTaxScheme/CompanyID`,
  sellerName: `${ublParty('AccountingSupplierParty')}/PartyLegalEntity/RegistrationName`,
  buyer: `${ublParty('AccountingCustomerParty')}/PartyTaxScheme/CompanyID`,
  buyerName: `${ublParty('AccountingCustomerParty')}/PartyLegalEntity/RegistrationName`,
  number: 'ID',
  issueDate: 'IssueDate',
  currency: 'DocumentCurrencyCode',
  net: 'LegalMonetaryTotal/TaxExclusiveAmount',
  vat: 'TaxTotal/TaxAmount',
  gross: 'LegalMonetaryTotal/TaxInclusiveAmount',
}

const placesOf: Readonly<Record<FormId, Places>> = {
  pef: ubl,
  pefKor: ubl,
  faRr: {
    seller: 'Podmiot1/DaneIdentyfikacyjne/NIP',
    sellerName: 'Podmiot1/DaneIdentyfikacyjne/Nazwa',
    buyer: 'Podmiot2/DaneIdentyfikacyjne/NIP',
    buyerName: 'Podmiot2/DaneIdentyfikacyjne/Nazwa',
    number: 'FakturaRR/P_4C',
    issueDate: 'FakturaRR/P_4B',
    currency: 'FakturaRR/KodWaluty',
    net: 'FakturaRR/P_11_1',
    vat: 'FakturaRR/P_11_2',
    gross: 'FakturaRR/P_12_1',
    kind: 'FakturaRR/RodzajFaktury',
  },
}

const kindOf: Readonly<Record<FormId, InvoiceKind>> = {
  pef: 'VAT_PEF',
  pefKor: 'KOR_PEF',
  faRr: 'VAT_RR',
}

const textAt = (document: XmlDocument, place: string): string => {
  const steps = place.split('/').map((name) => `*[local-name()='${name}']`)
  return elementsOf(document, `/*/${steps.join('/')}`)[0]?.content.trim() ?? ''
}

const nipIn = (text: string): string | undefined => /^(?:PL)?(\d{10})$/.exec(text)?.[1]

/** What the service reads from a document; empty where the document does not have it. */
export const readFormFacts = (document: XmlDocument, form: FormId): InvoiceFacts => {
  const places = placesOf[form]
  const text = (place: string) => textAt(document, place)
  const named = (name: string) => (name === '' ? {} : { name })
  const buyerId = text(places.buyer)
  const buyerNip = nipIn(buyerId)
  const buyer: Party['identifier'] =
    buyerNip !== undefined
      ? { type: 'Nip', value: buyerNip }
      : buyerId === ''
        ? { type: 'None' }
        : { type: 'VatUe', value: buyerId }
  const stated = places.kind === undefined ? '' : text(places.kind)
  return {
    seller: { nip: nipIn(text(places.seller)) ?? '', ...named(text(places.sellerName)) },
    buyer: { identifier: buyer, ...named(text(places.buyerName)) },
    thirdParties: [],
    issueDate: text(places.issueDate),
    number: text(places.number),
    kind: stated === 'KOR_VAT_RR' ? 'KOR_VAT_RR' : kindOf[form],
    currency: text(places.currency),
    net: hundredths(text(places.net)),
    gross: hundredths(text(places.gross)),
    vat: hundredths(text(places.vat)),
    selfInvoicing: false,
    attachment: false,
  }
}
