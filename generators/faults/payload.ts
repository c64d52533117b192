import { createCipheriv, createDecipheriv, createHash } from 'node:crypto'
import type { RefusalId } from '../../contract/errors.ts'
import type { Draw } from '../draw.ts'
import type { Fault, Malformation } from './malformation.ts'

/** What the layers share that go wrong between the document and the service. */

/** A document, and the secret of the session that it is sent in. */
export interface SubmissionDraft {
  readonly xml: Uint8Array
  /** 32 bytes. */
  readonly key: Uint8Array
  /** 16 bytes. */
  readonly iv: Uint8Array
  /** The key as it was sent, encrypted under the service's certificate. */
  readonly wrappedKey: Uint8Array
}

/** The body of a submission, in the canonical form. */
export interface SubmissionBody {
  readonly invoiceHash: string
  readonly invoiceSize: number
  readonly encryptedInvoiceHash: string
  readonly encryptedInvoiceSize: number
  readonly encryptedInvoiceContent: string
}

export interface BrokenSubmission {
  readonly body: Readonly<Record<string, unknown>>
  readonly fault: Fault
  /** What a service comes upon first; the class says what it usually is. */
  readonly refusedAs: RefusalId
}

export interface SubmissionMalformation extends Malformation {
  readonly of: 'submission'
  readonly apply: (draft: SubmissionDraft, draw: Draw) => BrokenSubmission
}

export const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
export const digest = (bytes: Uint8Array, algorithm = 'sha256'): Uint8Array =>
  createHash(algorithm).update(bytes).digest()
export const hash64 = (bytes: Uint8Array): string => base64(digest(bytes))

/** Bytes from choices: the same for the same draw. */
export const drawBytes = (draw: Draw, count: number): Uint8Array =>
  Uint8Array.from({ length: count }, () => draw.int(0, 255))

export interface CipherOptions {
  readonly algorithm?: string
  readonly iv?: Uint8Array | null
  readonly padding?: boolean
}

/** Encrypts as asked; right unless asked otherwise. Without padding the plain text must fill its blocks. */
export function encrypted(
  plain: Uint8Array,
  { key, iv }: Pick<SubmissionDraft, 'key' | 'iv'>,
  options: CipherOptions = {},
): Uint8Array {
  const { algorithm = 'aes-256-cbc', padding = true } = options
  const cipher = createCipheriv(algorithm, key, options.iv === undefined ? iv : options.iv)
  cipher.setAutoPadding(padding)
  return Buffer.concat([cipher.update(plain), cipher.final()])
}

/** What a service gets when it decrypts as it should; undefined where the padding is wrong. */
export function decrypted(
  content: Uint8Array,
  { key, iv }: Pick<SubmissionDraft, 'key' | 'iv'>,
): Uint8Array | undefined {
  if (content.length === 0 || content.length % 16 !== 0) return undefined
  const decipher = createDecipheriv('aes-256-cbc', key, iv)
  try {
    return Buffer.concat([decipher.update(content), decipher.final()])
  } catch {
    return undefined
  }
}

/** The body for content that is encrypted already, rightly or wrongly; it describes both truly. */
export function describe(xml: Uint8Array, content: Uint8Array): SubmissionBody {
  return {
    invoiceHash: hash64(xml),
    invoiceSize: xml.length,
    encryptedInvoiceHash: hash64(content),
    encryptedInvoiceSize: content.length,
    encryptedInvoiceContent: base64(content),
  }
}

/** The body as it should be. */
export const submission = (draft: SubmissionDraft): SubmissionBody =>
  describe(draft.xml, encrypted(draft.xml, draft))

/** First bytes of a document: `<`, white space, and those of byte order marks. */
const beginnings = new Set([0x3c, 0x20, 0x09, 0x0a, 0x0d, 0xef, 0xfe, 0xff])

/**
 * What a service sees first in content that should have been the document: what does not decrypt, or decrypts to
 * something else than markup, was encrypted wrongly; what looks like a document has a size and a hash.
 */
export function seenFirst(draft: SubmissionDraft, content: Uint8Array): RefusalId {
  const plain = decrypted(content, draft)
  if (!plain || !beginnings.has(plain[0] ?? 0)) return 'invoice-undecryptable'
  return plain.length === draft.xml.length ? 'invoice-hash-mismatch' : 'invoice-size-mismatch'
}
