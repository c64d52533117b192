import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Window } from '../../contract/types.ts'
import { limits as limitRows } from '../../contract/limits.ts'
import type { Client } from '../../lib/client.ts'
import { fetchChallenge, refreshAccess } from '../../lib/flows/login.ts'
import type { Assignment } from '../../load/assignment.ts'
import { peakOf, profiles, shaped } from '../../load/profiles.ts'
import type { Profile } from '../../load/profiles.ts'
import { arrivalsOf, dueTimes, legalDueTimes } from '../../load/stages.ts'
import type { Io } from '../io.ts'
import { usageError } from '../io.ts'
import { formatDuration } from '../plan/duration.ts'
import type { PlannedInvoice } from '../../load/trace/account.ts'
import { prepareBatch, prepareOnline } from './corpus.ts'
import { evaluate } from './evaluate.ts'
import { runWithProgress } from './k6.ts'
import { createProgress } from './progress.ts'
import { accountTable, runPage } from './report.ts'
import type { LoadResult } from './result.ts'
import { loadText } from './result.ts'
import { whole, withLoadSetup } from './setup.ts'
import type { LoadArgs, LoadSetup } from './setup.ts'
import { storeRun } from './stored.ts'
import type { LoadTarget } from './target.ts'

export const scenarios = ['session-throughput', 'batch-upload'] as const
export type ScenarioId = (typeof scenarios)[number]

export interface InvoiceLoadArgs extends LoadArgs {
  readonly scenario: ScenarioId
  readonly sessions: number | undefined
  readonly partBytes: number
  /** Outputs of k6, as its `--out` takes them. */
  readonly k6Out?: readonly string[]
  /** Whether k6 exports its own dashboard beside the report. */
  readonly k6Dashboard?: boolean
}

/** Virtual users: enough that a stalled service does not hold up the schedule at once. */
const usersOf = (peak: number): number => Math.min(200, Math.max(20, Math.ceil(peak)))

interface Shape {
  readonly count: number
  readonly sessions: number
  /** Due times of single invoices; empty where packages are uploaded. */
  readonly due: readonly number[]
  readonly users: number
  readonly limited: boolean
  /** Thresholds of submissions, where they are limited. */
  readonly window: Window | undefined
  readonly abortAboveMs: number | undefined
}

const shapeOf = (args: InvoiceLoadArgs, target: LoadTarget): Shape => {
  const profile: Profile = profiles[args.profile]
  const shape = shaped(profile, args)
  const count = args.count ?? arrivalsOf(shape.stages, shape.from)
  const perSession = limitRows['session.invoices'].value
  const sessions = whole('sessions', args.sessions) ?? Math.ceil(count / perSession)
  if (Math.ceil(count / sessions) > perSession)
    throw usageError(
      `--sessions: ${count} invoices need at least ${Math.ceil(count / perSession)} sessions of ${perSession}, received ${sessions}`,
    )
  if (sessions > count)
    throw usageError(`--sessions: expected at most one for each invoice, received ${sessions}`)
  const window = target.window('invoiceSubmit')
  const limited = window !== undefined
  if (args.scenario === 'batch-upload')
    return {
      count,
      sessions,
      due: [],
      users: Math.min(sessions, 4),
      limited,
      window: undefined,
      abortAboveMs: undefined,
    }
  const due = limited
    ? legalDueTimes(window, count)
    : dueTimes(shape.stages, shape.from).slice(0, count)
  const seconds = (due.at(-1) ?? 0) / 1000
  const life = limitRows['session.onlineLifetime'].value
  if (seconds > life - 600)
    throw usageError(
      `${count} invoices take ${formatDuration(seconds * 1000)} within the limits, longer than a session lives (${formatDuration(life * 1000)}). Choose a lower --count; \`assay plan\` computes schedules over several sessions`,
    )
  const users = limited ? 20 : usersOf(peakOf(shape))
  return { count, sessions, due, users, limited, window, abortAboveMs: shape.abortAboveMs }
}

/** k6's own dashboard as a file, without its web server. */
const dashboardTo = (folder: string): Readonly<Record<string, string>> => ({
  K6_WEB_DASHBOARD: 'true',
  K6_WEB_DASHBOARD_PORT: '-1',
  K6_WEB_DASHBOARD_PERIOD: '1s',
  K6_WEB_DASHBOARD_EXPORT: path.join(folder, 'k6-dashboard.html'),
})

const loggedInAgain = async ({ client, refreshToken, seller }: LoadTarget): Promise<Client> => {
  const { accessToken } = await refreshAccess(client, refreshToken)
  return client.with({ bearer: accessToken, context: `Nip ${seller}` })
}

/** Runs one scenario, accounts for every invoice, and stores the run. */
export const runLoad = (args: InvoiceLoadArgs, io: Io): Promise<LoadResult> =>
  withLoadSetup(args.scenario, args, io, async (setup) => {
    const { target, k6, directory } = setup
    const shape = shapeOf(args, target)
    const { planned, assignment } = await prepare(args, shape, setup, io)
    const file = path.join(directory, 'assignment.json')
    await writeFile(file, JSON.stringify(assignment), { mode: 0o600 })
    const { identity, folder } = setup.begin()
    await mkdir(folder, { recursive: true })
    io.err(`k6 ${k6.version} (${k6.source})\n`)
    const progress = createProgress({ planned: shape.count, due: shape.due })
    const run = await runWithProgress(
      k6,
      {
        assignment: file,
        arguments: (args.k6Out ?? []).flatMap((output) => ['--out', output]),
        ...(args.k6Dashboard === true ? { env: dashboardTo(folder) } : {}),
      },
      progress,
      io,
    )
    io.err('reading the lists and receipts of the sessions\n')
    const evaluated = await evaluate({
      client: () => loggedInAgain(target),
      scenario: args.scenario,
      planned,
      run,
      plannedSessions: shape.sessions,
      maximumP95: args.maxP95,
      seeksBreakpoint: shape.abortAboveMs !== undefined && !shape.limited,
    })
    const result: LoadResult = {
      ...identity,
      finished: new Date().toISOString(),
      ...(shape.window === undefined ? {} : { window: shape.window }),
      ...evaluated,
    }
    const page = await runPage(result, run.trace, loadText(result), [accountTable(result)])
    io.err(`report: ${await storeRun(folder, result, run.trace, page)}\n`)
    return result
  })

const prepare = async (
  args: InvoiceLoadArgs,
  shape: Shape,
  { target, seed, namespace, directory }: LoadSetup,
  io: Io,
): Promise<{ readonly planned: readonly PlannedInvoice[]; readonly assignment: Assignment }> => {
  const { count, sessions, due, users, limited } = shape
  io.err(
    `seed ${seed}; preparing ${count} invoices for ${sessions} ${sessions === 1 ? 'session' : 'sessions'}\n`,
  )
  const { timestamp } = await fetchChallenge(target.client)
  const corpus = {
    client: target.client,
    seller: target.seller,
    issueDate: new Date(timestamp).toISOString().slice(0, 10),
    count,
    sessions,
    seed,
    namespace,
    directory,
    progress: (done: number) => io.err(`prepared ${done} of ${count}\n`),
  }
  const common = {
    profile: args.profile,
    baseUrl: target.client.baseUrl,
    dialect: target.client.dialect.id,
    refreshToken: target.refreshToken,
    users,
    maximumSeconds: Math.ceil((due.at(-1) ?? 0) / 1000) + 600,
    pollEveryMs: limited ? 2000 : 250,
    polls: 2400,
  }
  if (args.scenario === 'batch-upload') {
    const { planned, files } = await prepareBatch(corpus, args.partBytes)
    const assignment: Assignment = {
      ...common,
      ...files,
      scenario: 'batch-upload',
      iterations: sessions,
      abortOn: {},
      parallel: users,
    }
    return { planned, assignment }
  }
  const { planned, files } = await prepareOnline(corpus, due)
  const { abortAboveMs } = shape
  const assignment: Assignment = {
    ...common,
    ...files,
    scenario: 'session-throughput',
    iterations: count,
    abortOn: abortAboveMs === undefined ? {} : { from_intended_start: `p(95)<${abortAboveMs}` },
  }
  return { planned, assignment }
}
