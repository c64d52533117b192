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

/** A certificate begins when that was requested, even in the past, and ends two years after it is issued. */
export const sinceTheIssue = (): Mutant => {
  let early = 0
  const wholeSeconds = (at: number) => Math.floor(at / 1_000) * 1_000
  return {
    at: ['enrollment'],
    policy: {
      certificateStart(requested, issuedAt) {
        const start = requested ?? issuedAt
        early = Math.max(0, wholeSeconds(issuedAt) - wholeSeconds(start)) / day
        return start
      },
      certificateDays: (years) => policy.certificateDays(years) + early,
    },
  }
}
