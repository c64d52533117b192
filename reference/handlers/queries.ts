import type { Answer, Handlers, ProtectedCall } from '../call/call.ts'
import type { MetadataQuery } from '../invoices/query.ts'
import { markOfPage } from '../invoices/marks.ts'
import { findIssued, metadataView, readRange } from '../invoices/query.ts'
import { refuse } from '../base/refusals.ts'
import { pageByNumber } from '../http/paging.ts'
import { utc } from '../base/wording.ts'

const search = ({
  service,
  caller,
  body: query,
  query: parameters,
}: Omit<ProtectedCall, 'path'> & { readonly body: MetadataQuery }): Answer => {
  const { policy } = service
  const offset = parameters['pageOffset'] as number
  const range = readRange(service, query, markOfPage(service, caller.context, query, offset))
  if (range.outsideData) {
    throw refuse(
      'query-outside-data',
      `Data are complete up to ${utc(range.highWaterMark ?? service.clock.now())}`,
    )
  }
  const found = findIssued(service, caller.context, query, range)
  if (parameters['sortOrder'] === 'Desc') found.reverse()
  const size = parameters['pageSize'] as number
  const maximum = service.limit('query.records')
  const records = found.slice(0, maximum)
  const atEnd = !policy.moreToCome(records.length, offset, size)
  const truncated = atEnd && found.length > maximum
  return {
    body: {
      hasMore: !atEnd || truncated,
      isTruncated: truncated,
      permanentStorageHwmDate: range.highWaterMark === undefined ? null : utc(range.highWaterMark),
      invoices: policy.metadataPage(records, offset, size).map(metadataView),
    },
  }
}

/** Handlers of queries. Source: specification, Query metadata request; gap 8. */
export const queriesHandlers = {
  'queries.metadata': search,
  'queries.general': search,
  'queries.providers': (call) => {
    const providers = [...call.service.state.providers.values()].toSorted(
      (a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1),
    )
    const { items, hasMore } = pageByNumber(call, providers)
    return {
      body: {
        peppolProviders: items.map(({ id, name, createdAt }) => ({
          id,
          name,
          dateCreated: utc(createdAt),
        })),
        hasMore,
      },
    }
  },
} satisfies Handlers<'queries'>
