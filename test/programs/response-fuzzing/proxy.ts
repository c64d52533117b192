import { once } from 'node:events'
import http from 'node:http'
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { svc } from '../../../contract/dialects/svc.ts'
import { endpoint, operationIds } from '../../../contract/endpoints.ts'
import type { OperationId } from '../../../contract/endpoints.ts'
import { refusal } from '../../../contract/errors.ts'
import { absence, wireOperation } from '../../../lib/wire.ts'
import { createOpaque } from './opaque.ts'
import type { Opaque } from './opaque.ts'
import { headerIn, jsonIn, styleOf } from './style.ts'
import type { Style } from './style.ts'
import { variationOf, rewriteBody, rewriteRefusal } from './rewrite.ts'

/**
 * A proxy in front of the reference: it forwards every call from the address that it came from, and rewrites the
 * response as another service might write it. It changes only what the contract does not specify.
 */
export interface RewritingProxy {
  readonly origin: string
  /** Where the calls go, scheme, host and port. */
  lead(to: string): void
  /** Responses that were rewritten. */
  readonly answers: () => number
  /** Calls that it could not answer. */
  readonly faults: readonly string[]
  close(): Promise<void>
}

interface Known {
  readonly operation: OperationId
  readonly method: string
  readonly path: RegExp
}

const pathOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll(/[.]/g, '\\.').replaceAll(/\{[^}]*\}/g, '[^/]+')}/?$`)

const known: readonly Known[] = operationIds.flatMap((operation) => {
  if (absence(operation, svc) !== undefined) return []
  const { method, path, aliases, atOrigin } = wireOperation(operation, svc)
  return [path, ...aliases].flatMap((one) =>
    [svc.prefix, ...(atOrigin ? [''] : [])].map((prefix) => ({
      operation,
      method,
      path: pathOf(`${prefix}${one}`),
    })),
  )
})

const operationOf = (method: string, path: string): OperationId | undefined =>
  // A path without parameters comes before one that has some.
  known
    .filter((one) => one.method === method && one.path.test(path))
    .toSorted(
      (a, b) => Number(a.path.source.includes('[')) - Number(b.path.source.includes('[')),
    )[0]?.operation

const bodyOf = async (message: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** Headers that belong to a connection, and not to what is said over it. */
const ofConnection = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length'])

const forwarded = (request: IncomingMessage, opaque: Opaque): OutgoingHttpHeaders => {
  const headers: OutgoingHttpHeaders = {}
  for (const [name, values = []] of Object.entries(request.headersDistinct)) {
    if (ofConnection.has(name)) continue
    const shown =
      name === 'x-continuation-token'
        ? values.map(opaque.reveal)
        : name === 'authorization'
          ? values.map((value) =>
              value.replace(
                /^(\S+ )(.*)$/,
                (_, kind: string, token: string) => kind + opaque.reveal(token),
              ),
            )
          : values
    // Of some headers there can be only one.
    headers[name] = shown.length === 1 ? shown[0] : shown
  }
  return headers
}

interface Told {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly body: Buffer
}

const callOn = async (
  to: string,
  request: IncomingMessage,
  path: string,
  headers: OutgoingHttpHeaders,
  body: Buffer,
): Promise<Told> => {
  const { remoteAddress } = request.socket
  const call = http.request(to + path, {
    method: request.method,
    headers: { ...headers, ...(body.length > 0 ? { 'content-length': String(body.length) } : {}) },
    ...(remoteAddress !== undefined && { localAddress: remoteAddress }),
    agent,
  })
  call.end(body)
  const [answer] = (await once(call, 'response')) as [IncomingMessage]
  const distinct = Object.entries(answer.headersDistinct).filter(
    ([name]) => !ofConnection.has(name),
  )
  return {
    status: answer.statusCode ?? 0,
    headers: Object.fromEntries(distinct.map(([name, values = []]) => [name, values])),
    body: await bodyOf(answer),
  }
}

const agent = new http.Agent({ keepAlive: true, timeout: 4_000 })

const jsonOf = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

const extraHeaders: Readonly<Record<string, string>> = {
  'x-request-id': '4bf92f3577b34da6a3ce929d0e0e4736',
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'cache-control': 'no-store',
  server: 'another',
  'set-cookie': 'lb=7; Path=/; HttpOnly',
  'x-ratelimit-remaining': '0',
}

const give = (style: Style, response: ServerResponse, reply: Told): void => {
  const { status, body } = reply
  const headers: string[] = []
  const add = (name: string, value: string) => headers.push(headerIn(style, name), value)
  for (const [name, value] of Object.entries(reply.headers))
    for (const one of [value].flat()) add(name, name === 'content-type' ? style.media(one) : one)
  for (const [name, value] of Object.entries(extraHeaders))
    if (!(name in reply.headers)) add(name, value)
  if (style.closes) add('connection', 'close')
  const bare = status === 204 || status === 304
  if (!style.chunked && !bare) add('content-length', String(body.length))
  response.writeHead(status, headers)
  if (style.chunked && body.length > 1) {
    const middle = Math.floor(body.length / 2)
    response.write(body.subarray(0, middle))
    response.end(body.subarray(middle))
  } else response.end(body)
}

const storage = '/storage/'

/** Where a hidden address leads; undefined if it was never issued. */
const revealed = (asked: string, opaque: Opaque, origin: string): string | undefined => {
  const { pathname, searchParams } = new URL(asked, origin)
  const word = pathname.slice(storage.length)
  const address = opaque.reveal(word)
  if (address === word) return undefined
  const url = new URL(address)
  for (const [name, value] of searchParams) url.searchParams.append(name, opaque.reveal(value))
  return url.pathname + url.search
}

const gone = refusal('link-refused').answer

/** The answer for an address that was never issued. */
const unknownAddress: Told = {
  status: gone?.statuses[0] ?? 0,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify({ code: gone?.codes[0], description: 'no such address' })),
}

/** Opens a proxy on a free port; it forwards calls once it knows their destination. */
export const openProxy = async (seed: number): Promise<RewritingProxy> => {
  const opaque = createOpaque(seed)
  const styles = new Map<string, Style>()
  const styleFor = (operation: string): Style => {
    const style = styles.get(operation) ?? styleOf(seed, operation)
    styles.set(operation, style)
    return style
  }
  let to = ''
  let origin = ''
  let answers = 0
  const faults: string[] = []

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(request)
    const asked = request.url ?? '/'
    const path = asked.startsWith(storage) ? revealed(asked, opaque, origin) : asked
    if (path === undefined) return give(styleFor('storage'), response, unknownAddress)
    const reply = await callOn(to, request, path, forwarded(request, opaque), body)
    const operation = operationOf(request.method ?? '', path.split('?', 1)[0] ?? '')
    const style = styleFor(operation ?? 'none')
    const variation = variationOf(style, opaque, origin, `${seed} ${operation} ${++answers}`)
    const media = String(reply.headers['content-type'] ?? '')
    const value = media.includes('json') ? jsonOf(reply.body) : undefined
    if (value === undefined) return give(style, response, reply)
    const ok = reply.status < 300
    const schema = operation === undefined ? undefined : endpoint(operation).answer.schema
    // The description of the interface is a document of its own kind.
    const varied =
      ok && schema !== undefined && schema !== 'OpenApiDocument'
        ? { status: reply.status, body: rewriteBody(variation, schema, value) }
        : ok
          ? { status: reply.status, body: value }
          : rewriteRefusal(variation, reply.status, value)
    return give(style, response, {
      ...reply,
      status: varied.status,
      body: Buffer.from(jsonIn(style, varied.body)),
    })
  }

  const server = http.createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      // A caller that went away is no fault of the proxy.
      if (!request.socket.destroyed)
        faults.push(`${request.method} ${request.url}: ${String(error)}`)
      response.destroy()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    lead: (there) => void (to = there),
    answers: () => answers,
    faults,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
