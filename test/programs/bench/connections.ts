import { once } from 'node:events'
import net from 'node:net'

/**
 * A caller with little overhead: keeps several connections busy with requests that are already bytes, one after the
 * other on each, and reads as little of the answers as possible.
 */
export interface Load {
  readonly url: string
  readonly connections: number
  /** Heads and bodies of the requests, in order. */
  readonly requests: Iterable<Buffer>
  /** Status that every answer must have. */
  readonly status: number
  /** Whether the caller keeps a core busy all the time, so that no answer has to wake it. */
  readonly awake?: boolean
}

/**
 * Sends all of them.
 * @returns seconds that it took
 * @throws {Error} on another status than the expected one
 */
export const hammer = async ({
  url,
  connections,
  requests,
  status,
  awake = false,
}: Load): Promise<number> => {
  const { hostname, port } = new URL(url)
  const next = requests[Symbol.iterator]()
  const sockets = await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = net.connect(Number(port), hostname)
      socket.setNoDelay(true)
      await once(socket, 'connect')
      return socket
    }),
  )
  const began = performance.now()
  const rest = awake ? stayAwake() : undefined
  await Promise.all(sockets.map((socket) => converse(socket, next, status)))
  const seconds = (performance.now() - began) / 1000
  rest?.()
  for (const socket of sockets) socket.destroy()
  return seconds
}

/**
 * Never waits for the operating system, so that no answer has to wake the process: otherwise the faster side would
 * sleep most of the time, and a server that is slower than its caller would pay for the wake-up with every answer.
 */
const stayAwake = (): (() => void) => {
  let awake = true
  const turn = (): void => {
    if (awake) setImmediate(turn)
  }
  turn()
  return () => {
    awake = false
  }
}

const converse = (socket: net.Socket, next: Iterator<Buffer>, status: number): Promise<void> =>
  new Promise((resolve, reject) => {
    let received: Buffer = Buffer.alloc(0)
    const ask = (): void => {
      const { done, value } = next.next()
      if (done) resolve()
      else socket.write(value)
    }
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('the connection was closed')))
    socket.on('data', (chunk: Buffer) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
      const end = received.indexOf('\r\n\r\n')
      if (end < 0) return
      const head = received.toString('latin1', 0, end)
      const length = Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? 0)
      if (received.length < end + 4 + length) return
      if (!head.startsWith(`HTTP/1.1 ${status} `)) {
        reject(new Error(`expected ${status}, got ${received.toString('utf8').slice(0, 500)}`))
        return
      }
      received = Buffer.alloc(0)
      ask()
    })
    ask()
  })

/** A request as bytes, for a connection that is kept. */
export const requestBytes = (
  method: string,
  url: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
): Buffer => {
  const { host, pathname, search } = new URL(url)
  const lines = [
    `${method} ${pathname}${search} HTTP/1.1`,
    `host: ${host}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : [`content-length: ${Buffer.byteLength(body)}`]),
    '',
    body ?? '',
  ]
  return Buffer.from(lines.join('\r\n'))
}
