import type { Answer, Handlers, ProtectedCall } from '../call/call.ts'
import type { MetadataQuery } from '../invoices/query.ts'
import { markOfPage } from '../invoices/marks.ts'
import { findIssued, metadataView, readRange } from '../invoices/query.ts'
import { refuse } from '../base/refusals.ts'
import { utc } from '../base/wording.ts'

const search = (
  { service, caller, body, query: parameters }: Omit<ProtectedCall, 'path'>,
  general: boolean,
): Answer => {
  const { policy } = service
  const query = body as MetadataQuery
  const offset = parameters['pageOffset'] as number
  const range = readRange(service, query, markOfPage(service, caller.context, query, offset))
  if (range.outsideData) {
    throw refuse(
      'query-outside-data',
      `Data are complete up to ${utc(range.highWaterMark ?? service.clock.now())}`,
    )
  }
  const matching = findIssued(service, caller.context, query, range)
  const found = general ? [...policy.generalRange(matching)] : matching
  if (parameters['sortOrder'] === 'Desc') found.reverse()
  const size = parameters['pageSize'] as number
  const most = service.limit('query.records')
  const records = found.slice(0, most)
  const atEnd = !policy.moreToCome(records.length, offset, size)
  const truncated = atEnd && found.length > most
  return {
    body: {
      hasMore: !atEnd || truncated,
      isTruncated: truncated,
      permanentStorageHwmDate: range.highWaterMark === undefined ? null : utc(range.highWaterMark),
      invoices: policy
        .metadataPage(records, offset, size)
        .map((issued) => metadataView(service, issued)),
    },
  }
}

/** Handlers of queries. Source: specification, Query metadata request; gap 8. */
export const queriesHandlers = {
  'queries.metadata': (call) => search(call, false),
  'queries.general': (call) => search(call, true),
} satisfies Handlers<'queries'>
