import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'

/** One call as the proxy sees it. */
export interface Call {
  readonly method: string
  /** Path below the origin, with its query. */
  readonly url: string
  readonly requestBody: Buffer
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: Buffer
}

/** What a faulty service does instead of forwarding an answer. */
export interface Behaviour {
  /** Before the service is asked; true when the call has been dealt with. */
  readonly before?: (call: Call, outgoing: ServerResponse, incoming: IncomingMessage) => boolean
  /** Changes what the service answered. */
  readonly after?: (answer: Answer, call: Call) => Answer | Promise<Answer>
}

export interface FaultProxy {
  readonly origin: string
  /** Every call that came, in order. */
  readonly calls: readonly Call[]
  readonly close: () => Promise<void>
}

const gather = async (message: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** Headers of an answer that the proxy sends for itself, because bodies may have changed. */
const framing = new Set(['content-length', 'transfer-encoding'])

/** Certificate and private key, PEM. */
export interface TlsPair {
  readonly cert: string
  readonly key: string
}

/** A loopback proxy that misbehaves as configured, in front of a sound service; with a certificate, it speaks TLS. */
export const openFaultProxy = async (
  to: string,
  behaviour: Behaviour,
  tls?: TlsPair,
): Promise<FaultProxy> => {
  const calls: Call[] = []
  const relay = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { method = 'GET', url = '/', headers } = incoming
    const requestBody = await gather(incoming)
    const call = { method, url, requestBody }
    calls.push(call)
    if (behaviour.before?.(call, outgoing, incoming) === true) return
    const onward = request(to + url, { method, headers })
    onward.end(requestBody)
    const [answered] = (await once(onward, 'response')) as [IncomingMessage]
    const answer = {
      status: answered.statusCode ?? 0,
      headers: answered.headers,
      body: await gather(answered),
    }
    const { status, headers: given, body } = (await behaviour.after?.(answer, call)) ?? answer
    const kept = Object.entries(given).filter(
      ([name, value]) => value !== undefined && !framing.has(name.toLowerCase()),
    )
    outgoing.writeHead(status, {
      ...(Object.fromEntries(kept) as NodeJS.Dict<string>),
      'content-length': String(body.length),
    })
    outgoing.end(status === 204 ? undefined : body)
  }
  const listener: RequestListener = (incoming, outgoing) => {
    relay(incoming, outgoing).catch(() => outgoing.destroy())
  }
  const server = tls === undefined ? createServer(listener) : https.createServer(tls, listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Changes the JSON body of an answer. */
export const withJson = (
  answer: Answer,
  change: (body: Record<string, unknown>) => unknown,
): Answer => {
  const body = JSON.parse(answer.body.toString('utf8')) as Record<string, unknown>
  return { ...answer, body: Buffer.from(JSON.stringify(change(body))) }
}
