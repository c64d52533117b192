import exec from 'k6/execution'
import type { ProbeAssignment } from '../assignment.ts'
import { clockOf, createBench } from '../probe-bench.ts'
import { probes } from '../probes/probes.ts'
import type { ProbeId } from '../probes/probes.ts'
import { report } from '../report.ts'
import type { Scenario } from '../scenario.ts'

/** Probes of the rate limits: each virtual user carries out its lane of jobs. */
export const limitEdge = (assignment: ProbeAssignment): Scenario<undefined> => ({
  executor: { executor: 'per-vu-iterations', vus: assignment.lanes.length, iterations: 1 },

  setup: () => Promise.resolve(),

  async iteration(): Promise<void> {
    const lane = exec.vu.idInTest - 1
    const clock = clockOf(assignment)
    for (const job of assignment.lanes[lane] ?? []) {
      if (job.pauseMs > 0) await clock.until(clock.now() + job.pauseMs)
      const bench = createBench(assignment, clock, job.refreshToken)
      const measured = await probes[job.probe as ProbeId](bench, job)
      for (const one of measured) report({ t: 'probe', lane, measured: one })
    }
  },

  teardown: () => Promise.resolve(),
})
