import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { isLoopback } from '../../lib/node/target.ts'
import { refreshAccess } from '../../lib/flows/login.ts'
import { expectOk } from '../../lib/outcome.ts'
import type { ProbeAssignment } from '../../load/assignment.ts'
import { findK6 } from '../../load/engine.ts'
import type { TraceLine } from '../../load/trace/line.ts'
import type { Io } from '../io.ts'
import { couldNotRun, usageError } from '../io.ts'
import { runK6 } from '../load/k6.ts'
import { networkOf, reachOf } from '../load/network.ts'
import { openPlace } from '../load/target.ts'
import type { Place, Wanted } from '../load/target.ts'
import { temporaryDirectory } from '../temporary.ts'
import { createCallers } from './callers.ts'
import type { Caller, Callers } from './callers.ts'

/** A target whose limits may be exceeded, made ready for probes and put back afterwards. */
export interface ProbedTarget {
  readonly place: Place
  readonly callers: Callers
  readonly virtual: boolean
  readonly simulates: boolean
  /** Takes note of a caller whose limits were set, to restore them. */
  readonly noteSet: (caller: Caller) => void
  /** Carries out lanes of jobs with k6. */
  readonly run: (
    scenario: ProbeAssignment['scenario'],
    lanes: ProbeAssignment['lanes'],
    options: {
      readonly maximumSeconds: number
      readonly addresses?: readonly string[]
      readonly onLine?: (line: TraceLine) => void
    },
  ) => Promise<readonly TraceLine[]>
}

/** What the preparation sent has left every window by then. */
const aheadMs = 2 * 3_600_000

const twoLoopbacks = ['127.0.0.2', '127.0.0.3'] as const

/** Source addresses for probes of the counting by address; none where the target gives none. */
export const addressesOf = ({ profile }: Place): readonly string[] =>
  profile.addresses ?? (isLoopback(profile.url) ? twoLoopbacks : [])

/** A target that runs in virtual time during probes, where its clock can be moved. */
const virtualClock = ({ management, offsetMs }: Callers) => {
  let frozenAt: { readonly target: number; readonly real: number } | undefined
  return {
    /** Stops the clock, when every window of the calls so far is over. */
    async stop(): Promise<void> {
      if (management === undefined) return
      frozenAt ??= { target: Date.now() + offsetMs(), real: Date.now() }
      await management.freeze(true)
      await management.advance(aheadMs)
    },
    /** The service's own time goes on as if it had never been moved. */
    async restore(): Promise<void> {
      if (management === undefined || frozenAt === undefined) return
      await management.set(frozenAt.target + Date.now() - frozenAt.real)
      await management.freeze(false)
    },
  }
}

/**
 * Restores the limits that were set. A long run outlives the access tokens, so each caller gets a new one.
 * @returns contexts whose limits are not restored, and why
 */
const restoreLimits = async (set: readonly Caller[]): Promise<readonly string[]> => {
  const failed: string[] = []
  for (const { api, login } of set)
    try {
      const { accessToken } = await refreshAccess(api, login.refreshToken)
      const renewed = api.with({ ...api.identity, bearer: accessToken })
      expectOk(
        await renewed.call('testdata.restoreRateLimits', { pace: false }),
        'restore the limits',
      )
    } catch (error) {
      failed.push(
        `${api.identity.context ?? ''}: ${error instanceof Error ? error.message : String(error)}`,
      )
    }
  return failed
}

/**
 * Opens a target for probes, and restores whatever they change: the clock, and limits that were set, after an
 * interruption, too.
 */
export const withProbedTarget = async <T>(
  wanted: Wanted,
  io: Io,
  work: (target: ProbedTarget) => Promise<T>,
): Promise<T> => {
  const place = await openPlace({ ...wanted, limits: wanted.limits ?? 'production' }, io)
  const capabilities = place.profile.capabilities ?? []
  const { directory, dispose } = temporaryDirectory('limits')
  const set: Caller[] = []
  const callers = await createCallers(place, wanted.seed, io.signal)
  const clock = virtualClock(callers)
  let unrestored: readonly string[] = []
  let result: T
  try {
    if (!capabilities.includes('provoke'))
      throw usageError(
        `expected a target that declares the capability "provoke", because probes exceed its limits on purpose; received ${JSON.stringify(capabilities)}. If the operator agrees, add "provoke" to \`capabilities\` of the profile`,
      )
    const k6 = await findK6({ build: true, onProgress: (line) => io.err(`${line}\n`) })
    if ('missing' in k6) throw couldNotRun(`limits were not probed: ${k6.missing} ${k6.advice}`)
    result = await work({
      place,
      callers,
      virtual: callers.management !== undefined,
      simulates: capabilities.includes('testdata'),
      noteSet: (caller) => void set.push(caller),
      run: async (scenario, lanes, { maximumSeconds, addresses, onLine }) => {
        await clock.stop()
        const file = path.join(directory, 'assignment.json')
        const assignment = assignmentOf(scenario, lanes, maximumSeconds, place, callers)
        await writeFile(file, JSON.stringify(assignment), { mode: 0o600 })
        const { trace } = await runK6(
          k6,
          {
            assignment: file,
            network: await networkOf(place.profile, directory, io.env),
            ...(addresses === undefined ? {} : { arguments: ['--local-ips', addresses.join()] }),
            onLine: (line) => onLine?.(line),
          },
          io,
        )
        return trace
      },
    })
  } finally {
    try {
      await clock.restore()
    } finally {
      unrestored = await restoreLimits(set)
      for (const one of unrestored) io.err(`limits not restored, ${one}\n`)
      callers.close()
      await place.close()
      await dispose()
    }
  }
  if (unrestored.length > 0)
    throw couldNotRun(
      `the limits of ${unrestored.length} contexts are not restored; restore them with DELETE /testdata/rate-limits`,
    )
  return result
}

const assignmentOf = (
  scenario: ProbeAssignment['scenario'],
  lanes: ProbeAssignment['lanes'],
  maximumSeconds: number,
  { profile }: Place,
  { management, offsetMs }: Callers,
): ProbeAssignment => ({
  scenario,
  ...reachOf(profile),
  baseUrl: profile.url,
  dialect: profile.dialect ?? 'svc',
  pollEveryMs: 250,
  polls: 1,
  clock:
    management === undefined
      ? { offsetMs: offsetMs() }
      : { management: profile.management ?? '', start: management.now() },
  lanes,
  maximumSeconds: Math.ceil(maximumSeconds),
})
