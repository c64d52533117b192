import type { Options, Scenario as K6Scenario } from 'k6/options'
import type { Assignment, Secrets } from './assignment.ts'
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

/** In a cluster the secrets of the assignment come from elsewhere. */
const assignment = {
  ...(JSON.parse(open(__ENV['ASSAY_ASSIGNMENT'] ?? '')) as Assignment),
  ...(JSON.parse(__ENV['ASSAY_SECRETS'] ?? '{}') as Partial<Secrets>),
} as Assignment
const create = scenarios[assignment.scenario] as (assigned: Assignment) => Scenario
const scenario = create(assignment)

const shape: K6Scenario = {
  ...scenario.executor,
  exec: 'iteration',
  maxDuration: `${assignment.maximumSeconds}s`,
  gracefulStop: '60s',
}

export const options: Options = {
  scenarios: { [assignment.scenario]: shape },
  thresholds: Object.fromEntries(
    Object.entries(scenario.abortOn ?? {}).map(([metric, threshold]) => [
      metric,
      [{ threshold, abortOnFail: true, delayAbortEval: '5s' }],
    ]),
  ),
  setupTimeout: '10m',
  teardownTimeout: '20m',
  discardResponseBodies: false,
  noConnectionReuse: false,
}

export const setup = scenario.setup
export const iteration = scenario.iteration
export const teardown = scenario.teardown
