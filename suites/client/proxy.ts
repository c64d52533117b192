import { Buffer } from 'node:buffer'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import http, { createServer } from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { performance } from 'node:perf_hooks'
import type { Dialect } from '../../contract/dialect.ts'
import { delivered } from './conditions/delivery.ts'
import type { History, Step } from './history.ts'
import { createRecorder } from './recorder.ts'
import { inOrder } from './steps.ts'

/**
 * A transparent reverse proxy before a service, which records what a client does. It changes nothing but addresses:
 * those of the service in JSON answers become its own, so that the client follows links through it too.
 */

export interface RecordingProxy {
  /** Address of the proxy, with the prefix of the service. */
  readonly url: string
  history(): History
  close(): Promise<void>
}

export interface ProxyOptions {
  /** Address of the service, with the version prefix. */
  readonly target: string
  readonly port: number
  readonly dialect: Dialect
  readonly environment?: string | undefined
  readonly onStep?: (step: Step) => void
}

const hopByHop = new Set(['connection', 'keep-alive', 'transfer-encoding', 'te', 'upgrade', 'host'])

/**
 * Starts the proxy on the loopback interface.
 * @throws {NodeJS.ErrnoException} when the port is in use
 */
export async function openProxy(options: ProxyOptions): Promise<RecordingProxy> {
  const target = new URL(options.target)
  const recorder = createRecorder(options.dialect)
  const zero = performance.now()
  const epoch = Date.now()
  const now = () => Math.round((performance.now() - zero) * 10) / 10
  const agent = new (target.protocol === 'https:' ? https : http).Agent({ keepAlive: true })
  const server = createServer((request, response) => {
    // A client that hangs up within its own body made no call.
    forward(request, response).catch(() => request.socket.destroy())
  })
  server.listen(options.port, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function forward(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const at = now()
    const body = await bodyOf(incoming)
    const { method = 'GET', url = '/' } = incoming
    const headers = incoming.headers as Record<string, string>
    const answer = await sent(target, agent, { method, url, headers, body }).catch(() => undefined)
    if (answer === undefined) {
      // No answer is handed on as none: a client must not take the proxy's word for the service's.
      incoming.socket.destroy()
      const step = recorder.add({ run: 1, method, url, headers, body, at, ended: now() })
      options.onStep?.(step)
      return
    }
    const handed = {
      ...answer,
      headers: without(answer.headers),
      body: withOwnAddresses(answer, target.origin, origin),
    }
    const delivery = await delivered(outgoing, handed, undefined, { asked: headers, now })
    const step = recorder.add({
      run: 1,
      method,
      url,
      headers,
      body,
      answer: delivery.answer,
      at,
      ended: delivery.at,
      committed: answer.status < 300,
    })
    options.onStep?.(step)
  }

  return {
    url: origin + target.pathname.replace(/\/$/, ''),
    history: () => ({
      source: 'recording',
      epoch,
      environment: options.environment,
      events: [],
      steps: inOrder(recorder.steps),
    }),
    async close() {
      agent.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
}

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

const without = (
  headers: Readonly<Record<string, string>>,
  ...names: readonly string[]
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => !hopByHop.has(name) && !names.includes(name)),
  )

const bodyOf = async (incoming: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

const sent = (
  target: URL,
  agent: http.Agent,
  request: {
    readonly method: string
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: Buffer
  },
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { request: call } = target.protocol === 'https:' ? https : http
    const headers = { ...without(request.headers), 'accept-encoding': 'identity' }
    const outgoing = call(
      target.origin + request.url,
      { method: request.method, headers, agent },
      (incoming) => {
        bodyOf(incoming).then(
          (body) =>
            resolve({
              status: incoming.statusCode ?? 502,
              headers: incoming.headers as Record<string, string>,
              body,
            }),
          reject,
        )
      },
    )
    outgoing.on('error', reject)
    outgoing.end(request.body)
  })

function withOwnAddresses({ headers, body }: Answer, from: string, to: string): Buffer {
  if (headers['content-type']?.includes('json') !== true) return body
  return Buffer.from(body.toString('utf8').replaceAll(from, to))
}
