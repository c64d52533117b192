import exec from 'k6/execution'
import type { AssignedJob, ProbeAssignment } from './assignment.ts'
import { clockOf, createBench } from './probe-bench.ts'
import type { Bench } from './probes/bench.ts'
import type { Scenario } from './scenario.ts'

/** Each virtual user carries out its lane of jobs, one after the other. */
export const inLanes = (
  assignment: ProbeAssignment,
  carryOut: (bench: Bench, job: AssignedJob, lane: number) => Promise<void>,
): Scenario<undefined> => ({
  executor: { executor: 'per-vu-iterations', vus: assignment.lanes.length, iterations: 1 },

  setup: () => Promise.resolve(),

  async iteration(): Promise<void> {
    const lane = exec.vu.idInTest - 1
    const clock = clockOf(assignment)
    for (const job of assignment.lanes[lane] ?? []) {
      if (job.pauseMs > 0) await clock.until(clock.now() + job.pauseMs)
      await carryOut(createBench(assignment, clock, job), job, lane)
    }
  },

  teardown: () => Promise.resolve(),
})
