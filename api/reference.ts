import { startServer } from '../reference/server/server.ts'

/** The reference service in the process of your own tests. */

export interface ReferenceOptions {
  /** `ksef` has the names of the public contract; `svc`, those of the specification, when absent. */
  readonly dialect?: 'svc' | 'ksef'
  readonly environment?: 'test' | 'demo' | 'production'
  /** `production` when absent, because wider limits hide mistakes. */
  readonly limits?: 'production' | 'test' | 'off'
  /** Any free port when absent. */
  readonly port?: number
  /** Reference numbers follow it; random when absent. */
  readonly seed?: number
  /** `manual`: time stands still until {@link RunningReference.advance} turns it. */
  readonly clock?: 'real' | 'manual'
  /** Unix milliseconds at which the clock starts. */
  readonly startAt?: number
  /** Says in `details` why content, keys or tokens could not be read. */
  readonly diagnostics?: boolean
  /** Ids of known defects to install, as `assay mutate --list` prints them. */
  readonly defects?: readonly string[]
  /** Contexts that exist from the start; 1 when absent. */
  readonly contexts?: number
}

/** A context with what a client needs to log in. */
export interface ReferenceContext {
  readonly nip: string
  /** A service token. */
  readonly token: string
  /** Paths of PEM files. */
  readonly certificate: string
  readonly key: string
}

export interface RunningReference {
  /** With the version prefix, no slash at the end. */
  readonly url: string
  /** Scheme, host and port. */
  readonly origin: string
  readonly managementUrl: string
  readonly contexts: readonly ReferenceContext[]
  /** Unix milliseconds of the service's clock. */
  now(): number
  /** Turns the clock forward; what falls due on the way is done when it resolves. */
  advance(ms: number): Promise<void>
  close(): Promise<void>
}

/**
 * Starts a reference service on loopback.
 * @throws {Error} when the port is taken, or an option names what does not exist
 */
export const startReference = async ({
  diagnostics,
  defects,
  ...options
}: ReferenceOptions = {}): Promise<RunningReference> => {
  const server = await startServer({
    ...options,
    ...(diagnostics === undefined ? {} : { explain: diagnostics }),
    ...(defects === undefined ? {} : { mutants: defects }),
  })
  const { clock } = server.reference
  return {
    url: server.url,
    origin: server.origin,
    managementUrl: server.managementUrl,
    contexts: server.profile.contexts.map(({ value, token, certificate, key }) => ({
      nip: value,
      token,
      certificate,
      key,
    })),
    now: () => clock.now(),
    advance: (ms) => clock.advance(ms),
    close: () => server.close(),
  }
}
