/** What the service knows of an accepted document. */

type PartyIdentifierType = 'Nip' | 'InternalId' | 'VatUe' | 'Other' | 'None'
export interface PartyIdentifier {
  readonly type: PartyIdentifierType
  readonly value?: string
}

export interface Party {
  readonly identifier: PartyIdentifier
  readonly name?: string
}

/** Role 0 is one that the document describes in words. */
interface PartyWithRole extends Party {
  readonly role: number
}

export const invoiceKinds = {
  VAT: 'Vat',
  KOR: 'Kor',
  ZAL: 'Zal',
  ROZ: 'Roz',
  UPR: 'Upr',
  KOR_ZAL: 'KorZal',
  KOR_ROZ: 'KorRoz',
  VAT_PEF: 'VatPef',
  KOR_PEF: 'KorPef',
  VAT_RR: 'VatRr',
  KOR_VAT_RR: 'KorVatRr',
} as const
export type InvoiceKind = keyof typeof invoiceKinds

/** Amounts are whole hundredths, exact. */
export interface InvoiceFacts {
  readonly seller: { readonly nip: string; readonly name?: string }
  readonly buyer: Party
  readonly thirdParties: readonly PartyWithRole[]
  readonly authorized?: { readonly nip: string; readonly name?: string; readonly role: number }
  /** P_1, `YYYY-MM-DD`. */
  readonly issueDate: string
  /** P_2. */
  readonly number: string
  readonly kind: InvoiceKind
  readonly currency: string
  readonly net: bigint
  readonly gross: bigint
  /** In PLN where the document says it in PLN. */
  readonly vat: bigint
  readonly selfInvoicing: boolean
  readonly attachment: boolean
}
