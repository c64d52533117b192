import { taskScenarios } from '../../load/assignment.ts'
import { profiles } from '../../load/profiles.ts'
import type { Io } from '../io.ts'
import { runPage } from './report.ts'
import { latencyLine } from './result.ts'
import { withLoadSetup } from './setup.ts'
import type { LoadArgs, RunIdentity } from './setup.ts'
import { storeRun } from './stored.ts'
import { runTasks } from './tasks.ts'
import type { TaskOutcome, TaskScenario } from './tasks.ts'

/** What a run of tasks found; `assay load poll-status --json` prints it. */
export interface TaskResult extends TaskOutcome, RunIdentity {
  readonly scenario: TaskScenario
  readonly finished: string
}

export const isTaskScenario = (scenario: string): scenario is TaskScenario =>
  taskScenarios.some((one) => one === scenario)

/** Runs tasks on a schedule at a target, and stores the run. */
export const runTaskLoad = (
  args: LoadArgs & { readonly scenario: TaskScenario },
  io: Io,
): Promise<TaskResult> => {
  const { scenario } = args
  return withLoadSetup(scenario, args, io, async (setup) => {
    const { identity, places } = setup.begin()
    const { outcome, trace } = await runTasks(
      {
        ...args,
        ...setup,
        folder: places.folder,
        profile: profiles[args.profile],
        profileId: args.profile,
        maximumP95: args.maxP95,
      },
      io,
    )
    const result: TaskResult = {
      ...identity,
      scenario,
      finished: new Date().toISOString(),
      ...outcome,
    }
    const page = await runPage(result, trace, taskText(result))
    io.err(`report: ${await storeRun(places, result, trace, page)}\n`)
    return result
  })
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
