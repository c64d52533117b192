import { dialectOf } from '../../contract/dialects.ts'
import type { Dialect } from '../../contract/dialect.ts'
import type { EnvironmentId } from '../../contract/environments.ts'
import { environments } from '../../contract/environments.ts'
import { limits as limitRows } from '../../contract/limits.ts'
import { readPublishedWords } from '../base/published-words.ts'
import { createApp } from './app.ts'
import type { Instant } from '../base/instants.ts'
import type { Clock } from '../time/clock.ts'
import { createClock } from '../time/clock.ts'
import type { Service } from '../call/service.ts'
import { createIdentifiers } from '../base/identifiers.ts'
import { createVerifier } from '../verification/verifier.ts'
import type { Journal } from '../model/journal.ts'
import { createJournal } from '../model/journal.ts'
import { createJwt } from '../keys/jwt.ts'
import { createKeys } from '../keys/keys.ts'
import { createLatency } from './latency.ts'
import { createLimiter } from '../rates/limiter.ts'
import type { LimitsOption } from '../rates/limits.ts'
import { createLimits } from '../rates/limits.ts'
import type { Control } from './control.ts'
import { createEndings } from './endings.ts'
import type { Delays } from './delays.ts'
import { createDelays } from './delays.ts'
import type { Endings } from './endings.ts'
import { createManagement } from './management.ts'
import type { Mutant } from '../mutants/mutant.ts'
import type { Policy } from '../policy/policy.ts'
import { policy } from '../policy/policy.ts'
import type { Bindings } from './recorded.ts'
import { createSeeds } from './seed.ts'
import type { Sizes } from './sizes.ts'
import { createSizes } from './sizes.ts'
import { clearState, createState } from '../model/state.ts'
import { openStore } from '../model/store.ts'
import type { WorkKind } from '../model/work.ts'
import { createSchedule } from '../time/schedule.ts'
import type { Varied } from './seams.ts'
import { createSeams } from './seams.ts'
import { work } from './workers.ts'

export interface ReferenceOptions {
  /** Id of a dialect that comes with the project, or a custom one; `svc` when absent. */
  readonly dialect?: string | Dialect
  /** `test` when absent. */
  readonly environment?: EnvironmentId
  /** Rate limits in force; `production` when absent. */
  readonly limits?: LimitsOption
  /** Numbers follow it; random when absent. */
  readonly seed?: number
  /** Unix milliseconds at which the clock starts; the real time when absent. */
  readonly startAt?: Instant
  /** `manual`: the clock stands still until it is set. */
  readonly clock?: 'real' | 'manual'
  readonly mutants?: readonly string[]
  /** Decisions that are taken differently from the start: the conditions of an examination. */
  readonly decisions?: Partial<Policy>
  /** Mutants that are installed from the start, and again after every reset. */
  readonly defects?: readonly Mutant[]
  /** Gives asynchronous work a seeded, realistic delay. */
  readonly latency?: boolean
  /** Puts explanations of refusals into `details`. */
  readonly explain?: boolean
  /** A published description (JSON) whose words for statuses and refusals are shown in place of ours. */
  readonly wording?: string
  /** Folder of the durable store; in memory when absent. */
  readonly data?: string
  /** Replaces the dialect's version prefix, for example `/clearing/v2`. */
  readonly basePath?: string
  /** Threads that verify documents; none when absent. A manual clock needs everything on one. */
  readonly threads?: number
  /** Address in links, without the prefix; known after listening where a server stands before the service. */
  readonly publicUrl?: string
}

/** A reference service in this process. It listens nowhere: a server gives it connections, a test calls `fetch`. */
export interface Reference {
  /** Answers a call. `address` is that of the connection. */
  fetch(request: Request, connection: Bindings): Promise<Response>
  readonly management: { fetch(request: Request): Promise<Response> }
  readonly clock: Clock
  readonly journal: Journal
  readonly service: Service
  readonly control: Control
  close(): Promise<void>
}

const dialectIn = ({ dialect = 'svc', basePath }: ReferenceOptions): Dialect => {
  const known = typeof dialect === 'object' ? dialect : dialectOf(dialect)
  if (known === undefined) throw new Error(`no dialect is called ${JSON.stringify(dialect)}`)
  return basePath === undefined ? known : { ...known, prefix: basePath }
}

/** What of a service may change while it runs. */
type Assembled = Varied & { publicUrl: string }

/** Puts a service together. Work that its schedule has due is done in the service that `at` gives. */
const assemble = async (
  options: ReferenceOptions,
  at: (kind: WorkKind) => Service,
  {
    endings,
    delays,
    sizes,
  }: { readonly endings: Endings; readonly delays: Delays; readonly sizes: Sizes },
): Promise<Assembled> => {
  const dialect = dialectIn(options)
  const environmentOf = (id: EnvironmentId) => ({
    ...environments[id],
    ...dialect.environments?.[id],
  })
  const id = options.environment ?? 'test'
  const environment = { ...environmentOf(id), id }
  const durable =
    options.data === undefined
      ? undefined
      : openStore(options.data, { dialect: dialect.id, environment: id })
  const state = createState(durable)
  const journal = createJournal(() => clock.now())
  const clock = createClock({
    ...(options.startAt !== undefined && { startAt: options.startAt }),
    manual: options.clock === 'manual',
    onFailure: (error) => journal.add('broken', { error: String(error) }),
  })
  const keys = await createKeys(state, environment, clock.now())
  // When requested by name, wider limits are wider in every dialect, even where its test environment has none.
  const { rateFactor } = environments.test
  const start = options.limits ?? 'production'
  const latency = options.latency ? createLatency(options.seed ?? 1) : undefined
  const service: Assembled = {
    clock,
    state,
    durable,
    policy: { ...policy, ...options.decisions },
    dialect,
    environment,
    keys,
    jwt: createJwt(state),
    limiter: createLimiter(),
    limits: createLimits(state, dialect, () => service, rateFactor, start),
    schedule: createSchedule<WorkKind>({
      tasks: state.tasks,
      clock,
      async run(kind, subject) {
        if (!endings.end(service, kind, subject)) await work(at(kind), kind, subject)
      },
      isImmediate: (kind) => latency === undefined && delays.of(kind) === 0,
      delay: (kind, ms) => delays.of(kind) + (latency?.(kind, ms) ?? ms),
    }),
    verifier:
      options.threads && options.clock !== 'manual' ? createVerifier(options.threads) : undefined,
    journal,
    // A store outlives the process: numbers drawn again from the seed would then be given out twice.
    identifiers: createIdentifiers(() => clock.now(), durable ? undefined : options.seed),
    publicUrl: (options.publicUrl ?? 'http://localhost') + dialect.prefix,
    explain: options.explain ?? false,
    words: options.wording === undefined ? undefined : readPublishedWords(options.wording),
    limit: (limit) => sizes.of(limit) ?? dialect.limits[limit] ?? limitRows[limit].value,
  }
  return service
}

/** The mutant of an id. There are thousands, which a service without any need not wait for. */
const mutantOf = async (id: string): Promise<Mutant | undefined> =>
  (await import('../mutants/mutants.ts')).mutant(id)

/**
 * Creates a reference.
 * @throws {Error} when a dialect or mutant is not known, or the store cannot be opened
 */
export const createReference = async (options: ReferenceOptions = {}): Promise<Reference> => {
  const requests = { endings: createEndings(), delays: createDelays(), sizes: createSizes() }
  const { endings, delays, sizes } = requests
  const service = await assemble(options, (kind) => seams.at(kind), requests)
  const seams = createSeams(service, options.defects)
  const { clock, journal, state, durable, verifier } = service
  const asked = await Promise.all(
    (options.mutants ?? []).map(async (id) => {
      const defect = await mutantOf(id)
      if (defect === undefined) throw new Error(`no mutant is called ${id}`)
      return [id, defect] as const
    }),
  )
  const installAsked = (): void => {
    for (const [id, defect] of asked) seams.install(id, defect)
  }
  installAsked()
  const seeds = createSeeds(service, options.seed)
  const app = createApp(service, seams)
  const control: Control = {
    seed: options.seed,
    get installed() {
      return seams.installed
    },
    async install(id) {
      const defect = await mutantOf(id)
      if (defect !== undefined) seams.install(id, defect)
      return defect !== undefined
    },
    uninstall: () => seams.uninstall(),
    record: () => seams.record(),
    used: () => [...seams.used()],
    reset() {
      clearState(state, durable)
      verifier?.forget()
      clock.reset()
      service.limiter.clear()
      service.limits.use(options.limits ?? 'production')
      endings.clear()
      delays.clear()
      sizes.clear()
      seams.uninstall()
      installAsked()
      service.keys.restore()
      seeds.restore()
    },
    publish(to) {
      if (options.publicUrl === undefined) service.publicUrl = to + service.dialect.prefix
    },
    endNext: (lifecycle, code, subject) => endings.next(lifecycle, code, subject),
    delay: (kind, ms) => delays.set(kind, ms),
    sizes,
    createContext: (request) => seeds.create(request),
    preload: (file) => seeds.preload(file),
  }
  const management = createManagement(service, control)
  /** Answers only when the end of the process can no longer undo what the answer reports. */
  const flushed = async (response: Response | Promise<Response>): Promise<Response> => {
    const given = await response
    await durable?.flush()
    return given
  }
  return {
    fetch: (request, connection) => flushed(app.fetch(request, connection)),
    management: { fetch: (request) => flushed(management.fetch(request)) },
    clock,
    journal,
    service,
    control,
    async close() {
      clock.close()
      seeds.dispose()
      await verifier?.close()
      await durable?.close()
      if (durable === undefined) service.keys.discard()
    },
  }
}
