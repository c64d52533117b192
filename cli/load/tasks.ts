import { invoiceSchemas } from '../../contract/environments.ts'
import type { RateRuleId } from '../../contract/limits.ts'
import { makeInvoice } from '../../generators/invoice/invoice.ts'
import { fetchChallenge } from '../../lib/flows/login.ts'
import { closeOnline, openOnline, settleSession, submit } from '../../lib/flows/session.ts'
import { Inconclusive } from '../../lib/outcome.ts'
import type { IssuedInvoices, TaskAssignment } from '../../load/assignment.ts'
import { taskScenarios } from '../../load/assignment.ts'
import type { Profile } from '../../load/profiles.ts'
import { peakOf, shaped } from '../../load/profiles.ts'
import { arrivalsOf, dueTimes, legalDueTimes, loadMarginMs } from '../../load/stages.ts'
import type { Latency } from '../../load/trace/latency.ts'
import { callsOf, latenciesOf } from '../../load/trace/latency.ts'
import type { TraceLine } from '../../load/trace/line.ts'
import type { Io } from '../io.ts'
import { usageError } from '../io.ts'
import { carryOut } from './carry-out.ts'
import { reachOf } from './network.ts'
import { noteCalls, waitForRoom } from './earlier-calls.ts'
import { createProgress } from './progress.ts'
import { listInvoices } from './reconcile.ts'
import type { LoadArgs, LoadSetup } from './setup.ts'
import { lateStarts, maximumLagMs } from './verdict.ts'

/** Runs of tasks that use invoices which were issued before. */

export type TaskScenario = (typeof taskScenarios)[number]

/** The rate rule of the call that binds each scenario, and how many of the profile's arrivals it takes. */
const shares: Readonly<
  Record<TaskScenario, { readonly rule: RateRuleId | undefined; readonly part: number }>
> = {
  'poll-status': { rule: 'invoiceStatus', part: 1 },
  'metadata-sync': { rule: 'queryMetadata', part: 0.2 },
  export: { rule: 'exportCreate', part: 0.1 },
  receipts: { rule: 'sessionOther', part: 1 },
  'login-storm': { rule: undefined, part: 0.3 },
  'mixed-day': { rule: 'exportCreate', part: 0.5 },
}

/** A synchronization asks three times, and every other one only once: the windows hold a third of them. */
const callsOfTask: Partial<Record<TaskScenario, number>> = { 'metadata-sync': 3 }

export interface TaskRun extends Omit<LoadSetup, 'begin'>, Pick<LoadArgs, 'k6Out' | 'k6Dashboard'> {
  /** Directory of the stored run. */
  readonly folder: string
  readonly scenario: TaskScenario
  readonly profile: Profile
  readonly profileId: string
  readonly maximumP95: number | undefined
}

export interface TaskOutcome {
  readonly requests: number
  readonly succeeded: number
  readonly failed: number
  readonly dropped: number
  readonly issued: number
  readonly latencyMs: Latency
  readonly fromIntendedStart: Latency
  readonly lagMs: Latency
  readonly verdict: 'pass' | 'fail' | 'inconclusive'
  readonly reasons: readonly string[]
}

/** Invoices that are issued before: few where submissions are limited, else as many as tasks within these bounds. */
const issuedCount = { limited: 10, minimum: 20, maximum: 100 } as const

/** Issues invoices in one session, and reads how the service lists them. */
const issue = async (
  { target: { client, seller }, seed, namespace }: TaskRun,
  count: number,
  signal: AbortSignal,
): Promise<IssuedInvoices> => {
  const { timestamp } = await fetchChallenge(client)
  const issueDate = new Date(timestamp).toISOString().slice(0, 10)
  const session = await openOnline(client, { formCode: invoiceSchemas.fa3.formCode })
  for (let i = 0; i < count; i += 1) {
    const number = `${namespace}/${i + 1}`
    const xml = makeInvoice({ seller, number, issueDate, profile: 'services' }, seed + i)
    await submit(client, session, xml)
  }
  await closeOnline(client, session)
  const { succeeded, exchanges } = await settleSession(client, session)
  if (!succeeded)
    throw new Inconclusive(
      'issue invoices for the run',
      'a session that succeeds',
      exchanges.at(-1),
    )
  const { timestamp: after } = await fetchChallenge(client)
  const listed = await listInvoices(client, session.referenceNumber, {
    planned: count,
    signal,
  })
  return {
    session: session.referenceNumber,
    from: new Date(timestamp - 1000).toISOString(),
    to: new Date(after + 1000).toISOString(),
    invoices: listed.map(({ referenceNumber, number = '', hash = '', svcNumber = '' }) => ({
      referenceNumber,
      number,
      hash,
      svcNumber,
    })),
  }
}

const scheduleOf = (run: TaskRun): readonly number[] => {
  const { rule, part } = shares[run.scenario]
  const { stages, from } = run.profile
  const arrivals = run.count ?? Math.max(1, Math.floor(arrivalsOf(stages, from) * part))
  const window = rule === undefined ? undefined : run.target.allowance(rule)
  if (window !== undefined) {
    const calls = callsOfTask[run.scenario] ?? 1
    const less = (threshold: number) => Math.max(1, Math.floor(threshold / calls))
    const { perSecond, perMinute, perHour } = window
    return legalDueTimes(
      { perSecond: less(perSecond), perMinute: less(perMinute), perHour: less(perHour) },
      arrivals,
      loadMarginMs,
      run.rate,
    )
  }
  const scaled = {
    ...run.profile,
    from: from * part,
    stages: stages.map((stage) => ({ ...stage, rate: stage.rate * part })),
  }
  const shape = shaped(scaled, { count: arrivals, rate: run.rate })
  return dueTimes(shape.stages, shape.from).slice(0, arrivals)
}

export const runTasks = async (
  run: TaskRun,
  io: Io,
): Promise<{ readonly outcome: TaskOutcome; readonly trace: readonly TraceLine[] }> => {
  const { target, segments } = run
  await run.findK6()
  const { login } = target
  if (run.scenario === 'login-storm' && login === undefined)
    throw usageError(
      'login-storm: expected a context with a service token in the profile (`token`), received none',
    )
  const limited = target.window('invoiceSubmit') !== undefined
  const due = scheduleOf(run)
  if (segments > due.length)
    throw usageError(
      `--segments: expected at most one for each of the ${due.length} tasks, received ${segments}`,
    )
  const { minimum, maximum } = issuedCount
  const issuing = limited ? issuedCount.limited : Math.min(maximum, Math.max(minimum, due.length))
  io.err(`seed ${run.seed}; issuing ${issuing} invoices for ${due.length} tasks\n`)
  const issued = await issue(run, issuing, io.signal)
  const assignment: TaskAssignment = {
    scenario: run.scenario,
    profile: run.profileId,
    ...reachOf(target.profile),
    baseUrl: target.client.baseUrl,
    dialect: target.client.dialect.id,
    refreshTokens: [target.refreshToken],
    contexts: [`Nip ${target.seller}`],
    segments,
    users: Math.min(200, Math.max(20, Math.ceil(peakOf(run.profile)))),
    iterations: due.length,
    maximumSeconds: Math.ceil((due.at(-1) ?? 0) / 1000) + 600,
    pollEveryMs: limited ? 2000 : 250,
    polls: 240,
    abortOn: {},
    due,
    issued,
    ...(login === undefined ? {} : { login }),
  }
  const progress = createProgress({ planned: due.length, due, op: run.scenario })
  const prepared = { assignment, sessions: 0, progress, folder: run.folder }
  const { rule } = shares[run.scenario]
  const calls = due.length * (callsOfTask[run.scenario] ?? 1)
  await waitForRoom(target, rule === undefined ? [] : [{ rule, calls }], io)
  const { trace, endedBy } = await carryOut(run, prepared, run, io)
  noteCalls(target, trace, { calls: rule }, () => target.seller)
  return { outcome: conclude(trace, issued, run, endedBy), trace }
}

const maximumReasons = 5

const conclude = (
  trace: readonly TraceLine[],
  issued: IssuedInvoices,
  { maximumP95 }: TaskRun,
  endedBy: string | undefined,
): TaskOutcome => {
  const calls = callsOf(trace)
  const wrong = calls.filter(({ problem }) => problem !== undefined)
  const dropped = trace.filter(({ t }) => t === 'drop').length
  const latencies = latenciesOf(calls)
  const { p95 } = latencies.fromIntendedStart
  const failures = [
    ...wrong.slice(0, maximumReasons).map(({ i, problem }) => `task ${i + 1}: ${problem}`),
    ...(wrong.length > maximumReasons
      ? [`${wrong.length - maximumReasons} more tasks failed`]
      : []),
    ...(maximumP95 !== undefined && p95 > maximumP95
      ? [
          `p95 from the intended start is ${Math.round(p95)} ms, at most ${maximumP95} ms are allowed (--max-p95)`,
        ]
      : []),
  ]
  const doubts = [
    ...lateStarts(trace),
    ...(dropped > 0 ? [`${dropped} tasks were not begun, because their turn came too late`] : []),
    ...(latencies.lagMs.p99 > maximumLagMs
      ? [
          `tasks began late (p99 ${Math.round(latencies.lagMs.p99)} ms): the service stalled, or this machine is too slow for the rate`,
        ]
      : []),
    ...(endedBy === undefined ? [] : [`the run ended early (${endedBy})`]),
    ...(calls.length === 0 ? ['no task was carried out'] : []),
  ]
  return {
    requests: calls.length,
    succeeded: calls.length - wrong.length,
    failed: wrong.length,
    dropped,
    issued: issued.invoices.length,
    ...latencies,
    verdict: failures.length > 0 ? 'fail' : doubts.length > 0 ? 'inconclusive' : 'pass',
    reasons: [...failures, ...doubts],
  }
}
