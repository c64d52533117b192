import type { Options, Scenario as K6Scenario } from 'k6/options'
import type { Assignment, Secrets } from './assignment.ts'
import type { OpenCorpusFile } from './corpus-file.ts'
import { batchUpload } from './scenarios/batch-upload.ts'
import { exportInvoices } from './scenarios/export.ts'
import { limitEdge } from './scenarios/limit-edge.ts'
import { limitIdentify } from './scenarios/limit-identify.ts'
import { limitPace } from './scenarios/limit-pace.ts'
import { loginStorm } from './scenarios/login-storm.ts'
import { metadataSync } from './scenarios/metadata-sync.ts'
import { mixedDay } from './scenarios/mixed-day.ts'
import { pollStatus } from './scenarios/poll-status.ts'
import { receipts } from './scenarios/receipts.ts'
import type { Scenario } from './scenario.ts'
import { sessionThroughput } from './scenarios/session-throughput.ts'

declare const __ENV: Record<string, string>
declare const open: (path: string) => string

type Scenarios = {
  readonly [Id in Assignment['scenario']]: (
    assignment: Extract<Assignment, { readonly scenario: Id | string }> & { readonly scenario: Id },
    openFile: OpenCorpusFile,
  ) => Scenario
}

const scenarios: Scenarios = {
  'session-throughput': sessionThroughput,
  'batch-upload': batchUpload,
  'poll-status': pollStatus,
  'metadata-sync': metadataSync,
  export: exportInvoices,
  receipts,
  'login-storm': loginStorm,
  'mixed-day': mixedDay,
  'limit-edge': limitEdge,
  'limit-identify': limitIdentify,
  'limit-pace': limitPace,
}

/** What k6 takes from the module that it starts with. */
export interface Script {
  readonly options: Options
  readonly setup: Scenario['setup']
  readonly iteration: Scenario['iteration']
  readonly teardown: Scenario['teardown']
}

/** The script for the assignment that the environment names. `openFile`: how prepared files are read. */
export const createScript = (openFile: OpenCorpusFile): Script => {
  // In a cluster the secrets of the assignment come from a separate variable.
  const assignment = {
    ...(JSON.parse(open(__ENV['ASSAY_ASSIGNMENT'] ?? '')) as Assignment),
    ...(JSON.parse(__ENV['ASSAY_SECRETS'] ?? '{}') as Partial<Secrets>),
  } as Assignment
  const create = scenarios[assignment.scenario] as (
    assigned: Assignment,
    files: OpenCorpusFile,
  ) => Scenario
  const { executor, abortOn = {}, setup, iteration, teardown } = create(assignment, openFile)
  const shape: K6Scenario = {
    ...executor,
    exec: 'iteration',
    maxDuration: `${assignment.maximumSeconds}s`,
    gracefulStop: '60s',
  }
  const options: Options = {
    scenarios: { [assignment.scenario]: shape },
    thresholds: Object.fromEntries(
      Object.entries(abortOn).map(([metric, threshold]) => [
        metric,
        [{ threshold, abortOnFail: true, delayAbortEval: '5s' }],
      ]),
    ),
    // Each further tag costs every request time, and k6's other built-in tags would be the same in all samples.
    systemTags: ['scenario', 'name', 'status', 'error_code'],
    setupTimeout: '10m',
    teardownTimeout: '20m',
    discardResponseBodies: false,
    noConnectionReuse: false,
  }
  return { options, setup, iteration, teardown }
}
