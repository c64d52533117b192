import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { taskScenarios } from '../../load/assignment.ts'
import { findK6 } from '../../load/engine.ts'
import { profiles } from '../../load/profiles.ts'
import type { Io } from '../io.ts'
import { couldNotRun, usageError } from '../io.ts'
import { limitsOf } from '../limits.ts'
import { dialectOf, namespaceOf, seedOf } from '../options.ts'
import { runPage } from './report.ts'
import { latencyLine } from './result.ts'
import type { LoadArgs } from './run.ts'
import { whole } from './run.ts'
import { runsFolder, storeRun } from './stored.ts'
import { loadTarget } from './target.ts'
import { runTasks } from './tasks.ts'
import type { TaskOutcome, TaskScenario } from './tasks.ts'

/** What a run of tasks found; `assay load poll-status --json` prints it. */
export interface TaskResult extends TaskOutcome {
  readonly id: string
  readonly scenario: TaskScenario
  readonly profile: string
  readonly seed: number
  readonly target: string
  readonly limits: string
  readonly started: string
  readonly finished: string
}

export const isTaskScenario = (scenario: string): scenario is TaskScenario =>
  taskScenarios.some((one) => one === scenario)

/** Runs tasks on a schedule at a target, and stores the run. */
export const runTaskLoad = async (
  args: Omit<LoadArgs, 'scenario'> & { readonly scenario: TaskScenario },
  io: Io,
): Promise<TaskResult> => {
  if (args.rate !== undefined && !(args.rate > 0))
    throw usageError(`--rate: expected a number above 0, received ${args.rate}`)
  const count = whole('count', args.count)
  const seed = seedOf(args.seed)
  const namespace = namespaceOf(args.namespace)
  const dialect = dialectOf(args.dialect)
  const limits = limitsOf(args.limits ?? (args.target === undefined ? 'off' : undefined))
  const target = await loadTarget(
    {
      target: args.target,
      seed,
      ...(dialect === undefined ? {} : { dialect }),
      ...(limits === undefined ? {} : { limits }),
    },
    io,
  )
  const directory = await mkdtemp(path.join(tmpdir(), 'assay-load-'))
  try {
    const k6 = await findK6({ build: true, onProgress: (line) => io.err(`${line}\n`) })
    if ('missing' in k6) throw couldNotRun(`load was not run: ${k6.missing} ${k6.advice}`)
    const started = new Date().toISOString()
    const { outcome, trace } = await runTasks(
      {
        scenario: args.scenario,
        profile: profiles[args.profile],
        profileId: args.profile,
        count,
        rate: args.rate,
        seed,
        namespace,
        directory,
        maximumP95: args.maxP95,
      },
      target,
      k6,
      io,
    )
    const result: TaskResult = {
      id: `${started.replace(/[-:]|\.\d+/g, '')}-${args.scenario}-${args.profile}-${namespace}`,
      scenario: args.scenario,
      profile: args.profile,
      seed,
      target: args.target === undefined ? 'the embedded reference' : target.url,
      limits: typeof limits === 'object' ? 'own table' : (limits ?? "the target's"),
      started,
      finished: new Date().toISOString(),
      ...outcome,
    }
    const folder = path.resolve(io.cwd, args.out ?? path.join(runsFolder, result.id))
    const page = await runPage(result, trace, taskText(result))
    io.err(`report: ${await storeRun(folder, result, trace, page)}\n`)
    return result
  } finally {
    await target.close()
    await rm(directory, { recursive: true, force: true })
  }
}

/** The summary of a run, one screen. */
export const taskText = (result: TaskResult): string =>
  [
    `${result.verdict}  ${result.scenario} (${result.profile}), limits ${result.limits}, seed ${result.seed}`,
    `  ${'tasks'.padEnd(21)}${result.requests} begun, ${result.succeeded} succeeded, ${result.failed} failed, ${result.dropped} dropped`,
    `  ${'invoices'.padEnd(21)}${result.issued} issued before`,
    latencyLine('latency', result.latencyMs),
    latencyLine('from intended start', result.fromIntendedStart),
    ...result.reasons.map((reason) => `  ${reason}`),
    '',
  ].join('\n')
