import { policy } from '../policy/policy.ts'
import type { Mutant } from './mutant.ts'

/** The links of one use are signed without their expiry. */
export const endUnsigned = (unsigned: 'receipt' | 'upload'): Mutant => ({
  policy: {
    linkContent: (use, subject, until) =>
      use === unsigned ? `${use}\n${subject}` : policy.linkContent(use, subject, until),
  },
})
