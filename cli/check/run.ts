import { defaultDocuments } from '../../generators/invoice/options.ts'
import { ciBuildOf } from '../../reports/ci-build.ts'
import type { CiBuild } from '../../reports/ci-build.ts'
import type { Finding } from '../../reports/finding.ts'
import type { PlannedCheck } from '../../reports/plan.ts'
import type { Run, RunFacts } from '../../reports/run.ts'
import { beginAfterEarlier, earlierCallsAt } from '../begin-at.ts'
import type { EarlierCalls } from '../begin-at.ts'
import type { Io } from '../io.ts'
import { usageError } from '../io.ts'
import { runNamesLine } from '../options.ts'
import type { MinVerified } from '../options.ts'
import { keepForSpecs, runSuite } from '../playwright.ts'
import { keepRunFacts } from '../reports.ts'
import type { TargetProfile } from '../../lib/node/target.ts'
import { expectBaseline } from '../baseline.ts'
import { preflight, resolveTarget, writeProfile } from '../target.ts'
import { toolVersion } from '../version.ts'
import { documentsOf, readable, wantedOf } from './arguments.ts'
import type { RunArgs, Wanted } from './arguments.ts'
import { forecast } from './forecast.ts'
import type { Forecast } from './forecast.ts'
import { forecastLines } from './forecast-text.ts'
import { ofShard } from './shards.ts'
import { shardOf } from './selection.ts'
import { withUnregistered } from './unregistered.ts'
import { defaultWorkers, onlyOneBecause } from '../../suites/support/run/workers.ts'

export interface CheckResult extends MinVerified {
  readonly tool: string
  readonly seed: number
  readonly namespace: string
  readonly target: string
  readonly dialect?: string
  readonly started: string
  readonly finished: string
  readonly interrupted: boolean
  readonly shard?: string
  readonly build?: CiBuild
  readonly planned: number
  /** Planned checks that did not report. */
  readonly notRun: readonly PlannedCheck[]
  readonly findings: readonly Finding[]
}

/** The run as the reports see it. */
export const runOf = ({ findings, planned, notRun, ...result }: CheckResult): Run => ({
  facts: { ...result, version: toolVersion() },
  findings,
  planned,
  notRun,
})

/** A target whose profile the workers of the suite can read. */
interface WrittenTarget {
  readonly profile: TargetProfile
  readonly file: string
}

/** The baseline that the command line names, or else the profile. */
const baselineOf = async (
  named: string | undefined,
  target: WrittenTarget | undefined,
  io: Io,
): Promise<string | undefined> => {
  const given = named ?? target?.profile.baseline
  if (given === undefined) return undefined
  const file = await readable('baseline', given, io)
  await expectBaseline(file)
  return file
}

const onTarget = async <T>(
  { target: named, workers, shard }: Pick<RunArgs, 'target' | 'workers' | 'shard'>,
  { dialect }: Pick<Wanted, 'dialect'>,
  io: Io,
  work: (target: WrittenTarget | undefined) => Promise<T>,
): Promise<T> => {
  if (named === undefined) return work(undefined)
  const given = { target: named, ...(dialect === undefined ? {} : { dialect }) }
  const profile = ofShard(await resolveTarget(given, io), shardOf(shard))
  const alone = onlyOneBecause(profile)
  if (alone !== undefined && (workers ?? 1) > 1)
    throw usageError(`--workers: expected 1 or nothing, received ${workers}: ${alone}`)
  await preflight(profile)
  const { file, dispose } = await writeProfile(profile)
  try {
    return await work({ profile, file })
  } finally {
    // Its secrets lie in files.
    await dispose()
  }
}

interface Ahead {
  readonly plan: Forecast
  readonly patienceMs: number
  readonly earlier: EarlierCalls
}

/** A plan uses up the patience; a tenth more is for waits that it does not know, so that they take none from others. */
const withUnplanned = 1.1

const forecastOf = (
  { profile }: WrittenTarget,
  { selection, patienceMs = profile.patienceMs ?? 0 }: Wanted,
  { workers = defaultWorkers(profile) }: Pick<RunArgs, 'workers'>,
  io: Io,
): Ahead => {
  const earlier = earlierCallsAt(profile, io)
  const plan = forecast(selection.checks, { profile, patienceMs, workers, earlier })
  return { plan, patienceMs, earlier }
}

/** What a run would do; it calls the target only to look at it. */
export const planChecks = async (
  args: RunArgs & { readonly list: boolean },
  io: Io,
): Promise<{ readonly plan: Forecast; readonly lines: readonly string[] }> => {
  const wanted = await wantedOf(args, io)
  return onTarget(args, wanted, io, async (target) => {
    if (target === undefined)
      throw usageError(
        '--dry-run: name a --target; on the embedded reference every check runs, in virtual time',
      )
    const { plan, patienceMs } = forecastOf(target, wanted, args, io)
    const documents = args.documents ?? defaultDocuments
    return { plan, lines: forecastLines(plan, { given: patienceMs, documents, listed: args.list }) }
  })
}

/** Runs the suite and gives its findings: `check` prints them, and `certify` continues with them. */
export const runChecks = async (args: RunArgs, out: string, io: Io): Promise<CheckResult> => {
  const wanted = await wantedOf(args, io)
  return onTarget(args, wanted, io, (target) => runAt(target, wanted, args, out, io))
}

const runAt = async (
  target: WrittenTarget | undefined,
  wanted: Wanted,
  args: RunArgs,
  out: string,
  io: Io,
): Promise<CheckResult> => {
  const { seed, names, dialect, selection, minVerified } = wanted
  const { namespace, run } = names
  const name = target?.profile.url ?? 'embedded reference'
  io.err(`seed ${seed}, ${runNamesLine(names)}, target ${name}\n`)
  // Where the clock is moved, waiting for room takes no time.
  const timed = target !== undefined && target.profile.management === undefined
  const ahead = timed ? forecastOf(target, wanted, args, io) : undefined
  const documents = args.documents ?? defaultDocuments
  if (ahead !== undefined)
    for (const line of forecastLines(ahead.plan, { given: ahead.patienceMs, documents }))
      io.err(`${line}\n`)
  if (ahead !== undefined) await beginAfterEarlier(ahead.earlier, io)
  const started = new Date().toISOString()
  const version = toolVersion()
  const shard = shardOf(args.shard) && args.shard
  const build = ciBuildOf(io.env)
  const facts: RunFacts = {
    started,
    finished: started,
    seed,
    namespace,
    target: name,
    dialect: target?.profile.dialect ?? dialect ?? 'svc',
    version,
    ...(shard === undefined ? {} : { shard }),
    ...(build === undefined ? {} : { build }),
  }
  await keepRunFacts(out, facts)
  const suite = await runSuite(
    {
      label: 'check',
      plannedMs: ahead?.plan.planned.ms,
      out,
      ...(selection.tags === undefined ? {} : { grep: selection.tags }),
      ...(args.workers === undefined ? {} : { workers: args.workers }),
      options: {
        ASSAY_TARGET: target?.file,
        ASSAY_TARGET_NAME: args.target,
        ASSAY_SEED: String(seed),
        ASSAY_NAMESPACE: namespace,
        ASSAY_RUN: run,
        ASSAY_STRICT: args.strict ? '1' : undefined,
        ASSAY_LIMITS: args.limits,
        ASSAY_DIALECT: dialect,
        ASSAY_BASELINE: await baselineOf(args.baseline, target, io),
        ASSAY_INVOICES: args.invoices && (await readable('invoices', args.invoices, io)),
        ASSAY_HAR: args.har ? '1' : undefined,
        ASSAY_DOCUMENTS: documentsOf(args.documents),
        ASSAY_ONLY: args.quick ? keepForSpecs(out, 'quick', selection.checks) : undefined,
        ASSAY_UNMODIFIED: args.unmodified ? '1' : undefined,
        ASSAY_PATIENCE_MS: ahead && String(withUnplanned * ahead.patienceMs),
        ASSAY_SCHEDULE: ahead && keepForSpecs(out, 'schedule', ahead.plan.schedule),
        ASSAY_SELECTION: selection.titles && keepForSpecs(out, 'selection', selection.titles),
      },
    },
    io,
  )
  const finished = new Date().toISOString()
  io.err(`seed ${seed}\n`)
  return {
    ...facts,
    tool: `assay ${version}`,
    finished,
    interrupted: io.signal.aborted,
    ...minVerified,
    ...withUnregistered(suite, selection.checks),
  }
}
