import { createLane } from './timetable.ts'
import type { Lane } from './timetable.ts'
import type { PlanLimits } from './design.ts'

/** The rate rules of one (context, address); rules that are counted as one share a lane. */
export function createLanes(limits: PlanLimits): (rule: string) => Lane {
  const lanes = new Map<string, Lane>()
  return (rule) => {
    const counted = limits.countedAs(rule)
    const known = lanes.get(counted)
    if (known !== undefined) return known
    const lane = createLane(counted, limits.rate(rule))
    lanes.set(counted, lane)
    return lane
  }
}
