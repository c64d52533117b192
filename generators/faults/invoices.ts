import type { InvoiceSchemaId } from '../../contract/environments.ts'
import type { Draw } from '../draw/draw.ts'
import { seededDraw } from '../draw/draw.ts'
import type { Element } from '../schema/document.ts'
import { encodings } from './bytes.ts'
import { choice } from './choice.ts'
import { documentType } from './doctype.ts'
import type { BrokenDocument, InvoiceMalformation } from './malformation.ts'
import { missing } from './missing.ts'
import { namespaces } from './namespace.ts'
import { occurrence } from './occurrence.ts'
import { order } from './order.ts'
import { semantics } from './semantics.ts'
import type { SemanticMalformation } from './semantics.ts'
import { sizes } from './size.ts'
import { unknown } from './unknown.ts'
import { values } from './values.ts'
import { wellFormed } from './well-formed.ts'

let all: readonly SemanticMalformation[] | undefined

/**
 * Candidates for classes of malformed invoices, layer by layer; created on first use. Some are a fault in no schema:
 * their `schemas` are empty, which takes time to find out.
 */
export function malformationCandidates(): readonly SemanticMalformation[] {
  return (all ??= [
    ...encodings(),
    ...wellFormed(),
    ...documentType(),
    ...namespaces(),
    ...missing(),
    ...order(),
    ...choice(),
    ...occurrence(),
    ...unknown(),
    ...values(),
    ...sizes(),
    ...semantics(),
  ])
}

/** Every class of malformed invoice. */
export const invoiceMalformations = (): readonly SemanticMalformation[] =>
  malformationCandidates().filter(({ schemas }) => schemas.length > 0)

/** The classes that a schema can have. */
export const invoiceMalformationsOf = (schema: InvoiceSchemaId): readonly SemanticMalformation[] =>
  malformationCandidates().filter(({ schemas }) => schemas.includes(schema))

export interface Malformed extends BrokenDocument {
  /** The document with all that the fault needs, before it has the fault; valid. */
  readonly before: Element
}

/** What puts a fault into a document. */
export type Maker = Pick<InvoiceMalformation, 'prepare' | 'apply'>

/** Puts a fault into a valid document; the same seed gives the same fault. */
export function malform(entry: Maker, document: Element, seed: number): Malformed {
  return malformWith(entry, document, seededDraw(seed))
}

/** The same from choices, for arbitraries. */
export function malformWith(entry: Maker, document: Element, draw: Draw): Malformed {
  const before = entry.prepare(document, draw)
  return { before, ...entry.apply(before, draw) }
}
