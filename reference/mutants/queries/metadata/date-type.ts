import { dateOf } from '../../../policy/queries.ts'
import type { Mutant } from '../../mutant.ts'

/** Defects of the kinds of date in a metadata query. */
export const queriesMetadataDateTypeMutants = {
  'queries.metadata.date-type/issue-date-is-acquisition': {
    policy: {
      rangeDate: (issued, type) => dateOf(issued, type === 'issue' ? 'acquisition' : type),
    },
  },
  'queries.metadata.date-type/acquisition-is-issue-date': {
    policy: {
      rangeDate: (issued, type) => dateOf(issued, type === 'acquisition' ? 'issue' : type),
    },
  },
} as const satisfies Readonly<Record<string, Mutant>>
