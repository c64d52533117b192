import type { InvoiceSchemaId } from '../../contract/environments.ts'
import type { InvoiceKind } from '../invoice/options.ts'
import type { Element } from '../schema/document.ts'
import { doubtfulAmounts } from './doubtful-amounts.ts'
import { doubtfulStatements } from './doubtful-statements.ts'
import { elementAt, NoSuchPlaceError, textOf, withText } from './edit.ts'
import type { BrokenDocument } from './malformation.ts'
import { everySchema } from './malformation.ts'
import { broken } from './schema-classes.ts'

/**
 * Invoices that are valid and that the service accepts, and that are wrong all the same: sums, rates, dates, kinds
 * without what they need, references to nothing. Lint warns of each by its own rule.
 */
export interface DoubtfulClass {
  readonly id: string
  readonly layer: 'meaning'
  readonly of: 'invoice'
  /** What is wrong, in one sentence without a full stop. */
  readonly summary: string
  /** The rule of lint that warns of it. */
  readonly warns: string
  readonly schemas: readonly InvoiceSchemaId[]
  /** The kind of invoice that it is put into; any where absent. */
  readonly kind?: InvoiceKind
  readonly prepare: (document: Element) => Element
  /** @throws NoSuchPlaceError where the document has no place for it */
  readonly apply: (document: Element) => BrokenDocument
}

/** Every class of an invoice that is valid and wrong in meaning. */
export const doubtfulInvoices = (): readonly DoubtfulClass[] =>
  [...doubtfulAmounts, ...doubtfulStatements].map(
    ({ id, summary, warns, path, kind, schemas = everySchema, text, change }) => ({
      id: `meaning:${id}`,
      layer: 'meaning' as const,
      of: 'invoice' as const,
      summary,
      warns,
      schemas,
      ...(kind && { kind }),
      prepare: (document: Element) => document,
      apply: (document: Element) => {
        if (change) return broken(change(document, path), { path })
        const old = textOf(document, path)
        elementAt(document, path)
        const made = text?.(old, document)
        if (made === undefined || made === old)
          throw new NoSuchPlaceError(`${path} is as it must be`)
        return broken(withText(document, path, made), { path, old, new: made })
      },
    }),
  )
