import type { ProbeAssignment } from '../assignment.ts'
import { observe } from '../identify/experiments.ts'
import { inLanes } from '../probe-lanes.ts'
import { subjectOf } from '../probes/job.ts'
import { report } from '../report.ts'
import type { Scenario } from '../scenario.ts'

/** Experiments that show which limiter a window has. */
export const limitIdentify = (assignment: ProbeAssignment): Scenario<undefined> =>
  inLanes(assignment, async (bench, job) => {
    const subject = subjectOf(job)
    for (const observation of await observe(bench, subject, job.window ?? 'second'))
      report({ t: 'observation', row: subject.row, ...observation })
  })
