import { queriesPolicy } from '../../../policy/queries.ts'
import type { Mutant } from '../../mutant.ts'
import { bodies } from '../../rewrite.ts'

/** Every page after the first one has the high-water mark of the last first page, whatever the query. */
const markOfAnyQuery = (): Mutant => {
  let mark: unknown
  return bodies<{ readonly permanentStorageHwmDate?: unknown }>(
    ['queries.metadata'],
    ({ permanentStorageHwmDate }, { query }) => {
      if (query['pageOffset'] === 0) mark = permanentStorageHwmDate
      return { permanentStorageHwmDate: mark }
    },
  )
}

/** Defects of the pages of a metadata query. */
export const queriesMetadataPagingMutants = {
  'queries.metadata.paging/mark-of-any-query': markOfAnyQuery(),
  'queries.metadata.paging/mark-of-every-page': { policy: { pageKeepsMark: () => false } },
  'queries.metadata.paging/in-the-order-of-acceptance': {
    policy: { orderDate: ({ acquiredAt }) => acquiredAt },
  },
  'queries.metadata.paging/equal-dates-by-number': {
    also: ['queries.general.date-range'],
    policy: {
      orderDate: (issued, dateType) =>
        dateType === 'issue'
          ? `${issued.facts.issueDate} ${issued.svcNumber}`
          : queriesPolicy.orderDate(issued, dateType),
    },
  },
  'queries.metadata.paging/pages-overlap': {
    policy: {
      metadataPage: (found, offset, size) =>
        found.slice(Math.max(0, offset * size - offset), (offset + 1) * size - offset),
    },
  },
  'queries.metadata.paging/last-page-missing': {
    policy: { moreToCome: (found, offset, size) => found >= (offset + 2) * size },
  },
  'queries.metadata.paging/mark-of-two-pages': {
    policy: {
      pageKeepsMark: (offset, first, fresh) =>
        offset < 2 && queriesPolicy.pageKeepsMark(offset, first, fresh),
    },
  },
} as const satisfies Readonly<Record<string, Mutant>>
