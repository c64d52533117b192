import type { Arbitrary } from 'fast-check'
import { malform, invoiceMalformationsOf } from '../generators/faults/invoices.ts'
import { buildInvoice } from '../generators/invoice/build.ts'
import { invoice, makeInvoice as make } from '../generators/invoice/invoice.ts'
import { seededDraw } from '../generators/draw/draw.ts'

/** Invoices for tests of your own: valid ones that add up, and ones with exactly one fault. */

export type InvoiceSchema = 'fa2' | 'fa3'

export interface InvoiceOptions {
  /** `fa3` when absent. */
  readonly schema?: InvoiceSchema
  /** NIP of the seller, ten digits. */
  readonly seller: string
  /** NIP of the buyer; drawn when absent. */
  readonly buyer?: string
  /** 1 to 256 characters. */
  readonly number: string
  /** ISO date, from 2019-01-01 to 2049-06-30. */
  readonly issueDate: string
  readonly kind?: 'VAT' | 'KOR' | 'ZAL' | 'ROZ' | 'UPR' | 'KOR_ZAL' | 'KOR_ROZ'
  /** 1 to 10,000. */
  readonly lines?: number
  /** Named kind of business; `general` draws from all that there is. */
  readonly profile?:
    | 'general'
    | 'retail'
    | 'services'
    | 'construction-advance'
    | 'export-eur'
    | 'ten-thousand-lines'
  /** Size of the document in bytes, met exactly. */
  readonly bytes?: number
  /** With a structured attachment, FA(3) only. */
  readonly attachment?: boolean
}

export interface Invoice {
  readonly schema: InvoiceSchema
  readonly seller: string
  /** Absent where the buyer has no NIP. */
  readonly buyer?: string
  readonly number: string
  readonly issueDate: string
  readonly kind: NonNullable<InvoiceOptions['kind']>
  /** The XML, UTF-8. */
  readonly bytes: Uint8Array
}

/** A class of malformed invoice. */
export interface InvoiceFault {
  readonly id: string
  /** What is wrong, without a full stop. */
  readonly summary: string
  /** Id of the rule that such a document breaks. */
  readonly rule: string
  /** Name of the refusal that it must provoke. */
  readonly refusedAs: string
}

/**
 * Valid invoices as an arbitrary of fast-check; they shrink towards the plainest of their kind.
 * @throws {Error} named `InvoiceOptionsError`, when drawn, where the options contradict each other or the schema
 */
export const invoices = (options: InvoiceOptions): Arbitrary<Invoice> => invoice(options)

/**
 * One valid invoice: the same bytes for the same options and seed (a 32-bit integer).
 * @throws {Error} named `InvoiceOptionsError` where the options contradict each other or the schema
 */
export const makeInvoice = (options: InvoiceOptions, seed: number): Uint8Array =>
  make(options, seed)

/** Every class of malformed invoice that a schema can have. */
export const invoiceFaults = (schema: InvoiceSchema = 'fa3'): readonly InvoiceFault[] =>
  invoiceMalformationsOf(schema).map(({ id, summary, rule, refusedAs }) => ({
    id,
    summary,
    rule,
    refusedAs,
  }))

/**
 * One invoice with exactly one fault: the same bytes for the same arguments.
 * @param fault id of a class, as {@link invoiceFaults} lists them
 * @throws {RangeError} when the schema has no such class
 */
export const makeMalformedInvoice = (
  fault: string,
  options: InvoiceOptions,
  seed: number,
): Uint8Array => {
  const schema = options.schema ?? 'fa3'
  const entry = invoiceMalformationsOf(schema).find(({ id }) => id === fault)
  if (entry === undefined)
    throw new RangeError(`${schema} has no class of fault ${fault}; invoiceFaults() lists them`)
  return malform(entry, buildInvoice(options, seededDraw(seed)).document, seed).bytes
}
