import { readFileSync } from 'node:fs'
import type { RuleId } from '../../../contract/rules.ts'
import { keyOfCheck } from '../checks/chosen.ts'
import type { Claim } from './room.ts'
import { runOptions } from '../checks/run-options.ts'
import type { PlannedWaits } from './waiting.ts'

/** What the plan of a run says of a check, for targets whose limits the checks share. */
export interface ScheduledCheck extends PlannedWaits {
  readonly rule: RuleId
  readonly variant?: string | undefined
  /** Checks of one round find room within an hour together; the first is 0. */
  readonly round: number
  /** Room that it needs as a whole. */
  readonly claims: readonly Claim[]
}

/** The schedule of the run; undefined where nothing is planned. */
export const schedule: readonly ScheduledCheck[] | undefined =
  runOptions.schedule === undefined
    ? undefined
    : (JSON.parse(readFileSync(runOptions.schedule, 'utf8')) as readonly ScheduledCheck[])

const byCheck = new Map(schedule?.map((row) => [keyOfCheck(row), row]))

export const scheduleOf = (check: Pick<ScheduledCheck, 'rule' | 'variant'>) =>
  byCheck.get(keyOfCheck(check))
