import type { ProbeAssignment } from '../assignment.ts'
import { probes } from '../probes/probes.ts'
import type { ProbeId } from '../probes/probes.ts'
import { inLanes } from '../probe-lanes.ts'
import { report } from '../report.ts'
import type { Scenario } from '../scenario.ts'

/** Probes of every row and threshold of the rate table. */
export const limitEdge = (assignment: ProbeAssignment): Scenario<undefined> =>
  inLanes(assignment, async (bench, job, lane) => {
    const measured = await probes[job.probe as ProbeId](bench, job)
    for (const one of measured) report({ t: 'probe', lane, measured: one })
  })
