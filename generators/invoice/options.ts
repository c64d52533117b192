import type { InvoiceSchemaId } from '../../contract/environments.ts'
import type { Element } from '../schema/document.ts'
import { isDay } from './dates.ts'

export const invoiceKinds = ['VAT', 'KOR', 'ZAL', 'ROZ', 'UPR', 'KOR_ZAL', 'KOR_ROZ'] as const
export type InvoiceKind = (typeof invoiceKinds)[number]

/** Named kinds of business; `general` draws from all that there is. */
export const profiles = {
  general: 'anything: every kind of buyer, rate, currency and section',
  retail: 'gross prices, many small lines, paid on the spot',
  services: 'net prices, few lines, transfer within two weeks',
  'construction-advance': 'an advance on an order, with its rows',
  'export-eur': 'goods sent abroad, in euro, with transport',
  'ten-thousand-lines': 'as many lines as an invoice can have',
} as const
export type ProfileId = keyof typeof profiles

/** How many documents of a schema a conformance run draws to reach every element, unless it asks for more or fewer. */
export const defaultDocuments = 25

export interface InvoiceOptions {
  /** Default: `fa3`. */
  readonly schema?: InvoiceSchemaId
  /** NIP of the seller, ten digits. */
  readonly seller: string
  /** NIP of the buyer; drawn when absent, together with the kind of buyer. */
  readonly buyer?: string
  /** P_2, 1 to 256 characters. */
  readonly number: string
  /** P_1, ISO date. */
  readonly issueDate: string
  /** Default: what the profile is about, mostly `VAT`. */
  readonly kind?: InvoiceKind
  /** Number of lines (of order lines for advances), 1 to 10,000; a pair of a correction counts as two. */
  readonly lines?: number
  readonly profile?: ProfileId
  /** Size of the serialized document, hit exactly. */
  readonly bytes?: number
  /** With (true) or without (false) a structured attachment, FA(3) only; default: without. */
  readonly attachment?: boolean
  /** DataWytworzeniaFa, ISO instant; default: noon UTC on the day of issue. */
  readonly created?: string
}

/** One invoice, made to be valid and to add up. */
export interface GeneratedInvoice {
  readonly schema: InvoiceSchemaId
  readonly seller: string
  /** NIP of the buyer, absent where the buyer has none. */
  readonly buyer?: string
  readonly number: string
  readonly issueDate: string
  readonly kind: InvoiceKind
  readonly document: Element
  /** The serialized document, UTF-8. */
  readonly bytes: Uint8Array
}

/** Days of issue around which every other date of an invoice is still one that both schemas take. */
const issueDates = { first: '2019-01-01', last: '2049-06-30' } as const

/**
 * Rejects options from which no invoice can be made.
 *
 * @throws InvoiceOptionsError naming the option, what is possible and what was asked for
 */
export function checkOptions({ issueDate, seller, buyer, bytes }: InvoiceOptions): void {
  const { first, last } = issueDates
  if (!isDay(issueDate) || issueDate < first || issueDate > last) {
    const said = JSON.stringify(issueDate)
    throw new InvoiceOptionsError(
      `issueDate: a day from ${first} to ${last} is possible, not ${said}`,
    )
  }
  if (buyer !== undefined && buyer === seller) {
    throw new InvoiceOptionsError(`buyer: ${buyer} is the seller too`)
  }
  if (bytes !== undefined && !Number.isInteger(bytes)) {
    throw new InvoiceOptionsError(`bytes: a whole number is possible, not ${bytes}`)
  }
}

/** Options that contradict each other or the schema. */
export class InvoiceOptionsError extends Error {
  override readonly name = 'InvoiceOptionsError'
}
