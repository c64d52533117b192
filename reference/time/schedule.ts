import { randomUUID } from 'node:crypto'
import type { Instant } from '../base/instants.ts'
import type { Clock } from './clock.ts'

/**
 * Asynchronous work as data: which kind of work is to be done to which entity at which instant. A task is kept where a
 * restart finds it, and the clock alone drives it.
 */
export interface Task<Kind extends string> {
  readonly id: string
  readonly kind: Kind
  /** Key of the entity that the work is about. */
  readonly subject: string
  readonly due: Instant
}

/** Where tasks are kept until they are done. */
interface Tasks<Kind extends string> {
  get(id: string): Task<Kind> | undefined
  put(task: Task<Kind>): void
  delete(id: string): void
  values(): Iterable<Task<Kind>>
}

type Prepare = (ready: () => void) => boolean

export interface Schedule<Kind extends string> {
  /** Whether work of a kind is due in the step that asks for it. */
  isImmediate(kind: Kind): boolean
  /**
   * Has `kind` done to `subject` after so many milliseconds of the service's time.
   * @param prepare where the work has a part that is done elsewhere: is given what to call when that is done, and
   * says whether it began
   */
  later(kind: Kind, subject: string, ms: number, prepare?: Prepare): void
}

interface ScheduleOptions<Kind extends string> {
  readonly tasks: Tasks<Kind>
  readonly clock: Clock
  readonly run: (kind: Kind, subject: string) => Promise<void>
  readonly isImmediate: (kind: Kind) => boolean
  /** Milliseconds after which work is due that is asked for after `ms`. */
  readonly delay: (kind: Kind, ms: number) => number
}

/** The schedule of asynchronous work over a clock; takes up what an earlier process left. */
export const createSchedule = <Kind extends string>({
  tasks,
  clock,
  run,
  isImmediate,
  delay,
}: ScheduleOptions<Kind>): Schedule<Kind> => {
  // Unlike those that an earlier process left.
  const origin = randomUUID()
  let made = 0
  const plan = (task: Task<Kind>): void =>
    clock.at(task.due, async () => {
      // A reset in between has emptied the table: then the work is void.
      if (tasks.get(task.id) === undefined) return
      await run(task.kind, task.subject)
      tasks.delete(task.id)
    })
  for (const task of tasks.values()) plan(task)
  return {
    isImmediate,
    later(kind, subject, ms, prepare) {
      const task = {
        id: `${origin}-${made++}`,
        kind,
        subject,
        due: clock.now() + delay(kind, ms),
      }
      tasks.put(task)
      if (prepare === undefined || !prepare(() => plan(task))) plan(task)
    },
  }
}
