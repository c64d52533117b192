import { environments } from '../../contract/environments.ts'
import type { EnvironmentId } from '../../contract/environments.ts'
import type { Capability } from '../../contract/types.ts'
import type { Reference, ReferenceOptions } from '../service/reference.ts'
import { createReference } from '../service/reference.ts'
import { openSockets, defaultTimeouts } from './sockets.ts'
import type { Tls } from './tls.ts'

/**
 * The same service in its other environments, for the rules that compare them. Each has sockets from the start, and
 * is created by the first call that reaches it: keys take a second to make, and mostly no call comes.
 */

/** A target profile without contexts: its management port makes them. */
export interface SiblingProfile {
  readonly url: string
  readonly dialect: string
  readonly environment: EnvironmentId
  readonly management: string
  readonly ca?: string
  readonly capabilities: readonly Capability[]
  readonly assumptions: true
}

export interface Siblings {
  readonly profiles: Readonly<Partial<Record<EnvironmentId, SiblingProfile>>>
  close(): Promise<void>
}

const loopback = '127.0.0.1'

/** What a sibling offers: what needs no more than the service itself and its management. */
const capabilities: readonly Capability[] = ['clock', 'token', 'second', 'rotate', 'provoke']

/** Where and how the service itself listens. */
export interface Address {
  readonly host: string
  readonly tls: Tls | undefined
}

const openSibling = async (
  main: Reference,
  options: ReferenceOptions,
  environment: EnvironmentId,
  { host, tls }: Address,
) => {
  let made: Promise<Reference> | undefined
  let origin = ''
  const service = () => {
    made ??= createReference({
      ...options,
      environment,
      limits: environment === 'test' ? 'test' : 'production',
    }).then((running) => {
      running.control.publish(origin)
      return running
    })
    return made
  }
  const sockets = await openSockets(
    {
      fetch: async (request, connection) => (await service()).fetch(request, connection),
      manage: async (request) => (await service()).management.fetch(request),
    },
    {
      host,
      port: 0,
      managementHost: loopback,
      managementPort: 0,
      timeouts: defaultTimeouts,
      tls,
      dedicated: false,
    },
  )
  origin = sockets.origin
  const { dialect } = main.service
  const profile: SiblingProfile = {
    url: origin + dialect.prefix,
    dialect: dialect.id,
    environment,
    management: sockets.managementUrl,
    ...(tls && { ca: tls.certificatePath }),
    capabilities: environments[environment].testdata ? [...capabilities, 'testdata'] : capabilities,
    assumptions: true,
  }
  return {
    profile,
    async close() {
      await sockets.drain()
      await (await made)?.close()
    },
  }
}

/**
 * Opens the environments beside that of a service, at its host and with its TLS, on separate ports.
 * @param options how the service was made; what it stores and where it is published stay its own
 */
export const openSiblings = async (
  main: Reference,
  { data: _data, publicUrl: _publicUrl, ...options }: ReferenceOptions,
  address: Address,
): Promise<Siblings> => {
  const others = (Object.keys(environments) as EnvironmentId[]).filter(
    (id) => id !== main.service.environment.id,
  )
  const opened = await Promise.all(others.map((id) => openSibling(main, options, id, address)))
  return {
    profiles: Object.fromEntries(opened.map(({ profile }) => [profile.environment, profile])),
    async close() {
      await Promise.all(opened.map((sibling) => sibling.close()))
    },
  }
}
