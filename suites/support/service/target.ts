import { readFile } from 'node:fs/promises'
import process from 'node:process'
import { dialects } from '../../../contract/dialects.ts'
import type { Dialect } from '../../../contract/dialect.ts'
import type { EnvironmentId } from '../../../contract/environments.ts'
import type { Capability } from '../../../contract/types.ts'
import { createClient } from '../../../lib/client.ts'
import type { Client, RecordCall } from '../../../lib/client.ts'
import type { Send } from '../../../lib/exchange.ts'
import { nodeCodec } from '../../../lib/node/codec.ts'
import { hasTestdata } from '../../../lib/node/recognition.ts'
import { usableAddresses } from '../../../lib/node/source-addresses.ts'
import { isLoopback, keptFactor, ownProfile, readTarget } from '../../../lib/node/target.ts'
import type { TargetProfile } from '../../../lib/node/target.ts'
import type { OutcomeKind } from '../../../lib/outcome.ts'
import { verdictOf } from '../../../lib/verdict.ts'
import type { Verdict } from '../../../lib/verdict.ts'
import type { Reference } from '../../../reference/service/reference.ts'
import { capabilitiesOf, confirmation } from './capabilities.ts'
import { createManagement } from './management.ts'
import type { Management } from './management.ts'
import { requestsIn } from '../checks/other-forms.ts'
import type { OtherForm } from '../checks/other-forms.ts'
import { createPacing } from '../run/pacing.ts'
import type { Pacing, PacingOptions } from '../run/pacing.ts'
import { createPatience, endlessPatience, ofCheck } from '../run/patience.ts'
import type { MutantRun, RunOptions } from '../checks/run-options.ts'
import { sharedPacing } from '../run/shared-pacer.ts'
import { sendTo, sendWithin } from './in-process.ts'
import { createSenders } from './senders.ts'
import { pause, waitForAnswer, waitForRoom } from '../run/waiting.ts'

export interface Target {
  readonly profile: TargetProfile
  readonly dialect: Dialect
  readonly environment: EnvironmentId
  /** Started for this worker alone: its clock, its limits and its mutants are ours. */
  readonly embedded: boolean
  readonly management: Management | undefined
  readonly has: (capability: Capability) => boolean
  /** Whether the target confirms the assumption behind a gap. */
  readonly confirms: (gap: string) => boolean
  /** Unix milliseconds of the target's clock. */
  readonly now: () => number
  /** A client without credentials; `address` is the source address, where there are several. */
  readonly client: (record: RecordCall, address?: string, form?: OtherForm) => Client
  /** What the target counts in a context, and waits until it has room. */
  readonly room: Pick<Pacing, 'counted' | 'rest'>
  /** Source addresses that calls may come from, where there are several. */
  readonly addresses: readonly string[]
  close(): Promise<void>
}

/** How long to wait for asynchronous work if the clock cannot be moved: less than a check may take. */
const pollingMs = 40_000

/** If the clock can be moved, work that takes longer than this by that clock counts as never ending, ms. */
const unendedMs = 600_000

/** Where the clock of embedded runs starts, so that outcomes do not depend on the calendar. */
const embeddedStart = Date.parse('2026-06-15T08:00:00Z')

/** A mutant of a run, and what it changes. */
export interface RunMutant extends MutantRun {
  readonly breaks: readonly string[]
  /** Whether it can show where only these parts of the service are used. */
  readonly canShow: (used: ReadonlySet<string>) => boolean
}

/** The mutants of a run: all, or those that are named. */
export const loadMutants = async (
  chosen: 'all' | readonly MutantRun[],
): Promise<readonly RunMutant[]> => {
  const { mutants, canShow } = await import('../../../reference/mutants/mutants.ts')
  const rows = chosen === 'all' ? Object.keys(mutants).map((id) => ({ id })) : chosen
  return rows.flatMap((row) => {
    const mutant = mutants[row.id]
    if (mutant === undefined) return []
    const { defect, breaks } = mutant
    return [{ ...row, breaks, canShow: (used) => canShow(defect, used) }]
  })
}

/** Source addresses on loopback, where the machine has them. */
const loopback = ['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4']

const startEmbedded = async (options: RunOptions, environment: EnvironmentId) => {
  const { startServer } = await import('../../../reference/server/server.ts')
  const { bodyOf } = await import('../../../reference/service/responses.ts')
  const limits = options.limits.endsWith('.json')
    ? (JSON.parse(await readFile(options.limits, 'utf8')) as never)
    : (options.limits as 'production')
  const server = await startServer({
    host: '127.0.0.1',
    port: 0,
    managementPort: 0,
    seed: options.seed,
    dialect: options.dialect,
    environment,
    limits,
    startAt: embeddedStart,
    dedicated: true,
  })
  const { management } = server.reference
  return {
    profile: ownProfile(server.profile),
    // The clock is moved thousands of times, and nothing is tested by it: that takes no socket.
    manage: sendTo((request) => management.fetch(request)),
    within: sendWithin(server.origin, (request, by) => server.reference.fetch(request, by), bodyOf),
    close: () => server.close(),
  }
}

/**
 * Opens the target of a run: the profile that the options name, or an embedded reference of its own.
 * @param environment of an embedded reference
 */
export const openTarget = async (
  options: RunOptions,
  environment: EnvironmentId = 'test',
): Promise<Target> => {
  if (options.target !== undefined)
    return openProfile(
      readTarget(options.target, { env: process.env, cwd: process.cwd() }),
      options,
    )
  const server = await startEmbedded(options, environment)
  return openProfile(server.profile, options, server)
}

/**
 * Borrows the clock of a target that others use too.
 * @returns a function that puts the clock where it would have been
 */
export const borrow = (management: Management): (() => Promise<void>) => {
  const lent = { real: Date.now(), service: management.now() }
  return async () => {
    if (management.frozen) await management.freeze(false)
    await management.set(lent.service + (Date.now() - lent.real))
  }
}

const virtualPacing = ({
  management,
  ...clock
}: Pick<PacingOptions, 'now' | 'sleep'> & { readonly management: Management }): Pacing =>
  createPacing({
    ...clock,
    unlimited: () => management.unlimited,
    // Moving the clock costs nothing, and a busy machine delivers calls closer together than they were sent.
    marginMs: 1_000,
    patience: endlessPatience,
  })

const realPacing = (patienceMs: number): Pacing => {
  const shared = sharedPacing()
  return createPacing({
    now: Date.now,
    sleep: waitForRoom,
    unlimited: () => false,
    marginMs: 100,
    patience: ofCheck(shared?.patience ?? createPatience(patienceMs)),
    shared: shared?.placesOf,
    waits: shared?.waits,
  })
}

/** Opens a target that a profile describes; `server` where it was started for this purpose alone. */
export const openProfile = async (
  profile: TargetProfile,
  { dialect: otherwise, patienceMs }: RunOptions,
  server?: Omit<Awaited<ReturnType<typeof startEmbedded>>, 'profile'>,
): Promise<Target> => {
  const embedded = server !== undefined
  const dialectId = profile.dialect ?? otherwise
  const dialect = (dialects as Readonly<Record<string, Dialect>>)[dialectId]
  if (dialect === undefined) throw new Error(`the target speaks no known dialect: ${dialectId}`)
  const senders = createSenders(profile, dialect, server?.within)
  const management =
    profile.management === undefined
      ? undefined
      : createManagement(server?.manage ?? senders.from().send, profile.management, () =>
          pacing.clear(),
        )
  if (management !== undefined) await management.advance(0)
  const now = (): number => management?.now() ?? Date.now()
  // The next user of the target finds the clock where it would have been.
  const giveBack = management === undefined || embedded ? undefined : borrow(management)
  // Waiting costs nothing if the clock can be moved: a target that shares its clock has this worker alone.
  const sleep = (ms: number): Promise<void> =>
    management !== undefined ? management.advance(ms) : pause(ms)
  const pacing =
    management === undefined ? realPacing(patienceMs) : virtualPacing({ management, now, sleep })
  const sendFrom =
    (address?: string): Send =>
    (request, sending) =>
      waitForAnswer(`${request.method} ${new URL(request.url).pathname}`, () =>
        senders.from(address).send(request, sending),
      )
  const client: Target['client'] = (record, address, form) =>
    createClient({
      ...requestsIn(form),
      send: sendFrom(address),
      baseUrl: profile.url,
      dialect,
      codec: nodeCodec,
      record,
      pace: pacing.from(address),
      rateFactor: keptFactor(profile),
      now,
      sleep,
      polling:
        management !== undefined
          ? { everyMs: 100, times: 60, finallyMs: unendedMs }
          : { everyMs: 200, times: 120, withinMs: pollingMs },
    })
  const capabilities = capabilitiesOf(profile, embedded)
  // A bare address declares nothing: we find out what can be found out without changing anything.
  if (profile.capabilities === undefined && !embedded)
    if (await hasTestdata(client(() => undefined))) capabilities.add('testdata')
  const near = embedded || isLoopback(profile.url) ? loopback : []
  const addresses = await usableAddresses(profile.addresses ?? near)
  if (addresses.length < 2) capabilities.delete('ips')
  return {
    profile,
    dialect,
    environment: profile.environment ?? 'test',
    embedded,
    management,
    has: (capability) => capabilities.has(capability),
    confirms: confirmation(profile, embedded),
    now,
    client,
    room: pacing,
    addresses,
    async close() {
      await giveBack?.()
      senders.close()
      await server?.close()
    },
  }
}

/** A reference in this process: no sockets, no limits, and a clock that stands still until it is moved. */
export interface InProcess {
  readonly send: Send
  readonly url: string
  readonly now: () => number
  readonly advance: (ms: number) => Promise<void>
  /** Back to the start. */
  readonly reset: () => void
  readonly close: () => Promise<void>
}

/** How a reference in this process is started. */
export const startedInProcess = {
  publicUrl: 'http://reference.test',
  limits: 'off',
  clock: 'manual',
  startAt: embeddedStart,
} as const

/** Starts one, in the test environment; `mutants` are installed again after every reset. */
export const openInProcess = async (
  { seed, dialect }: Pick<RunOptions, 'seed' | 'dialect'>,
  mutants: readonly string[] = [],
  started?: Reference,
): Promise<InProcess> => {
  const { createReference } = await import('../../../reference/service/reference.ts')
  const service =
    started ?? (await createReference({ seed, dialect, mutants, ...startedInProcess }))
  return {
    send: sendTo((request) => service.fetch(request, { address: '127.0.0.1' })),
    url: service.service.publicUrl,
    now: () => service.clock.now(),
    advance: (ms) => service.clock.advance(ms),
    reset: () => service.control.reset(),
    close: () => service.close(),
  }
}

/** Switches the rate limits off if we may do that; otherwise the target declares that they are high. */
export const withoutRates = async ({ management }: Target): Promise<void> => {
  await management?.setLimits('off')
}

/** What the outcome of a check means on a target. */
export const verdictOn = (
  target: Target,
  outcome: OutcomeKind,
  rule: { readonly level: 'MUST' | 'SHOULD' | 'MAY'; readonly assumes?: readonly string[] },
  run: { readonly strict: boolean; readonly known: boolean },
): Verdict =>
  verdictOf(outcome, {
    level: rule.level,
    unconfirmed: (rule.assumes ?? []).some((gap) => !target.confirms(gap)),
    known: run.known,
    strict: run.strict,
  })
