import { Buffer } from 'node:buffer'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { performance } from 'node:perf_hooks'
import type { Dialect } from '../../contract/dialect.ts'
import type { WireResponse } from '../../lib/exchange.ts'
import { sendToTarget } from '../../lib/node/target-send.ts'
import type { TargetProfile } from '../../lib/node/target.ts'
import { delivered } from './conditions/delivery.ts'
import type { History, Step } from './history.ts'
import { createRecorder } from './recorder.ts'
import { inOrder } from './steps.ts'

/**
 * A transparent reverse proxy before a service, which records what a client does. It changes nothing but addresses:
 * those of the service in JSON answers become its own, so that the client follows links through it too. At a service
 * that needs consent, a writing call without it is withheld.
 */

export interface RecordingProxy {
  /** Address of the proxy, with the prefix of the service. */
  readonly url: string
  history(): History
  close(): Promise<void>
}

export interface ProxyOptions {
  /** The service, and what its operator consents to. */
  readonly profile: TargetProfile
  readonly port: number
  readonly dialect: Dialect
  readonly environment?: string | undefined
  readonly onStep?: (step: Step) => void
  /** A writing call lacks consent: it was not forwarded, and is not part of the history. */
  readonly onWithheld?: (reason: string) => void
}

/** Milliseconds for a whole exchange: how long a client waits is for the client to decide. */
const timeoutMs = 600_000

class Withheld extends Error {
  override readonly name = 'Withheld'
}

const withhold = (outgoing: ServerResponse, { message }: Withheld): void => {
  const refusal = JSON.stringify({ title: 'Withheld by assay record', detail: message })
  outgoing.writeHead(403, { 'content-type': 'application/problem+json' }).end(refusal)
}

const hopByHop = new Set(['connection', 'keep-alive', 'transfer-encoding', 'te', 'upgrade', 'host'])

/**
 * Starts the proxy on the loopback interface.
 * @throws {NodeJS.ErrnoException} when the port is in use
 */
export async function openProxy(options: ProxyOptions): Promise<RecordingProxy> {
  const target = new URL(options.profile.url)
  const recorder = createRecorder(options.dialect)
  const zero = performance.now()
  const epoch = Date.now()
  const now = () => Math.round((performance.now() - zero) * 10) / 10
  const sender = sendToTarget(options.profile, {
    dialect: options.dialect,
    timeoutMs,
    refuse: (reason) => new Withheld(reason),
  })
  const report = (step: Step): void => options.onStep?.(step)
  const server = createServer((request, response) => {
    // A client that disconnects while it sends its body made no call.
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
    const asked = { run: 1, method, url, headers, body, at }
    const answer = await sender
      .send({
        method,
        url: target.origin + url,
        headers: { ...without(headers), 'accept-encoding': 'identity' },
        ...(body.length === 0 ? {} : { body }),
      })
      .catch((error: unknown) => (error instanceof Withheld ? error : undefined))
    if (answer instanceof Withheld) {
      withhold(outgoing, answer)
      return options.onWithheld?.(answer.message)
    }
    if (answer === undefined) {
      // A missing answer stays a missing answer: the client must not take one from the proxy for one from the service.
      incoming.socket.destroy()
      return report(recorder.add({ ...asked, ended: now() }))
    }
    const handed = {
      ...answer,
      headers: without(answer.headers),
      body: withOwnAddresses(answer, target.origin, origin),
    }
    const delivery = await delivered(outgoing, handed, undefined, { asked: headers, now })
    const { answer: kept, at: ended } = delivery
    const committed = answer.status < 300
    report(recorder.add({ ...asked, answer: kept, ended, committed }))
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
      sender.close()
      server.closeAllConnections()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
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

function withOwnAddresses({ headers, body }: WireResponse, from: string, to: string): Uint8Array {
  if (headers['content-type']?.includes('json') !== true) return body
  return Buffer.from(Buffer.from(body).toString('utf8').replaceAll(from, to))
}
