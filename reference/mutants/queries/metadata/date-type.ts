import { policy } from '../../../policy/policy.ts'
import { dateOf } from '../../../policy/queries.ts'
import type { Mutant } from '../../mutant.ts'

/** The date of issue is that of the supply, where a document names one. */
const supplyAsIssue = (): Mutant => {
  const supplied = new Map<string, string>()
  return {
    policy: {
      decryptContent(key, iv, bytes) {
        const plain = policy.decryptContent(key, iv, bytes)
        const xml = Buffer.from(plain ?? []).toString()
        const [, number] = /<P_2>(.*?)</.exec(xml) ?? []
        const [, date] = /<P_6>(.*?)</.exec(xml) ?? []
        if (number !== undefined && date !== undefined) supplied.set(number, date)
        return plain
      },
      rangeDate: (issued, type) =>
        (type === 'issue' ? supplied.get(issued.facts.number) : undefined) ?? dateOf(issued, type),
    },
  }
}

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
  'queries.metadata.date-type/supply-as-issue': supplyAsIssue(),
} as const satisfies Readonly<Record<string, Mutant>>
