import type { OperationId } from '../../contract/endpoints.ts'
import { textOf } from './answers.ts'

/** Facts of a call that a judge needs besides its outcome; nothing in them is secret. */

interface Seen {
  readonly request: unknown
  /** The body of a successful answer. */
  readonly body: unknown
  readonly query: string
  readonly raw: Uint8Array
}

type Fields = Readonly<Record<string, unknown>>
type Reader = (seen: Seen) => Fields

const validUntil = (body: unknown, ...path: string[]): number | undefined => {
  const at = Date.parse(textOf(body, ...path, 'validUntil') ?? '')
  return Number.isNaN(at) ? undefined : at
}

const opening: Reader = ({ request, body }) => ({
  opened: textOf(body, 'referenceNumber'),
  initVector: textOf(request, 'initVector'),
})

const readers: Partial<Record<OperationId, Reader>> = {
  'auth.xades': ({ body }) => ({ validUntil: validUntil(body, 'authenticationToken') }),
  'auth.token': ({ body }) => ({ validUntil: validUntil(body, 'authenticationToken') }),
  'auth.redeem': ({ body }) => ({
    accessUntil: validUntil(body, 'accessToken'),
    refreshUntil: validUntil(body, 'refreshToken'),
  }),
  'auth.refresh': ({ body }) => ({ accessUntil: validUntil(body, 'accessToken') }),
  'sessions.openOnline': opening,
  'sessions.openBatch': opening,
  'exports.create': opening,
  'keys.list': ({ body }) => ({ entries: Array.isArray(body) ? body.length : 0 }),
  'invoices.submit': ({ request, body }) => ({
    reference: textOf(body, 'referenceNumber'),
    lineBreaks: /[\r\n]/.test(textOf(request, 'encryptedInvoiceContent') ?? ''),
  }),
  'sessions.invoices': ({ body }) => ({ hasMore: textOf(body, 'continuationToken') !== undefined }),
  'queries.metadata': ({ request, body, query }) => ({
    subjectType: textOf(request, 'subjectType'),
    dateType: textOf(request, 'dateRange', 'dateType'),
    from: textOf(request, 'dateRange', 'from'),
    pageOffset: new URLSearchParams(query).get('pageOffset') ?? '0',
    hasMore: (body as { hasMore?: unknown } | undefined)?.hasMore,
    isTruncated: (body as { isTruncated?: unknown } | undefined)?.isTruncated,
  }),
}

/** The facts of a call, by the readers above. */
export const factsOf = (operation: OperationId | undefined, seen: Seen): Fields =>
  (operation && readers[operation]?.(seen)) ?? {}
