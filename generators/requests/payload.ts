import { createCipheriv, createDecipheriv, createHash } from 'node:crypto'

/** An invoice on its way to the service: hashed, encrypted, described. */

/** The secret of a session. Never for anything real. */
export interface Secret {
  /** 32 bytes. */
  readonly key: Uint8Array
  /** 16 bytes. */
  readonly iv: Uint8Array
}

/** A document, and the secret of the session that it is sent in. */
export interface SubmissionDraft extends Secret {
  readonly xml: Uint8Array
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

export const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
export const digest = (bytes: Uint8Array, algorithm = 'sha256'): Uint8Array =>
  createHash(algorithm).update(bytes).digest()
export const hash64 = (bytes: Uint8Array): string => base64(digest(bytes))

export interface CipherOptions {
  readonly algorithm?: string
  readonly iv?: Uint8Array | null
  readonly padding?: boolean
}

/** Encrypts as asked; right unless asked otherwise. Without padding the plain text must fill its blocks. */
export function encrypted(
  plain: Uint8Array,
  { key, iv }: Secret,
  options: CipherOptions = {},
): Uint8Array {
  const { algorithm = 'aes-256-cbc', padding = true } = options
  const cipher = createCipheriv(algorithm, key, options.iv === undefined ? iv : options.iv)
  cipher.setAutoPadding(padding)
  return Buffer.concat([cipher.update(plain), cipher.final()])
}

/** What a service gets when it decrypts as it should; undefined where the padding is wrong. */
export function decrypted(content: Uint8Array, { key, iv }: Secret): Uint8Array | undefined {
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
