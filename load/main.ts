import type { Options } from 'k6/options'
import type { Assignment } from './assignment.ts'
import { batchUpload } from './scenarios/batch-upload.ts'
import { sessionThroughput } from './scenarios/session-throughput.ts'

declare const __ENV: Record<string, string>
declare const open: (path: string) => string

const assignment = JSON.parse(open(__ENV['ASSAY_ASSIGNMENT'] ?? '')) as Assignment

const scenario =
  assignment.scenario === 'batch-upload' ? batchUpload(assignment) : sessionThroughput(assignment)

/**
 * Every iteration has a number that is its own, and with it its moment in the schedule. An executor that starts
 * iterations by a rate would drop some silently when no virtual user is free, and number the rest differently.
 */
export const options: Options = {
  scenarios: {
    [assignment.scenario]: {
      executor: 'shared-iterations',
      exec: 'iteration',
      vus: assignment.users,
      iterations: assignment.iterations,
      maxDuration: `${assignment.maximumSeconds}s`,
      gracefulStop: '60s',
    },
  },
  thresholds: Object.fromEntries(
    Object.entries(assignment.abortOn).map(([metric, threshold]) => [
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
