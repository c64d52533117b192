import { policy } from '../../policy/policy.ts'
import type { Mutant } from '../mutant.ts'

/** The size of a document is that of its text. */
const sizeInCharacters = (): Mutant => {
  let characters = 0
  return {
    policy: {
      encodingFault(bytes) {
        characters = Buffer.from(bytes).toString().length
        return policy.encodingFault(bytes)
      },
      plainInvoiceFits: (_bytes, limit) => characters <= limit,
    },
  }
}

/** Defects of the size of invoices. */
export const invoicesSizeMutants = {
  'invoices.size.without-attachments/in-characters': sizeInCharacters(),
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
