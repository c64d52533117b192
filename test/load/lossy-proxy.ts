import { createServer, request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A proxy in front of a service that causes faults which a load run must notice. */

export interface Spoiler {
  /** Answers instead of the service; undefined lets the call through. */
  readonly instead?: (call: Call) => { readonly status: number; readonly body: string } | undefined
  /** Whether the call gets no answer at all. */
  readonly holds?: (call: Call) => boolean
  /** How often the call reaches the service; 1 when absent. */
  readonly times?: (call: Call) => number
  /** Changes the body of an answer. */
  readonly answer?: (call: Call, body: string) => string
}

export interface Call {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

const bodyOf = async (message: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

const forward = (origin: string, call: Call): Promise<{ message: IncomingMessage; body: Buffer }> =>
  new Promise((resolve, reject) => {
    const sent = request(
      origin + call.path,
      { method: call.method, headers: { ...call.headers, 'content-length': call.body.length } },
      (message) => {
        bodyOf(message).then((body) => resolve({ message, body }), reject)
      },
    )
    sent.on('error', reject)
    sent.end(call.body)
  })

export const startProxy = async (
  origin: string,
  spoiler: Spoiler,
): Promise<{ readonly origin: string; readonly close: () => Promise<void> }> => {
  const server = createServer((incoming, outgoing) => {
    const handle = async () => {
      const body = await bodyOf(incoming)
      const call = {
        method: incoming.method ?? 'GET',
        // A client that takes this for its HTTP proxy sends the whole address.
        path: (incoming.url ?? '/').replace(/^http:\/\/[^/]+/, ''),
        headers: incoming.headers,
        body,
      }
      const instead = spoiler.instead?.(call)
      if (instead !== undefined) {
        outgoing.writeHead(instead.status, { 'content-type': 'application/json' })
        outgoing.end(instead.body)
        return
      }
      if (spoiler.holds?.(call) === true) return
      let answer = await forward(origin, call)
      for (let more = 1; more < (spoiler.times?.(call) ?? 1); more += 1)
        answer = await forward(origin, call)
      const text = spoiler.answer?.(call, answer.body.toString('utf8'))
      const bytes = text === undefined ? answer.body : Buffer.from(text)
      const headers = { ...answer.message.headers, 'content-length': String(bytes.length) }
      // The two exclude each other.
      delete headers['transfer-encoding']
      outgoing.writeHead(answer.message.statusCode ?? 502, headers)
      outgoing.end(bytes)
    }
    handle().catch(() => outgoing.destroy())
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
