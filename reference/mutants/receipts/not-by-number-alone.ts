import type { Mutant } from '../mutant.ts'

/** Defects of receipts by their number alone. */
export const receiptsNotByNumberAloneMutants = {
  'receipts.not-by-number-alone/by-number-in-any-session': {
    policy: { receiptIsOfSession: () => true },
  },
} as const satisfies Readonly<Record<string, Mutant>>
