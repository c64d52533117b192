import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One exchange as it passed between a client and a service. */
export interface Passed {
  readonly method: string
  readonly url: string
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly requestBody: Buffer
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

export interface Tap {
  readonly origin: string
  /** What passed, in the order in which it ended. */
  readonly passed: readonly Passed[]
  /** Sets the origin to which calls are forwarded. */
  connect(to: string): void
  close(): Promise<void>
}

const gather = async (message: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

const flat = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

/** A proxy on loopback that passes everything on unchanged and keeps it. */
export const openTap = async (): Promise<Tap> => {
  const passed: Passed[] = []
  let upstream = ''
  const server = createServer((incoming, outgoing) => {
    const relay = async () => {
      const { method = 'GET', url = '/', headers } = incoming
      const requestBody = await gather(incoming)
      const onward = request(upstream + url, { method, headers })
      onward.end(requestBody)
      const [answer] = (await once(onward, 'response')) as [IncomingMessage]
      const body = await gather(answer)
      const status = answer.statusCode ?? 0
      passed.push({
        method,
        url,
        requestHeaders: flat(incoming),
        requestBody,
        status,
        headers: flat(answer),
        body,
      })
      outgoing.writeHead(status, answer.headers)
      outgoing.end(body)
    }
    relay().catch((error: unknown) => outgoing.destroy(error as Error))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passed,
    connect(to) {
      upstream = to
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
