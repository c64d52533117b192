import exec from 'k6/execution'
import type { Client } from '../lib/client.ts'
import { Inconclusive } from '../lib/outcome.ts'
import type { TaskAssignment } from './assignment.ts'
import { report } from './report.ts'
import { scheduled } from './scenario.ts'
import type { Scenario } from './scenario.ts'
import {
  beginOnTime,
  createAccess,
  createScheduleStart,
  enter,
  reportReady,
  waitForAccess,
} from './sessions.ts'
import type { Entered } from './sessions.ts'

/**
 * A task of a schedule: what a client does with invoices that were issued before.
 * @returns what is wrong with what the service answered
 * @throws {Inconclusive} when a call of it is refused
 */
export type Task = (
  client: Client,
  assignment: TaskAssignment,
  i: number,
) => Promise<string | undefined>

/** Carries a task out at each moment of the schedule, and reports it as one call. */
export const onSchedule =
  (taskOf: (i: number) => Task) =>
  (assignment: TaskAssignment): Scenario<Entered> => {
    const access = createAccess(assignment)
    const scheduleStart = createScheduleStart(assignment)
    return {
      executor: scheduled(assignment),
      abortOn: assignment.abortOn,

      async setup(): Promise<Entered> {
        const entered = await enter(assignment)
        reportReady(assignment, entered.segment)
        return entered
      },

      async iteration(entered: Entered): Promise<void> {
        const i = exec.scenario.iterationInTest
        const due = scheduleStart() + (assignment.due[i] ?? 0)
        waitForAccess(due)
        const client = await access(entered)
        const begun = beginOnTime(i, due)
        if (begun === undefined) return
        const line = { t: 'call', op: assignment.scenario, i, due, begun } as const
        try {
          const problem = await taskOf(i)(client, assignment, i)
          const ended = Date.now()
          report({ ...line, ended, status: 200, ...(problem === undefined ? {} : { problem }) })
        } catch (error) {
          if (!(error instanceof Error)) throw error
          const status = error instanceof Inconclusive ? (error.exchange?.status ?? 0) : 0
          report({ ...line, ended: Date.now(), status, problem: error.message.slice(0, 300) })
        }
      },

      teardown: () => Promise.resolve(),
    }
  }

/** The invoice that a task is about: each in turn. */
export const invoiceOf = ({ issued: { invoices } }: TaskAssignment, i: number) => {
  const invoice = invoices[i % invoices.length]
  if (invoice === undefined) throw new Error('no invoice was issued before the run')
  return invoice
}
