import type { ProbeAssignment } from '../assignment.ts'
import { inLanes } from '../probe-lanes.ts'
import { pace } from '../probes/pace.ts'
import { report } from '../report.ts'
import type { Scenario } from '../scenario.ts'

/** The fastest legal pace of rows, for a while. */
export const limitPace = (assignment: ProbeAssignment): Scenario<undefined> =>
  inLanes(assignment, async (bench, { seconds = 60, marginMs = 100, ...job }, lane) => {
    for (const measured of await pace(bench, { ...job, seconds, marginMs }))
      report({ t: 'probe', lane, measured })
  })
