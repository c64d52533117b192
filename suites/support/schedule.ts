import { readFileSync } from 'node:fs'
import type { RuleId } from '../../contract/rules.ts'
import { keyOfCheck } from './chosen.ts'
import type { Claim } from './room.ts'
import { runOptions } from './run-options.ts'

/** What the plan of a run says of a check, for targets whose limits the checks share. */
export interface ScheduledCheck {
  readonly rule: RuleId
  readonly variant?: string | undefined
  /** Checks of one round find room within an hour together; the first is 0. */
  readonly round: number
  /** Room that it needs as a whole. */
  readonly claims: readonly Claim[]
  /** It would have to wait longer for room than the run's patience allows. */
  readonly withoutRoom: boolean
}

/** The schedule of the run; undefined where nothing is planned. */
export const schedule: readonly ScheduledCheck[] | undefined =
  runOptions.schedule === undefined
    ? undefined
    : (JSON.parse(readFileSync(runOptions.schedule, 'utf8')) as readonly ScheduledCheck[])

const byCheck = new Map(schedule?.map((row) => [keyOfCheck(row), row]))

export const scheduleOf = (check: Pick<ScheduledCheck, 'rule' | 'variant'>) =>
  byCheck.get(keyOfCheck(check))
