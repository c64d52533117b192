import { once } from 'node:events'
import type { IncomingMessage, Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { isIP } from 'node:net'
import type { HttpBindings } from '@hono/node-server'
import { createAdaptorServer } from '@hono/node-server'
import type { Tls } from './tls.ts'

/** Two listeners: one for callers, one for management. */

export interface SocketOptions {
  readonly host: string
  /** 0 for any that is free. */
  readonly port: number
  readonly managementHost: string
  readonly managementPort: number
  /** How long a caller may take for the head of a request and for all of it, ms. */
  readonly timeouts: { readonly headers: number; readonly request: number }
  readonly tls: Tls | undefined
  /** The process serves nothing else: lighter classes replace its global `Request` and `Response`. */
  readonly dedicated: boolean
}

/** What is known of a connection and the head of its request. */
interface Connection {
  readonly address: string
  /** By lower-case names; absent where a name came twice. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Reads the body, once, as it came. Rejects when the connection ends before it does. */
  readonly body: () => Promise<Uint8Array>
}

/** The functions behind the listeners. */
export interface Behind {
  fetch(request: Request, connection: Connection): Promise<Response>
  manage(request: Request): Promise<Response>
}

export interface Sockets {
  /** Scheme, host and port. */
  readonly origin: string
  readonly managementUrl: string
  /** Takes no new connection, and lets running calls end. */
  drain(): Promise<void>
  /** Stops immediately. */
  abandon(): void
}

/** How long running calls may take once the server closes, ms. */
const grace = 5_000

/** How long a connection may be idle, ms: longer than callers keep theirs, so that none is closed by its next call. */
const keepAliveTimeout = 65_000

/** How often connections are looked through for those that are idle or late, ms. */
const rounds = 1_000

export const defaultTimeouts = { headers: 60_000, request: 120_000 }

const listen = async (
  server: Server,
  port: number,
  host: string,
  scheme = 'http',
): Promise<string> => {
  server.listen(port, host)
  // `once` rejects on the error event, so that a port in use is the caller's to deal with.
  await once(server, 'listening')
  const address = server.address() as AddressInfo
  // A name is shown as it was given: the address that it leads to may be in no certificate.
  const asked = isIP(host) === 0 ? host : address.address
  const shown = asked.includes(':') ? `[${asked}]` : asked
  return `${scheme}://${shown === '0.0.0.0' || shown === '[::]' ? '127.0.0.1' : shown}:${address.port}`
}

const drain = async (server: Server): Promise<void> => {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  // A connection that is busy now is idle once its call was answered.
  const sweep = setInterval(() => server.closeIdleConnections(), 50)
  const force = setTimeout(() => server.closeAllConnections(), grace)
  await closed
  clearTimeout(force)
  clearInterval(sweep)
}

/** How long a caller that was answered in the middle of its body may go on writing, ms. */
const lingering = 1_000

/** Lets callers read their answer before the connection ends: cut off while they write, they would lose it. */
const linger = (server: Server): void => {
  const latest = new WeakMap<Socket, IncomingMessage>()
  server.on('request', (request: IncomingMessage) => {
    const { socket } = request
    const known = latest.has(socket)
    latest.set(socket, request)
    if (known) return
    const end = socket.destroySoon.bind(socket)
    socket.destroySoon = () => {
      if (latest.get(socket)?.complete !== false) {
        end()
        return
      }
      socket.end()
      const timer = setTimeout(() => socket.destroy(), lingering)
      socket.once('close', () => clearTimeout(timer))
    }
  })
}

const bodyOf = (incoming: IncomingMessage): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)))
    incoming.on('error', reject)
    incoming.on('close', () => {
      if (!incoming.readableEnded) reject(new Error('the connection ended within the body'))
    })
  })

/** Of some repeated headers Node keeps only the first: then the headers of the request itself are read. */
const connectionOf = (incoming: IncomingMessage): Connection => {
  const { socket, headers, rawHeaders } = incoming
  return {
    address: socket.remoteAddress ?? '',
    headers:
      Object.keys(headers).length * 2 === rawHeaders.length
        ? (headers as Record<string, string>)
        : undefined,
    body: () => bodyOf(incoming),
  }
}

/**
 * Opens the listeners.
 * @throws {NodeJS.ErrnoException} when a port is not available
 */
export const openSockets = async (behind: Behind, options: SocketOptions): Promise<Sockets> => {
  const { timeouts, tls } = options
  const server = createAdaptorServer({
    ...(tls && { createServer: createSecureServer }),
    fetch: (request, env) => behind.fetch(request, connectionOf((env as HttpBindings).incoming)),
    overrideGlobalObjects: options.dedicated,
    serverOptions: {
      requestTimeout: timeouts.request,
      headersTimeout: timeouts.headers,
      keepAliveTimeout,
      connectionsCheckingInterval: Math.min(rounds, timeouts.headers),
      ...(tls && { key: tls.keyPem, cert: tls.certificatePem }),
    },
  }) as Server
  const management = createAdaptorServer({
    fetch: (request) => behind.manage(request),
    overrideGlobalObjects: false,
    serverOptions: { keepAliveTimeout },
  }) as Server
  linger(server)
  // Without this, Node hangs up on it.
  server.on('connect', (_request, socket) => {
    socket.end('HTTP/1.1 405 Method Not Allowed\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
  })
  const abandon = (): void => {
    server.close()
    management.close()
  }
  try {
    return {
      origin: await listen(server, options.port, options.host, tls && 'https'),
      managementUrl: await listen(management, options.managementPort, options.managementHost),
      drain: async () => {
        await Promise.all([drain(server), drain(management)])
      },
      abandon,
    }
  } catch (error) {
    abandon()
    throw error
  }
}
