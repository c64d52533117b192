import { once } from 'node:events'
import type { Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { HttpBindings } from '@hono/node-server'
import { createAdaptorServer } from '@hono/node-server'
import type { Capability } from '../contract/types.ts'
import type { SeedFile } from './seed-file.ts'
import type { SeededContext, SeededToken } from './seed.ts'
import type { RunningService, ServiceOptions } from './service.ts'
import { createService } from './service.ts'
import type { Tls } from './tls.ts'
import { keepTls } from './tls.ts'

/** The service behind sockets: one listener for callers, one for management. */

export interface ServerOptions extends ServiceOptions {
  /** `127.0.0.1` when absent. */
  readonly host?: string
  /** 0, or absent, for any that is free. */
  readonly port?: number
  readonly managementHost?: string
  readonly managementPort?: number
  /** Contexts made ahead for the profile; one when absent, those of the seed file where it names some. */
  readonly contexts?: number
  readonly seedFile?: SeedFile
  /** How long a caller may take for the head of a request and for all of it, ms; a minute and two when absent. */
  readonly patience?: { readonly headers: number; readonly request: number }
  /** The process serves nothing else: its global `Request` and `Response` give way to lighter ones. */
  readonly dedicated?: boolean
  /** Speaks TLS, with a certificate made for this host. */
  readonly tls?: boolean
}

/** A target profile: what a tester or a client needs to use the service at once. */
export interface Profile {
  readonly url: string
  readonly dialect: string
  readonly environment: string
  readonly management: string
  readonly seed?: number
  readonly contexts: readonly SeededContext[]
  readonly capabilities: readonly Capability[]
  /** The reference keeps every assumption of the contract. */
  readonly assumptions: true
}

export interface RunningServer {
  /** With the version prefix. */
  readonly url: string
  readonly managementUrl: string
  readonly profile: Profile
  readonly running: RunningService
  /** Path of the certificate (PEM) that callers have to trust, where the server speaks TLS. */
  readonly trust: string | undefined
  /** Tokens of the seed file, in its order. */
  readonly tokens: readonly SeededToken[]
  /** Takes no new connection, lets running calls end, then stops. */
  close(): Promise<void>
}

const capabilities: readonly Capability[] = [
  'clock',
  'testdata',
  'token',
  'second',
  'ips',
  'rotate',
  'provoke',
  'hostile',
  'bulk',
]

/** How long running calls may take once the server closes, ms. */
const grace = 5_000

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
  const shown = address.address.includes(':') ? `[${address.address}]` : address.address
  return `${scheme}://${shown === '0.0.0.0' || shown === '[::]' ? '127.0.0.1' : shown}:${address.port}`
}

/** How often connections are looked through for those that are idle or late, ms. */
const rounds = 1_000

const drain = async (server: Server): Promise<void> => {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  // What is busy now is idle once it was answered.
  const sweep = setInterval(() => server.closeIdleConnections(), 50)
  const force = setTimeout(() => server.closeAllConnections(), grace)
  await closed
  clearTimeout(force)
  clearInterval(sweep)
}

/**
 * Starts the service and its management on sockets.
 * @throws {NodeJS.ErrnoException} when a port cannot be had
 */
export const startServer = async (options: ServerOptions = {}): Promise<RunningServer> => {
  const running = await createService(options)
  const host = options.host ?? '127.0.0.1'
  const patience = options.patience ?? { headers: 60_000, request: 120_000 }
  const tls: Tls | undefined = options.tls ? await keepTls(running.service.state, host) : undefined
  const server = createAdaptorServer({
    ...(tls && { createServer: createSecureServer }),
    fetch: (request, env) =>
      running.fetch(request, {
        address: (env as HttpBindings).incoming.socket.remoteAddress ?? '',
      }),
    overrideGlobalObjects: options.dedicated ?? false,
    serverOptions: {
      requestTimeout: patience.request,
      headersTimeout: patience.headers,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: Math.min(rounds, patience.headers),
      ...(tls && { key: tls.keyPem, cert: tls.certificatePem }),
    },
  }) as Server
  const management = createAdaptorServer({
    fetch: (request) => running.management.fetch(request),
    overrideGlobalObjects: false,
  }) as Server
  try {
    const origin = await listen(server, options.port ?? 0, host, tls && 'https')
    const managementUrl = await listen(
      management,
      options.managementPort ?? 0,
      options.managementHost ?? '127.0.0.1',
    )
    running.control.publish(origin)
    const contexts: SeededContext[] = []
    const wanted = options.seedFile?.contexts ?? []
    const made =
      wanted.length > 0 ? wanted : Array.from({ length: options.contexts ?? 1 }, () => ({}))
    for (const seed of made) contexts.push(await running.control.makeContext(seed))
    const tokens = running.control.preload(options.seedFile ?? {})
    await running.service.durable?.flush()
    const { dialect, environment, publicUrl } = running.service
    return {
      url: publicUrl,
      managementUrl,
      profile: {
        url: publicUrl,
        dialect: dialect.id,
        environment: environment.id,
        management: managementUrl,
        ...(options.seed !== undefined && { seed: options.seed }),
        contexts,
        assumptions: true,
        capabilities: capabilities.filter(
          (capability) =>
            (capability !== 'testdata' || environment.testdata) &&
            (capability !== 'second' || environment.selfSigned || contexts.length > 1),
        ),
      },
      running,
      trust: tls?.certificatePath,
      tokens,
      async close() {
        await Promise.all([drain(server), drain(management)])
        await running.close()
        tls?.dispose()
      },
    }
  } catch (error) {
    server.close()
    management.close()
    await running.close()
    tls?.dispose()
    throw error
  }
}
