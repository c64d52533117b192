import type { InvoiceSchemaId } from '../../contract/environments.ts'
import type { RefusalId } from '../../contract/errors.ts'
import type { RuleId } from '../../contract/rules.ts'
import type { Draw } from '../draw/draw.ts'
import type { Element } from '../schema/document.ts'

/** What is malformed. */
type Subject =
  | 'invoice'
  | 'auth-request'
  | 'signed-request'
  | 'token-envelope'
  | 'session'
  | 'submission'
  | 'batch'
  | 'archive'
  | 'json'
  | 'headers'

/** Where the one fault lies. */
export interface Fault {
  /** Path in the document or body, such as `Faktura/Fa/P_15` or `/invoiceHash`; `(bytes)` for the whole. */
  readonly path: string
  readonly old?: string
  readonly new?: string
  /**
   * Paths where a validator may report it instead, if there are any: a missing element is reported at its next
   * sibling or at its parent.
   */
  readonly seenAt?: readonly string[]
}

/** What all classes have. Each breaks one rule, and says which, and what refusal it must provoke. */
export interface Malformation {
  readonly id: string
  readonly layer: string
  readonly of: Subject
  readonly rule: RuleId
  readonly refusedAs: RefusalId
  /** What is wrong, in one sentence without a full stop. */
  readonly summary: string
}

/** The check that detects a fault in a document first; `session`: valid, but not of the session's form. */
export type Judge = 'bytes' | 'parser' | 'schema' | 'session' | 'service'

export interface BrokenDocument {
  readonly bytes: Uint8Array
  readonly fault: Fault
}

export interface InvoiceMalformation extends Malformation {
  readonly of: 'invoice'
  /** The schemas in which it is a fault; empty for a candidate that turns out to be no fault. */
  readonly schemas: readonly InvoiceSchemaId[]
  readonly seenBy: Judge
  /** The document with all that the fault needs, still valid. */
  readonly prepare: (document: Element, draw: Draw) => Element
  /** The prepared document with the fault. */
  readonly apply: (document: Element, draw: Draw) => BrokenDocument
}

export const everySchema: readonly InvoiceSchemaId[] = ['fa3', 'fa2']
