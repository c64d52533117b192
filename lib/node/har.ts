import type { Exchange } from '../exchange.ts'
import { hidden, redactText } from '../redact.ts'
import { redactBody } from './record.ts'

/** HAR files (HTTP Archive 1.2), which every browser opens: the part of the format that is read and written here. */

export interface HarHeader {
  readonly name: string
  readonly value: string
}

export interface HarEntry {
  readonly startedDateTime: string
  readonly time?: number
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers?: readonly HarHeader[]
    readonly postData?: { readonly text?: string }
  }
  readonly response?: {
    readonly status?: number
    readonly headers?: readonly HarHeader[]
    readonly content?: { readonly text?: string; readonly encoding?: string }
  }
}

const secretHeaders = new Set(['authorization', 'cookie', 'set-cookie', 'proxy-authorization'])

const headersOf = (headers: Readonly<Record<string, string>>): HarHeader[] =>
  Object.entries(headers).map(([name, value]) => ({
    name,
    value: secretHeaders.has(name.toLowerCase()) ? hidden : redactText(value),
  }))

const queryOf = (url: string): HarHeader[] =>
  [...new URL(url).searchParams].map(([name, value]) => ({ name, value }))

const unused = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1 }

/** One exchange, without secrets; browsers want every member of the format. */
const entryOf = ({ request, status, headers, bytes, startedAt, ms }: Exchange): HarEntry => {
  const url = redactText(request.url)
  const { body } = request
  const sent = body === undefined || body.length === 0 ? undefined : redactBody(body)
  const response = {
    ...unused,
    status,
    statusText: '',
    headers: headersOf(headers),
    content: {
      size: bytes.length,
      mimeType: headers['content-type'] ?? '',
      text: redactBody(bytes),
    },
    redirectURL: '',
    bodySize: bytes.length,
  }
  const asked = {
    ...unused,
    method: request.method,
    url,
    headers: headersOf(request.headers),
    queryString: queryOf(url),
    bodySize: body?.length ?? 0,
    ...(sent === undefined
      ? {}
      : { postData: { mimeType: request.headers['content-type'] ?? '', text: sent } }),
  }
  return Object.assign(
    { startedDateTime: new Date(startedAt).toISOString(), time: ms, request: asked, response },
    { cache: {}, timings: { send: 0, wait: ms, receive: 0 } },
  )
}

/**
 * The HAR of some exchanges, without secrets.
 * @param comment what the exchanges belong to
 */
export const harOf = (exchanges: readonly Exchange[], comment: string): string =>
  `${JSON.stringify(
    {
      log: {
        version: '1.2',
        creator: { name: 'assay', version: '1', comment },
        entries: exchanges.map(entryOf),
      },
    },
    undefined,
    1,
  )}\n`
