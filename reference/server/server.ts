import type { EnvironmentId } from '../../contract/environments.ts'
import type { Capability } from '../../contract/types.ts'
import type { SeedFile } from '../service/seed-file.ts'
import type { SeededContext, SeededToken } from '../service/seed.ts'
import type { Reference, ReferenceOptions } from '../service/reference.ts'
import { createReference } from '../service/reference.ts'
import type { SiblingProfile } from './siblings.ts'
import { openSiblings } from './siblings.ts'
import type { Sockets } from './sockets.ts'
import { defaultTimeouts, openSockets } from './sockets.ts'
import type { Tls } from './tls.ts'
import { keepTls } from './tls.ts'

/** The service behind sockets: one listener for callers, one for management. */

export interface ServerOptions extends ReferenceOptions {
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
  readonly timeouts?: { readonly headers: number; readonly request: number }
  /** The process is the service's own, or a tester's: lighter classes replace its global `Request` and `Response`. */
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

export interface Server {
  /** With the version prefix. */
  readonly url: string
  readonly managementUrl: string
  /** Scheme, host and port on which it listens, whatever address callers are told. */
  readonly origin: string
  readonly profile: Profile
  readonly reference: Reference
  /** Path of the certificate (PEM) that callers have to trust, where the server speaks TLS. */
  readonly trust: string | undefined
  /** Tokens of the seed file, in its order. */
  readonly tokens: readonly SeededToken[]
  /** Resolves with the reason when the service can no longer store its data: then it has to stop. */
  readonly failed: Promise<Error>
  /** Takes no new connection, lets running calls end, then stops. */
  close(): Promise<void>
}

const defaultHost = '127.0.0.1'

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

/** Contexts created ahead for the profile, and the tokens of the seed file. */
const seed = async ({ control }: Reference, { seedFile, contexts: count = 1 }: ServerOptions) => {
  const named = seedFile?.contexts ?? []
  const contexts: SeededContext[] = []
  for (const request of named.length > 0 ? named : Array.from({ length: count }, () => ({})))
    contexts.push(await control.createContext(request))
  return { contexts, tokens: control.preload(seedFile ?? {}) }
}

/** The server around a reference, with everything open. */
const openServer = async (
  reference: Reference,
  sockets: Sockets,
  tls: Tls | undefined,
  options: ServerOptions,
): Promise<Server> => {
  const { service, control } = reference
  const { origin, managementUrl } = sockets
  control.publish(origin)
  const siblings = options.elsewhere
    ? await openSiblings(reference, options, { host: options.host ?? defaultHost, tls })
    : undefined
  try {
    const { contexts, tokens } = await seed(reference, options)
    await service.durable?.flush()
    const { dialect, environment, publicUrl } = service
    return {
      url: publicUrl,
      managementUrl,
      origin,
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
      reference,
      trust: tls?.certificatePath,
      tokens,
      failed: service.durable?.failed ?? new Promise(() => undefined),
      async close() {
        await Promise.all([sockets.drain(), siblings?.close()])
        await reference.close()
        tls?.dispose()
      },
    }
  } catch (error) {
    await siblings?.close()
    throw error
  }
}

/**
 * Starts a reference and its management on sockets.
 * @throws {NodeJS.ErrnoException} when a port is not available
 */
export const startServer = async (options: ServerOptions = {}): Promise<Server> => {
  const reference = await createReference(options)
  const host = options.host ?? defaultHost
  const tls = options.tls ? await keepTls(reference.service.state, host) : undefined
  let sockets: Sockets | undefined
  try {
    sockets = await openSockets(
      {
        fetch: (request, connection) => reference.fetch(request, connection),
        manage: (request) => reference.management.fetch(request),
      },
      {
        host,
        port: options.port ?? 0,
        managementHost: options.managementHost ?? '127.0.0.1',
        managementPort: options.managementPort ?? 0,
        timeouts: options.timeouts ?? defaultTimeouts,
        tls,
        dedicated: options.dedicated ?? false,
      },
    )
    return await openServer(reference, sockets, tls, options)
  } catch (error) {
    sockets?.abandon()
    await reference.close()
    tls?.dispose()
    throw error
  }
}
