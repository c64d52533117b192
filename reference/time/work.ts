import { randomUUID } from 'node:crypto'
import type { Clock } from './clock.ts'
import type { Soon } from '../base/soon.ts'
import { soon } from '../base/soon.ts'
import type { State } from '../model/state.ts'
import type { Task, WorkKind } from '../model/task.ts'

/** The schedule of asynchronous work. */

type Prepare = (ready: () => void) => boolean

export interface Schedule {
  /** Whether work of a kind is done in the same step as what leads to it. */
  prompt(kind: WorkKind): boolean
  /**
   * Has `kind` done to `subject` after so many milliseconds of the service's time.
   * @param prepare where the work has a part that is done elsewhere: is given what to call when that is done, and
   * says whether it began
   */
  later(kind: WorkKind, subject: string, ms: number, prepare?: Prepare): void
}

/** The schedule over a clock and a state; takes up what an earlier process left. */
export const createSchedule = (
  state: State,
  clock: Clock,
  run: (kind: WorkKind, subject: string) => Soon<void>,
  /** Whether work has a delay of its own, so that even what is done at once is done later. */
  delayed: boolean,
  delay: (kind: WorkKind, ms: number) => number,
): Schedule => {
  // Unlike those that an earlier process left.
  const origin = randomUUID()
  let made = 0
  const plan = (task: Task): void =>
    clock.at(task.due, () => {
      // A reset in between has emptied the table: then the work is void.
      if (state.tasks.get(task.id) === undefined) return undefined
      return soon(run(task.kind, task.subject), () => state.tasks.delete(task.id))
    })
  for (const task of state.tasks.values()) plan(task)
  return {
    prompt: (kind) => !delayed && delay(kind, 0) === 0,
    later(kind, subject, ms, prepare) {
      const task = {
        id: `${origin}-${made++}`,
        kind,
        subject,
        due: clock.now() + delay(kind, ms),
      }
      state.tasks.put(task)
      if (prepare === undefined || !prepare(() => plan(task))) plan(task)
    },
  }
}
