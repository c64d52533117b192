import process from 'node:process'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Dialect } from '../../../contract/dialect.ts'
import type { WireExchange } from '../recorder.ts'
import type { Route } from '../routes.ts'
import { altered } from './alter.ts'
import type { Act, Fault } from './condition.ts'
import { wordsOf } from './condition.ts'
import type { Plain } from './delivery.ts'
import { delivered } from './delivery.ts'
import type { Schedule } from './schedule.ts'

/**
 * The way from a client to the service: a separate server in front of the service's `fetch`, which does to each call
 * what the schedule says, down to the socket, and reports what the client saw of it.
 */

export interface FrontOptions {
  readonly dialect: Dialect
  readonly route: Route
  readonly schedule: Schedule
  /** The service: its answer, and what its journal says of the call. */
  readonly serve: (
    request: Request,
  ) => Promise<{ readonly response: Response; readonly verdict: JournalVerdict }>
  readonly act: (act: Act) => Promise<void>
  /** Which start of the client is running. */
  readonly run: () => number
  readonly now: () => number
  readonly record: (exchange: WireExchange, truth: Truth | undefined) => void
}

/** Why the service itself refused a call. */
export type JournalVerdict = Pick<WireExchange, 'refusal' | 'details' | 'isMisencrypted'>

/** What the service answered, whatever the client saw of it. */
export interface Truth {
  readonly status: number
  readonly body: Uint8Array
}

export interface Front {
  readonly origin: string
  /** Refuses connections for this long. No connection may be open. */
  hide(ms: number): Promise<void>
  close(): Promise<void>
}

export async function openFront(options: FrontOptions): Promise<Front> {
  const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
    handle(options, origin, request, response).catch((error: unknown) => {
      process.stderr.write(`examine: ${String(error)}\n`)
      request.socket.destroy()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  let hidden: NodeJS.Timeout | undefined
  return {
    origin,
    async hide(ms) {
      await new Promise((resolve) => {
        server.close(resolve)
      })
      hidden = setTimeout(() => server.listen(port, '127.0.0.1'), ms)
    },
    async close() {
      clearTimeout(hidden)
      server.closeAllConnections()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
}

async function handle(
  options: FrontOptions,
  origin: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { now, schedule, route, run } = options
  const at = now()
  const url = incoming.url ?? '/'
  const method = incoming.method ?? 'GET'
  const path = url.split('?', 1)[0] ?? url
  const met = schedule({ operation: route(method, path)?.operation, path, now: at })
  const { fault } = met
  const started = run()
  const asked = incoming.headers as Record<string, string>
  const base = { run: started, method, url, headers: asked, at, fault: fault && wordsOf(fault) }
  const record = (
    answer: Plain | undefined,
    body: Uint8Array,
    more: Partial<WireExchange> = {},
    truth?: Truth,
  ) => options.record({ ...base, ended: now(), ...more, body, answer }, truth)

  if (fault?.kind === 'reset-upload') {
    await firstBytes(incoming)
    incoming.socket.resetAndDestroy()
    record(undefined, new Uint8Array(), { committed: false })
    return
  }
  const body = await bodyOf(incoming)
  for (const act of met.before) await options.act(act)
  if (fault?.kind === 'lost-before' || incoming.socket.destroyed) {
    incoming.socket.destroy()
    record(undefined, body, { committed: false })
    return
  }
  if (fault?.kind === 'refuse') {
    const { answer, at: ended } = await delivered(outgoing, refusalOf(fault), fault, { asked, now })
    record(answer, body, { committed: false, ended })
    return
  }
  const request = requestOf(origin, method, url, asked, corrupted(body, fault))
  const { response, verdict } = await options.serve(request)
  const truth = { status: response.status, body: new Uint8Array(await response.arrayBuffer()) }
  for (const act of met.after) await options.act(act)
  const committed = truth.status < 300
  const answer = shaped(options.dialect, truth, Object.fromEntries(response.headers), fault)
  const delivery = await delivered(outgoing, answer, fault, { asked, now })
  record(delivery.answer, body, { committed, ...verdict, ended: delivery.at }, truth)
}

const firstBytes = (incoming: IncomingMessage): Promise<void> =>
  new Promise((resolve) => {
    incoming.once('data', () => resolve())
    incoming.once('end', () => resolve())
    incoming.once('close', () => resolve())
  })

const bodyOf = async (incoming: IncomingMessage): Promise<Uint8Array> => {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
  } catch {
    // The client disconnected while it was sending the body.
  }
  return Buffer.concat(chunks)
}

/** Changes a byte in the middle, if that is what the fault does. */
function corrupted(body: Uint8Array, fault: Fault | undefined): Uint8Array {
  if (fault?.kind !== 'corrupt-upload' || body.length === 0) return body
  const copy = Uint8Array.from(body)
  const middle = Math.floor(copy.length / 2)
  copy[middle] = copy[middle]! ^ 1
  return copy
}

const hopByHop = new Set(['connection', 'keep-alive', 'transfer-encoding', 'expect', 'upgrade'])

function requestOf(
  origin: string,
  method: string,
  url: string,
  given: Readonly<Record<string, string>>,
  body: Uint8Array,
): Request {
  const headers = Object.entries(given).filter(
    ([name, value]) => !hopByHop.has(name) && typeof value === 'string',
  )
  const hasBody = method !== 'GET' && method !== 'HEAD' && body.length > 0
  return new Request(origin + url, {
    method,
    headers,
    ...(hasBody && { body: Buffer.from(body) }),
  })
}

function refusalOf({
  status,
  retryAfter,
  isDate,
  body,
}: Extract<Fault, { kind: 'refuse' }>): Plain {
  const texts = {
    none: '',
    html: `<!DOCTYPE html><html><head><title>${status}</title></head><body><h1>${status}</h1><p>upstream</p></body></html>`,
    json: JSON.stringify({
      code: status,
      description: 'The service cannot answer now',
      details: [],
    }),
  }
  return {
    status,
    headers: {
      ...(body !== 'none' && {
        'content-type': body === 'html' ? 'text/html' : 'application/json',
      }),
      ...(retryAfter !== undefined && {
        'retry-after': isDate
          ? new Date(Date.now() + retryAfter * 1000).toUTCString()
          : String(retryAfter),
      }),
    },
    body: Buffer.from(texts[body]),
  }
}

function shaped(
  dialect: Dialect,
  { status, body }: Truth,
  headers: Readonly<Record<string, string>>,
  fault: Fault | undefined,
): Plain {
  if (fault === undefined || status >= 300 || headers['content-type']?.includes('json') !== true)
    return { status, headers, body }
  const value = altered(JSON.parse(Buffer.from(body).toString('utf8')), fault, dialect)
  return value === undefined
    ? { status, headers, body }
    : { status, headers, body: Buffer.from(JSON.stringify(value)) }
}
