import type { RefusalId } from '../../contract/errors.ts'
import type { Draw } from '../draw/draw.ts'
import type { SubmissionDraft } from '../requests/payload.ts'
import { decrypted } from '../requests/payload.ts'
import type { Fault, Malformation } from './malformation.ts'

export interface BrokenSubmission {
  readonly body: Readonly<Record<string, unknown>>
  readonly fault: Fault
  /** The refusal of the fault that a service detects first; the class names the usual one. */
  readonly refusedAs: RefusalId
}

export interface SubmissionMalformation extends Malformation {
  readonly of: 'submission'
  readonly apply: (draft: SubmissionDraft, draw: Draw) => BrokenSubmission
}

/** First bytes of a document: `<`, white space, and those of byte order marks. */
const beginnings = new Set([0x3c, 0x20, 0x09, 0x0a, 0x0d, 0xef, 0xfe, 0xff])

/**
 * What a service detects first in content that should have been the document: what does not decrypt, or decrypts to
 * something other than markup, was encrypted wrongly; what looks like a document has a size and a hash.
 */
export function seenFirst(draft: SubmissionDraft, content: Uint8Array): RefusalId {
  const plain = decrypted(content, draft)
  if (!plain || !beginnings.has(plain[0] ?? 0)) return 'invoice-undecryptable'
  return plain.length === draft.xml.length ? 'invoice-hash-mismatch' : 'invoice-size-mismatch'
}
