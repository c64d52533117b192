import { dialectOf } from '../../contract/dialects.ts'
import type { Dialect } from '../../contract/dialect.ts'
import type { EnvironmentId } from '../../contract/environments.ts'
import { environments } from '../../contract/environments.ts'
import { limits as limitRows } from '../../contract/limits.ts'
import { createApp } from './app.ts'
import type { Clock, Instant } from '../time/clock.ts'
import { createClock } from '../time/clock.ts'
import type { Service } from '../call/service.ts'
import { createIdentifiers } from '../base/identifiers.ts'
import { createVerifier } from '../invoices/verifier.ts'
import type { Journal } from '../model/journal.ts'
import { createJournal } from '../model/journal.ts'
import { createJwt } from '../login/jwt.ts'
import { createKeys } from '../keys/keys.ts'
import { createLatency } from '../time/latency.ts'
import { createLimiter } from '../rates/limiter.ts'
import type { LimitsOption } from '../rates/limits.ts'
import { createLimits } from '../rates/limits.ts'
import { createManagement } from './management.ts'
import type { MutantId } from '../mutants/mutants.ts'
import { mutant } from '../mutants/mutants.ts'
import type { Policy } from '../policy/policy.ts'
import { policy as plainPolicy } from '../policy/policy.ts'
import type { Bindings } from './recorded.ts'
import type { SeedFile } from './seed-file.ts'
import type { Seed, SeededContext, SeededToken } from './seed.ts'
import { createSeeds } from './seed.ts'
import type { Soon } from '../base/soon.ts'
import { clearState, createState } from '../model/state.ts'
import { openStore } from '../model/store.ts'
import type { WorkKind } from '../time/work.ts'
import { createSchedule } from '../time/work.ts'
import { createRunner } from './workers.ts'

export interface ServiceOptions {
  /** Id of a dialect that comes with the project, or one of one's own; `svc` when absent. */
  readonly dialect?: string | Dialect
  /** `test` when absent. */
  readonly environment?: EnvironmentId
  /** Rate limits in force; `production` when absent. */
  readonly limits?: LimitsOption
  /** Numbers follow it; random when absent. */
  readonly seed?: number
  /** Unix milliseconds at which the clock starts; the real time when absent. */
  readonly startAt?: Instant
  /** `manual`: the clock stands still until it is turned. */
  readonly clock?: 'real' | 'manual'
  readonly mutants?: readonly string[]
  /** Gives asynchronous work a seeded, realistic delay. */
  readonly latency?: boolean
  /** Puts explanations of refusals into `details`. */
  readonly explain?: boolean
  /** Folder of the durable store; in memory when absent. */
  readonly data?: string
  /** Takes the place of the dialect's version prefix, for example `/clearing/v2`. */
  readonly basePath?: string
  /** Threads that verify documents; none when absent. A manual clock needs everything on one. */
  readonly threads?: number
  /** Address in links, without the prefix; known after listening where a server stands before the service. */
  readonly publicUrl?: string
}

export interface RunningService {
  /** Answers a call. `address` is that of the connection. */
  fetch(request: Request, connection: Bindings): Soon<Response>
  readonly management: { fetch(request: Request): Promise<Response> }
  readonly clock: Clock
  readonly journal: Journal
  readonly service: Service
  readonly control: Control
  close(): Promise<void>
}

/** What changes of a service while it runs, as fields: getters would make a dictionary of what every call looks into. */
type Changing = Service & { policy: Policy; publicUrl: string }

/** What the management port may do. */
export interface Control {
  readonly seed: number | undefined
  readonly installed: readonly MutantId[]
  install(id: string): boolean
  uninstall(): void
  reset(): void
  /** Where links point to, with the scheme and the port, without the prefix. */
  publish(origin: string): void
  makeContext(request: Seed): Promise<SeededContext>
  /** Puts the permissions and tokens of a file in force. */
  preload(file: SeedFile): readonly SeededToken[]
}

/**
 * Makes a service. It answers at once and listens nowhere: a server gives it connections, a test may call `fetch`.
 * @throws {Error} when a dialect or mutant is not known, or the store cannot be opened
 */
export const createService = async (options: ServiceOptions = {}): Promise<RunningService> => {
  const spoken =
    typeof options.dialect === 'object' ? options.dialect : dialectOf(options.dialect ?? 'svc')
  if (spoken === undefined)
    throw new Error(`no dialect is called ${JSON.stringify(options.dialect)}`)
  const dialect = options.basePath === undefined ? spoken : { ...spoken, prefix: options.basePath }
  const environmentId = options.environment ?? 'test'
  const inForce = (id: EnvironmentId) => ({ ...environments[id], ...dialect.environments?.[id] })
  const environment = { ...inForce(environmentId), id: environmentId }
  const durable =
    options.data === undefined
      ? undefined
      : openStore(options.data, { dialect: dialect.id, environment: environmentId })
  const state = createState(durable)

  let journal: Journal | undefined
  const clock = createClock({
    ...(options.startAt !== undefined && { startAt: options.startAt }),
    manual: options.clock === 'manual',
    onFailure: (error) => journal?.add('broken', { error: String(error) }),
  })
  journal = createJournal(() => clock.now())

  let installed: MutantId[] = []
  let policy: Policy = plainPolicy
  let made: Changing | undefined
  const decideBy = (next: Policy): void => {
    policy = next
    if (made) made.policy = next
  }
  const install = (id: string): boolean => {
    const found = mutant(id)
    if (found === undefined) return false
    installed = [...installed.filter((one) => one !== id), id as MutantId]
    decideBy({ ...policy, ...found.policy })
    return true
  }
  const uninstall = (): void => {
    installed = []
    decideBy(plainPolicy)
  }
  for (const id of options.mutants ?? []) {
    if (!install(id)) throw new Error(`no mutant is called ${id}`)
  }

  const start = clock.now()
  const keys = await createKeys(state, environment, start, () => policy)
  const limits = createLimits(
    state,
    dialect,
    environment,
    inForce('test').rateFactor,
    options.limits ?? 'production',
  )
  const limiter = createLimiter(() => policy)
  // A store outlives the process: numbers drawn again from the seed would then be given out twice.
  const identifiers = createIdentifiers(() => clock.now(), durable ? undefined : options.seed)
  const delay = options.latency ? createLatency(options.seed ?? 1) : undefined
  // Work begins only when the clock moves on, and by then the service is complete.
  let run: ((kind: WorkKind, subject: string) => Soon<void>) | undefined
  const schedule = createSchedule(state, clock, (kind, subject) => run?.(kind, subject), delay)

  const verifier =
    options.threads && options.clock !== 'manual' ? createVerifier(options.threads) : undefined
  const service: Changing = {
    clock,
    state,
    durable,
    policy,
    dialect,
    environment,
    keys,
    jwt: createJwt(state),
    limiter,
    limits,
    schedule,
    verifier,
    journal,
    identifiers,
    publicUrl: (options.publicUrl ?? 'http://localhost') + dialect.prefix,
    explain: options.explain ?? false,
    limit: (id) => dialect.limits[id] ?? limitRows[id].value,
  }
  made = service
  run = createRunner(service)
  const seeds = createSeeds(service, options.seed)
  const app = createApp(service)

  const control: Control = {
    seed: options.seed,
    get installed() {
      return installed
    },
    install,
    uninstall,
    reset() {
      clearState(state, durable)
      verifier?.forget()
      clock.reset()
      limiter.clear()
      limits.use(options.limits ?? 'production')
      uninstall()
      for (const id of options.mutants ?? []) install(id)
      keys.restore()
      seeds.restore()
    },
    publish(to) {
      if (options.publicUrl === undefined) service.publicUrl = to + dialect.prefix
    },
    makeContext: (request) => seeds.make(request),
    preload: (file) => seeds.preload(file),
  }
  const management = createManagement(service, control)

  return {
    fetch(request, connection) {
      const response = app.fetch(request, connection)
      if (durable === undefined) return response
      // Nothing is told, accepted or read, that the end of the process could undo.
      return Promise.resolve(response).then(async (told) => {
        await durable.flush()
        return told
      })
    },
    management: {
      async fetch(request) {
        const response = await management.fetch(request)
        await durable?.flush()
        return response
      },
    },
    clock,
    journal,
    service,
    control,
    async close() {
      clock.close()
      seeds.dispose()
      await verifier?.close()
      await durable?.close()
    },
  }
}
