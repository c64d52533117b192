import { randomBytes } from 'node:crypto'
import type { OperationId } from '../../contract/endpoints.ts'
import { endpoint } from '../../contract/endpoints.ts'
import { refusal } from '../../contract/errors.ts'
import type { Service } from '../call/service.ts'
import type { Answer } from '../call/call.ts'
import type { Refused } from '../base/refusals.ts'
import { answerOf } from '../base/refusals.ts'
import type { Words } from '../base/published-words.ts'
import type { Wire } from '../http/wire.ts'

type Headers = Readonly<Record<string, string>>

interface Facts {
  readonly status: number
  readonly code: number
  readonly description: string
  readonly details: readonly string[]
  readonly [name: string]: unknown
}

/** What goes out: answers, refusals and failures in the words and shapes of the dialect. */
export interface Responses {
  answered(operation: OperationId, status: number, answer: Answer): Response
  /** @param path of the call, without its query */
  refused(refused: Refused, headers: Headers, path: string, operation?: OperationId): Response
  failed(headers: Headers, path: string): Response
}

/** Bodies of responses by this process: to read one back as a stream takes longer than most calls. */
const bodies = new WeakMap<Response, string | Uint8Array>()

const withBody = (body: string | Uint8Array<ArrayBuffer>, init: ResponseInit): Response => {
  const response = new Response(body, init)
  bodies.set(response, body)
  return response
}

/** The body of a response, for a caller in the same process. */
export const bodyOf = async (response: Response): Promise<Uint8Array> => {
  const body = bodies.get(response) ?? (await response.arrayBuffer())
  return typeof body === 'string' ? Buffer.from(body) : new Uint8Array(body)
}

const titles: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  409: 'Conflict',
  410: 'Gone',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
}

/** The statuses inside a body in the words of the published description. */
const reword = (
  body: unknown,
  wordsOf: (code: number, description: string) => Words | undefined,
): unknown => {
  const walk = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(walk)
    if (typeof node !== 'object' || node === null) return node
    return Object.fromEntries(
      Object.entries(node).map(([name, inner]) => [
        name,
        name === 'status' ? worded(inner) : walk(inner),
      ]),
    )
  }
  const worded = (status: unknown): unknown => {
    const { code, description } = (status ?? {}) as { code?: unknown; description?: unknown }
    if (typeof code !== 'number' || typeof description !== 'string') return walk(status)
    const found = wordsOf(code, description)
    if (found === undefined) return status
    return {
      ...(status as object),
      description: found.description,
      ...(found.detail === undefined ? {} : { details: [found.detail] }),
    }
  }
  return walk(body)
}

/** The responses of a service. Headers are plain objects: building `Headers` for each would cost more than the rest. */
export const createResponses = (service: Service, wire: Wire): Responses => {
  const { dialect, clock, words } = service

  const worded = (operation: OperationId, body: unknown): unknown => {
    const route = words && wire.route(operation)
    const path = route?.paths[0]?.slice(dialect.prefix.length)
    if (words === undefined || route === undefined || path === undefined) return body
    return reword(body, (code, description) => words.status(route.method, path, code, description))
  }

  const error = (facts: Facts, asked: Headers, path: string, headers: Headers): Response => {
    const { media, body } = wire.error(
      {
        ...facts,
        title: titles[facts.status] ?? 'Error',
        timestamp: new Date(clock.now()).toISOString(),
        instance: path,
        traceId: randomBytes(16).toString('hex'),
      },
      asked['x-error-format'],
    )
    return withBody(JSON.stringify(body), {
      status: facts.status,
      headers: { ...headers, 'content-type': media },
    })
  }

  return {
    answered(operation, status, answer) {
      const row = endpoint(operation)
      const code = answer.status ?? status
      const { bytes, body, headers } = answer
      if (bytes === undefined && body === undefined)
        return new Response(null, { status: code, headers: { ...headers } })
      const own = bytes === undefined ? 'application/json' : row.answer.media
      const media = answer.media ?? own ?? 'application/octet-stream'
      return withBody(
        bytes === undefined
          ? JSON.stringify(worded(operation, wire.write(row.answer.schema, body)))
          : (bytes as Uint8Array<ArrayBuffer>),
        { status: code, headers: { ...headers, 'content-type': media } },
      )
    },
    refused(refused, asked, path, operation) {
      const { status, code } = answerOf(refused.id, dialect, operation)
      const { details } = refused
      const other = words?.refusal(path.slice(dialect.prefix.length), code)
      const description = other?.description ?? refusal(refused.id).description
      const shown = other?.detail === undefined ? details : [other.detail]
      return error(
        {
          ...dialect.facts?.[refused.id],
          ...refused.facts,
          status,
          code,
          description,
          details: shown,
        },
        asked,
        path,
        refused.headers,
      )
    },
    failed: (asked, path) =>
      error(
        { status: 500, code: 500, description: 'The service failed', details: [] },
        asked,
        path,
        {},
      ),
  }
}
