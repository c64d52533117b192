import type { OperationId } from '../../contract/endpoints.ts'
import type { BearerKind, Sighting } from './history.ts'

/** What the answers of the service tell a client, read in the words of the contract. */

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A text at a path of names, or undefined. */
export function textOf(value: unknown, ...path: readonly string[]): string | undefined {
  let inner = value
  for (const name of path) inner = isFields(inner) ? inner[name] : undefined
  return typeof inner === 'string' ? inner : undefined
}

const numberOf = (value: unknown, ...path: readonly string[]): number | undefined => {
  let inner = value
  for (const name of path) inner = isFields(inner) ? inner[name] : undefined
  return typeof inner === 'number' ? inner : undefined
}

const listOf = (value: unknown, name: string): readonly unknown[] => {
  const inner = isFields(value) ? value[name] : undefined
  return Array.isArray(inner) ? inner : []
}

/** The lifecycle code of a status, or the code of an error, in any of the shapes that dialects give it. */
export function errorCodeOf(body: unknown): number | undefined {
  const own = numberOf(body, 'status', 'code') ?? numberOf(body, 'code')
  if (own !== undefined) return own
  const [first] = [
    ...listOf(body, 'errors'),
    ...listOf(isFields(body) ? body['exception'] : undefined, 'exceptionDetailList'),
  ]
  return numberOf(first, 'code') ?? numberOf(first, 'exceptionCode')
}

/** What an answer that reports a failure says about it: its details, else its description. */
export function explanationsIn(body: unknown): string[] {
  const holders = [
    isFields(body) ? body['status'] : undefined,
    ...listOf(body, 'errors'),
    ...listOf(isFields(body) ? body['exception'] : undefined, 'exceptionDetailList'),
    body,
  ]
  for (const holder of holders) {
    const details = listOf(holder, 'details').filter((one) => typeof one === 'string')
    if (details.length > 0) return details
    const description = textOf(holder, 'description') ?? textOf(holder, 'exceptionDescription')
    if (description !== undefined) return [description]
  }
  return []
}

export interface IssuedToken {
  readonly token: string
  readonly kind: BearerKind
  readonly validUntil?: number | undefined
}

const tokenAt = (value: unknown, kind: BearerKind): IssuedToken[] => {
  const token = typeof value === 'string' ? value : textOf(value, 'token')
  if (token === undefined) return []
  const until = Date.parse(textOf(value, 'validUntil') ?? '')
  return [{ token, kind, validUntil: Number.isNaN(until) ? undefined : until }]
}

/** Tokens that an answer issues. */
export function tokensIn(operation: OperationId | undefined, body: unknown): IssuedToken[] {
  if (!isFields(body)) return []
  if (operation === 'auth.xades' || operation === 'auth.token')
    return tokenAt(body['authenticationToken'], 'authentication')
  if (operation === 'auth.redeem')
    return [...tokenAt(body['accessToken'], 'access'), ...tokenAt(body['refreshToken'], 'refresh')]
  if (operation === 'auth.refresh') return tokenAt(body['accessToken'], 'access')
  return []
}

const sightingOf = (entry: unknown, session: string | undefined): Sighting => ({
  reference: textOf(entry, 'referenceNumber'),
  session: textOf(entry, 'sessionReferenceNumber') ?? session,
  hash: textOf(entry, 'invoiceHash'),
  number: textOf(entry, 'invoiceNumber'),
  svcNumber: textOf(entry, 'svcNumber'),
  originalSvcNumber: textOf(entry, 'originalSvcNumber'),
  code: numberOf(entry, 'status', 'code'),
})

const statusOperations: ReadonlySet<string> = new Set([
  'invoices.inSession',
  'invoices.status',
  'invoices.statusBySvcNumber',
])

/** Documents that a successful answer describes. */
export function sightingsIn(
  operation: OperationId | undefined,
  parameters: Readonly<Record<string, string>>,
  body: unknown,
  request: unknown,
): Sighting[] {
  if (operation === undefined) return []
  const session = parameters['referenceNumber']
  if (statusOperations.has(operation)) {
    const inSession = operation === 'invoices.inSession' ? session : undefined
    return [sightingOf(body, inSession)]
  }
  if (operation === 'sessions.invoices' || operation === 'sessions.failed')
    return listOf(body, 'invoices').map((entry) => sightingOf(entry, session))
  if (operation === 'queries.metadata' || operation === 'queries.general')
    return listOf(body, 'invoices').map((entry) => ({ ...sightingOf(entry, undefined), code: 200 }))
  if (operation === 'invoices.submit')
    return [
      {
        reference: textOf(body, 'referenceNumber'),
        session,
        hash: textOf(request, 'invoiceHash'),
      },
    ]
  return []
}

/** Service numbers on a page of a query. */
export const listedIn = (operation: OperationId | undefined, body: unknown): string[] | undefined =>
  operation === 'queries.metadata'
    ? listOf(body, 'invoices').flatMap((entry) => textOf(entry, 'svcNumber') ?? [])
    : undefined

/** Addresses of receipts in an answer, with the document or session that each is about. */
export function receiptLinksIn(
  operation: OperationId | undefined,
  parameters: Readonly<Record<string, string>>,
  body: unknown,
): { readonly url: string; readonly of: string }[] {
  const entries = [body, ...listOf(body, 'invoices')]
  const documents = entries.flatMap((entry) => {
    const url = textOf(entry, 'upoDownloadUrl')
    const of = textOf(entry, 'referenceNumber')
    return url === undefined || of === undefined ? [] : [{ url, of }]
  })
  const session = parameters['referenceNumber']
  if (operation !== 'sessions.status' || session === undefined) return documents
  const pages = listOf(isFields(body) ? body['upo'] : undefined, 'pages')
  return [
    ...documents,
    ...pages.flatMap((page) => {
      const url = textOf(page, 'downloadUrl')
      return url === undefined ? [] : [{ url, of: session }]
    }),
  ]
}

/** Addresses for parts of a package, with the headers that the service asks for. */
export const uploadsIn = (
  operation: OperationId | undefined,
  body: unknown,
): { readonly url: string; readonly headers: Readonly<Record<string, string>> }[] =>
  operation === 'sessions.openBatch'
    ? listOf(body, 'partUploadRequests').flatMap((entry) => {
        const url = textOf(entry, 'url')
        const headers = isFields(entry) ? entry['headers'] : undefined
        if (url === undefined || !isFields(headers)) return []
        const texts = Object.entries(headers).map(([name, value]) => [name, String(value)])
        return [{ url, headers: Object.fromEntries(texts) as Record<string, string> }]
      })
    : []
