import type { OperationId } from '../../contract/endpoints.ts'
import type { Mutant } from './mutant.ts'
import { day } from './spans.ts'

/** Certificates of one purpose that are not counted. */
export const uncounted = (purpose: string, at: readonly OperationId[]): Mutant => ({
  at,
  tables: {
    certificates: {
      find: (found, index) =>
        index === 'subject' ? found.filter((one) => one.purpose !== purpose) : found,
    },
  },
})

/** Certificates of one purpose are kept as valid for another year. */
export const longerFor = (purpose: string): Mutant => ({
  at: ['enrollment'],
  tables: {
    certificates: {
      write: (next) =>
        next.purpose === purpose ? { ...next, validTo: next.validTo + 365 * day } : next,
    },
  },
})
