import type { Options } from 'k6/options'
import type { Plan } from './plan.ts'
import { sessionThroughput } from './scenarios/session-throughput.ts'
import { measuredOf } from './summary.ts'

declare const __ENV: Record<string, string>
declare const open: (path: string) => string

const plan = JSON.parse(open(__ENV['ASSAY_PLAN'] ?? '')) as Plan

/** Every scenario by its name: a new one is a file in `scenarios/` and a line here. */
const scenarios = { 'session-throughput': sessionThroughput }

const scenario = scenarios[plan.scenario as keyof typeof scenarios](plan)

export const options: Options = {
  scenarios: {
    [plan.scenario]: {
      executor: 'constant-arrival-rate',
      exec: 'submit',
      rate: plan.rate,
      timeUnit: plan.per,
      duration: `${plan.seconds}s`,
      preAllocatedVUs: plan.users,
      maxVUs: plan.users,
      gracefulStop: '60s',
    },
  },
  thresholds: Object.fromEntries(
    Object.entries(plan.thresholds).map(([metric, bounds]) => [metric, [...bounds]]),
  ),
  setupTimeout: '10m',
  teardownTimeout: '20m',
  summaryTrendStats: ['med', 'p(95)', 'p(99)', 'max'],
  discardResponseBodies: false,
  noConnectionReuse: false,
}

export const { setup, submit, teardown } = scenario

export function handleSummary(data: { metrics: Record<string, unknown> }): Record<string, string> {
  return { [plan.result]: JSON.stringify(measuredOf(data.metrics)) }
}
