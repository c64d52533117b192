import type { SessionForm } from '../../contract/environments.ts'
import type { Instant } from '../base/instants.ts'
import type { ContextIdentifier, SubjectIdentifier } from './entities.ts'
import type { Status } from '../base/refusals.ts'
import type { InvoiceFacts } from './invoice-facts.ts'

/** What the service remembers about sessions, invoices, receipts and exports. Internal shapes: the wire has others. */

/** Who sent: what a receipt says about the login. */
export type LoginProof =
  | { readonly token: string }
  /** SHA-256 of the signed request exactly as it came, Base64. */
  | { readonly document: string }

export type Compression = 'Zip' | 'TarGz'

export interface AnnouncedPart {
  readonly ordinalNumber: number
  /** Of the encrypted part. */
  readonly fileSize: number
  readonly fileHash: string
}

/** A package as the opening of a batch session announced it. */
export interface AnnouncedPackage {
  readonly compression: Compression
  /** Of the plain archive. */
  readonly fileSize: number
  readonly fileHash: string
  readonly parts: readonly AnnouncedPart[]
  /** End of the time for the upload. */
  readonly uploadUntil: Instant
}

export interface Session {
  readonly referenceNumber: string
  readonly kind: 'online' | 'batch'
  readonly context: ContextIdentifier
  /** Who opened it. */
  readonly subject: SubjectIdentifier
  readonly proof: LoginProof
  readonly openedAt: Instant
  readonly validUntil: Instant
  readonly schema: SessionForm
  readonly key: Uint8Array
  readonly iv: Uint8Array
  /** The encrypted key as it came: it helps to explain why content does not decrypt. */
  readonly wrappedKey: Uint8Array
  /** How a batch session with an unusable key ends once it is processed. */
  readonly refused?: Status
  readonly package?: AnnouncedPackage
  readonly offline: boolean
  readonly status: Status
  readonly updatedAt: Instant
  readonly closedAt?: Instant
  /** Invoices received, accepted, rejected; the rest is being processed. */
  readonly total: number
  readonly accepted: number
  readonly rejected: number
  /** References of the pages of the aggregate receipt, in order. */
  readonly receipts: readonly string[]
}

export interface Invoice {
  readonly referenceNumber: string
  readonly session: string
  /** From 1, in the order of arrival. */
  readonly ordinal: number
  readonly receivedAt: Instant
  /** Of the plain document, Base64; declared, or computed by the service where the caller does not declare it. */
  readonly hash: string
  readonly size: number
  /** Name in the package. */
  readonly fileName?: string
  readonly offline: boolean
  /** Hash of the rejected invoice that this one corrects technically. */
  readonly corrects?: string
  readonly status: Status
  /** P_2, once it could be read. */
  readonly number?: string
  readonly svcNumber?: string
}

/** Bytes of an invoice: as they came until it is processed, plain once it is accepted. */
export interface Content {
  readonly invoice: string
  readonly form: 'encrypted' | 'plain'
  /** Whether a caller declared hash and size of the plain document. */
  readonly declared: boolean
  readonly bytes: Uint8Array
}

/** An accepted invoice. */
export interface Issued {
  readonly svcNumber: string
  readonly invoice: string
  readonly session: string
  readonly schema: SessionForm
  readonly context: ContextIdentifier
  readonly hash: string
  readonly facts: InvoiceFacts
  readonly mode: 'Online' | 'Offline'
  readonly corrects?: string
  readonly invoicingAt: Instant
  readonly acquiredAt: Instant
  /** When it became retrievable; absent until then. */
  readonly storedAt?: Instant
}

/** Invoices of one seller under one number. */
export interface Collective {
  readonly number: string
  /** Key of the context that created it. */
  readonly context: string
  readonly seller: string
  readonly createdAt: Instant
  readonly invoices: readonly {
    readonly svcNumber: string
    readonly payment?: { readonly amount: number; readonly currency: string } | null
    readonly description?: string | null
  }[]
}

/** The triple that is unique, and who holds it. */
export interface Claim {
  readonly triple: string
  readonly svcNumber: string
  readonly session: string
  /** Key of the context that holds it. */
  readonly context: string
  readonly at: Instant
  /** Last day on which it holds, `YYYY-MM-DD` in Europe/Warsaw. */
  readonly until: string
}

/** One page of the aggregate receipt of a session. */
export interface ReceiptPage {
  readonly referenceNumber: string
  readonly session: string
  readonly page: number
  readonly pages: number
  /** Ordinals, among the accepted, of the first and last document. */
  readonly first: number
  readonly last: number
  readonly documents: number
  readonly at: Instant
}

/** A part of a batch package that was uploaded, or of an export. */
export interface Part {
  readonly id: string
  readonly session: string
  readonly ordinalNumber: number
  readonly bytes: Uint8Array
}

export interface ExportPart {
  readonly ordinalNumber: number
  readonly name: string
  readonly size: number
  readonly hash: string
  readonly encryptedSize: number
  readonly encryptedHash: string
}

export interface Export {
  readonly referenceNumber: string
  readonly context: ContextIdentifier
  readonly subject: SubjectIdentifier
  readonly requestedAt: Instant
  readonly filters: unknown
  /** Dates as they were asked for, an open end closed. */
  readonly range: { readonly from: Instant; readonly to: Instant; readonly outsideData: boolean }
  readonly onlyMetadata: boolean
  readonly compression: Compression
  readonly key: Uint8Array
  readonly iv: Uint8Array
  readonly status: Status
  readonly completedAt?: Instant
  readonly expiresAt?: Instant
  readonly result?: ExportResult
}

interface ExportResult {
  readonly invoiceCount: number
  /** Of the archive, bytes. */
  readonly size: number
  readonly truncated: boolean
  readonly parts: readonly ExportPart[]
  readonly dateType: 'issue' | 'acquisition' | 'invoicing' | 'permanentStorage'
  /** Date of the last document of a package that does not hold all. */
  readonly last?: Instant | string
  readonly highWaterMark?: Instant
}
