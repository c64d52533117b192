import type { OperationId } from '../../contract/endpoints.ts'
import { policy } from '../policy/policy.ts'
import type { Mutant } from './mutant.ts'
import { day } from './spans.ts'

/** Certificates of one purpose that are not counted, nor the applications for them. */
export const uncounted = (purpose: string, at: readonly OperationId[]): Mutant => ({
  at,
  tables: {
    certificates: {
      find: (found, index) =>
        index === 'subject' ? found.filter((one) => one.purpose !== purpose) : found,
    },
    enrollments: {
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

/** Certificates of persons are valid for another year. */
export const longerForPersons = (): Mutant => {
  let isPerson = false
  return {
    at: ['enrollment'],
    tables: {
      enrollments: {
        read(found) {
          isPerson = found?.subject.type === 'Pesel'
          return found
        },
      },
    },
    policy: { certificateDays: (years) => policy.certificateDays(isPerson ? years + 1 : years) },
  }
}
