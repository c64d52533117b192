import { isoDay } from '../../../lib/local-time.ts'
import { invoiceKinds, makeInvoice } from '../../../generators/invoice/invoice.ts'
import type { InvoiceOptions } from '../../../generators/invoice/invoice.ts'
import type { Rng } from '../../../lib/random.ts'
import type { OwnContext } from '../service/contexts.ts'
import { factsOf, moved, readDocuments } from './documents.ts'
import { oneWay } from '../run/habits.ts'
import { noteMade } from '../run/own-work.ts'
import { runOptions } from '../checks/run-options.ts'
import type { Target } from '../service/target.ts'

export interface MadeInvoice {
  readonly bytes: Uint8Array
  readonly number: string
  readonly seller: string
  /** ISO date. */
  readonly issueDate: string
  readonly kind: string
}

/** A user's own documents that any check may send: those with attachments go another way. */
const usersOwn =
  runOptions.invoices === undefined || runOptions.unmodified
    ? []
    : readDocuments(runOptions.invoices).filter(({ bytes }) => !factsOf(bytes).attachment)

/**
 * Valid invoices of a check's context, each with its own number. They are generated; if the run was given a user's
 * documents and the check asks for nothing in particular, they are those documents, moved to the context.
 */
export const createInvoices = ({
  own,
  rng,
  contents,
  target,
}: {
  readonly own: OwnContext
  /** Draws the numbers: fresh ones in a run that repeats another. */
  readonly rng: Rng
  /** Draws what the documents say: the same in every repetition. */
  readonly contents: Rng
  readonly target: Target
}): ((options?: Partial<InvoiceOptions>) => MadeInvoice) => {
  let count = 0
  // The same for all invoices of a check: what else is to differ between them, it says itself.
  const usual = {
    kind: oneWay(['VAT', 'VAT', 'VAT', ...invoiceKinds]),
    profile: oneWay(['services', 'services', 'services', 'services', 'general', 'retail']),
  } as const
  return (options = {}) => {
    count += 1
    const issueDate = options.issueDate ?? isoDay(target.now())
    const number = options.number ?? `A/${rng.digits(8)}/${count}`
    noteMade(number)
    const seller = options.seller ?? own.nip
    const theirs = usersOwn[count % Math.max(1, usersOwn.length)]
    if (theirs !== undefined && Object.keys(options).every((name) => movable.has(name))) {
      const bytes = moved(theirs.bytes, { seller, number, issueDate })
      return { bytes, number, seller, issueDate, kind: factsOf(bytes).kind ?? 'VAT' }
    }
    const kind = options.kind ?? usual.kind
    const wanted = { ...usual, lines: 2, ...options, seller, number, issueDate, kind }
    return {
      bytes: makeInvoice(wanted as InvoiceOptions, contents.int32()),
      number,
      seller,
      issueDate,
      kind,
    }
  }
}

const movable = new Set(['seller', 'number', 'issueDate'])

/** Generating ten thousand takes longer than sending them. */
const templates = 50

/** This many valid invoices, each with its own number; only a few of them differ in anything else. */
export const manyInvoices = (
  invoice: (options: { readonly lines: number }) => MadeInvoice,
  count: number,
): readonly Pick<MadeInvoice, 'bytes'>[] => {
  const made = Array.from({ length: Math.min(count, templates) }, () => invoice({ lines: 1 }))
  return Array.from({ length: count }, (_, place) => {
    const { bytes, ...template } = made[place % templates] ?? invoice({ lines: 1 })
    return { bytes: moved(bytes, { ...template, number: `${template.number}/${place}` }) }
  })
}
