import type { InvoiceSchemaId } from '../../contract/environments.ts'
import type { InvoiceKind } from '../invoice/options.ts'
import type { Element } from '../schema/document.ts'
import { elementAt, withChildren } from './edit.ts'

/** A class of invoices that are valid and wrong in meaning, as a row: what to change at a path. */
export interface DoubtfulRow {
  readonly id: string
  readonly summary: string
  readonly warns: string
  readonly path: string
  readonly kind?: InvoiceKind
  readonly schemas?: readonly InvoiceSchemaId[]
  /** Another text at the path; undefined where this document has no place for it. */
  readonly text?: (old: string, document: Element) => string | undefined
  /** The document with the fault. */
  readonly change?: (document: Element, path: string) => Element
}

export const fa = 'Faktura/Fa'
export const line = `${fa}/FaWiersz`
export const notes = `${fa}/Adnotacje`

/** Without the elements of a path. */
export const removed = (document: Element, path: string): Element => {
  elementAt(document, path)
  const at = path.slice(0, path.lastIndexOf('/'))
  const name = path.slice(path.lastIndexOf('/') + 1)
  return withChildren(document, at, (content) => content.filter((each) => each.name !== name))
}
