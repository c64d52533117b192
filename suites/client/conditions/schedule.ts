import type { OperationId } from '../../../contract/endpoints.ts'
import type { Act, Condition, Fault } from './condition.ts'

/** Decides which conditions apply to which call. It counts calls and draws nothing. */

export interface Met {
  readonly fault: Fault | undefined
  readonly before: readonly Act[]
  readonly after: readonly Act[]
}

export type Schedule = (call: MetCall) => Met

export interface MetCall {
  readonly operation: OperationId | undefined
  readonly path: string
  readonly now: number
}

const concerns = ({ on }: Condition, operation: OperationId | undefined): boolean =>
  on === 'any' || (operation !== undefined && (on === operation || on.includes(operation)))

export function createSchedule(conditions: readonly Condition[]): Schedule {
  const counts = new Map<Condition, number>()
  const until = new Map<Condition, number>()
  const addresses = new Map<Condition, string>()
  return ({ operation, path, now }) => {
    let fault: Fault | undefined
    const before: Act[] = []
    const after: Act[] = []
    for (const condition of conditions) {
      const { from, times = 1, lastsMs, stays } = condition
      if (!concerns(condition, operation)) continue
      const end = until.get(condition)
      if (end !== undefined) {
        if (now < end) fault ??= condition.fault
        continue
      }
      if (addresses.get(condition) === path) fault ??= condition.fault
      const count = (counts.get(condition) ?? 0) + 1
      counts.set(condition, count)
      if (count < from || count >= from + times) continue
      if (lastsMs !== undefined) until.set(condition, now + lastsMs)
      if (stays === true) addresses.set(condition, path)
      fault ??= condition.fault
      if (condition.act !== undefined) {
        if (condition.when === 'after') after.push(condition.act)
        else before.push(condition.act)
      }
    }
    return { fault, before, after }
  }
}
