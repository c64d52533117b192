import { policy } from '../../policy/policy.ts'
import type { Mutant } from '../mutant.ts'

/** The size of a document is that of its text in another form. */
const sizeAs = (form: (text: string) => number): Mutant => {
  let size = 0
  return {
    policy: {
      encodingFault(bytes) {
        size = form(Buffer.from(bytes).toString())
        return policy.encodingFault(bytes)
      },
      plainInvoiceFits: (_bytes, limit) => size <= limit,
    },
  }
}

/** The size is that of the bytes that are left. */
const sizeWithout = (pattern: RegExp): Mutant =>
  sizeAs((text) => Buffer.byteLength(text.replaceAll(pattern, '')))

/** Defects of the size of invoices. */
export const invoicesSizeMutants = {
  'invoices.size.without-attachments/in-characters': sizeAs((text) => text.length),
  'invoices.size.without-attachments/line-ends-as-one': sizeWithout(/\r(?=\n)/g),
  'invoices.size.without-attachments/without-white-space': sizeWithout(/(?<=>)\s+(?=<)/g),
  'invoices.size.without-attachments/without-sections': sizeWithout(/<!\[CDATA\[|\]\]>/g),
  'invoices.size.without-attachments/without-declaration': sizeWithout(/^<\?xml.*?\?>/g),
  'invoices.size.without-attachments/references-resolved': sizeAs((text) =>
    Buffer.byteLength(text.replaceAll(/&[#\w]+;/g, '.')),
  ),
  'invoices.size.without-attachments/plain-size-unlimited': {
    policy: { plainInvoiceFits: () => true },
  },
  'invoices.size.without-attachments/plain-size-a-byte-less': {
    policy: { plainInvoiceFits: (bytes, limit) => bytes < limit },
  },
  'invoices.size.with-attachments/attachment-size-unlimited': {
    policy: { attachmentInvoiceFits: () => true },
  },
  'invoices.size.with-attachments/attachment-consent-not-asked': {
    policy: { attachmentConsentSuffices: () => true },
  },
  'invoices.size.with-attachments/consent-given-once': {
    policy: { attachmentConsentSuffices: (consent) => consent !== undefined },
  },
  'invoices.size.with-attachments/attachments-anywhere': {
    policy: { attachmentPlaceAllowed: () => true },
  },
  'invoices.size.with-attachments/none-in-corrections': {
    policy: { attachmentPlaceAllowed: (kind) => kind === 'batch' },
  },
} as const satisfies Readonly<Record<string, Mutant>>
