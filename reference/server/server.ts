import type { EnvironmentId } from '../../contract/environments.ts'
import type { Capability } from '../../contract/types.ts'
import type { SeedFile } from '../service/seed-file.ts'
import type { SeededContext, SeededToken } from '../service/seed.ts'
import type { RunningService, ServiceOptions } from '../service/reference.ts'
import { createService } from '../service/reference.ts'
import type { SiblingProfile, Siblings } from './siblings.ts'
import { openSiblings } from './siblings.ts'
import type { Sockets } from './sockets.ts'
import { openSockets, patient } from './sockets.ts'
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
  /** Opens the other environments beside this one. */
  readonly elsewhere?: boolean
}

/** A target profile: what a tester or a client needs to use the service at once. */
export interface Profile {
  readonly url: string
  readonly dialect: string
  readonly environment: string
  readonly management: string
  readonly seed?: number
  readonly contexts: readonly SeededContext[]
  /** Path of the certificate (PEM) that callers have to trust, where the server speaks TLS. */
  readonly ca?: string
  /** The service in its other environments, where they were opened. */
  readonly elsewhere?: Readonly<Partial<Record<EnvironmentId, SiblingProfile>>>
  readonly capabilities: readonly Capability[]
  /** The reference keeps every assumption of the contract. */
  readonly assumptions: true
}

export interface RunningServer {
  /** With the version prefix. */
  readonly url: string
  readonly managementUrl: string
  /** Scheme, host and port on which it listens, whatever address callers are told. */
  readonly origin: string
  readonly profile: Profile
  readonly running: RunningService
  /** Path of the certificate (PEM) that callers have to trust, where the server speaks TLS. */
  readonly trust: string | undefined
  /** Tokens of the seed file, in its order. */
  readonly tokens: readonly SeededToken[]
  /** Resolves with the reason when what the service is told can no longer be kept: then it has to stop. */
  readonly failed: Promise<Error>
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
  'env',
  'provoke',
  'hostile',
  'bulk',
]

/**
 * Starts the service and its management on sockets.
 * @throws {NodeJS.ErrnoException} when a port cannot be had
 */
export const startServer = async (options: ServerOptions = {}): Promise<RunningServer> => {
  const running = await createService(options)
  const host = options.host ?? '127.0.0.1'
  const tls = options.tls ? await keepTls(running.service.state, host) : undefined
  let sockets: Sockets | undefined
  let siblings: Siblings | undefined
  try {
    sockets = await openSockets(
      {
        fetch: (request, connection) => running.fetch(request, connection),
        manage: (request) => running.management.fetch(request),
      },
      {
        host,
        port: options.port ?? 0,
        managementHost: options.managementHost ?? '127.0.0.1',
        managementPort: options.managementPort ?? 0,
        patience: options.patience ?? patient,
        tls,
        dedicated: options.dedicated ?? false,
      },
    )
    const { managementUrl } = sockets
    running.control.publish(sockets.origin)
    if (options.elsewhere === true) siblings = await openSiblings(running, options)
    const contexts: SeededContext[] = []
    const wanted = options.seedFile?.contexts ?? []
    const made =
      wanted.length > 0 ? wanted : Array.from({ length: options.contexts ?? 1 }, () => ({}))
    for (const seed of made) contexts.push(await running.control.makeContext(seed))
    const tokens = running.control.preload(options.seedFile ?? {})
    await running.service.durable?.flush()
    const { dialect, environment, publicUrl } = running.service
    const open = { sockets, siblings }
    return {
      url: publicUrl,
      managementUrl,
      origin: sockets.origin,
      profile: {
        url: publicUrl,
        dialect: dialect.id,
        environment: environment.id,
        management: managementUrl,
        ...(options.seed !== undefined && { seed: options.seed }),
        contexts,
        ...(tls && { ca: tls.certificatePath }),
        ...(siblings && { elsewhere: siblings.profiles }),
        assumptions: true,
        capabilities: capabilities.filter(
          (capability) =>
            (capability !== 'testdata' || environment.testdata) &&
            (capability !== 'env' || siblings !== undefined),
        ),
      },
      running,
      trust: tls?.certificatePath,
      tokens,
      failed: running.service.durable?.failed ?? new Promise(() => undefined),
      async close() {
        await Promise.all([open.sockets.drain(), open.siblings?.close()])
        await running.close()
        tls?.dispose()
      },
    }
  } catch (error) {
    sockets?.abandon()
    await siblings?.close()
    await running.close()
    tls?.dispose()
    throw error
  }
}
