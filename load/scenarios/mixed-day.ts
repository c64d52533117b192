import { onSchedule } from '../tasks.ts'
import type { Task } from '../tasks.ts'
import { exportTask } from './export.ts'
import { loginTask } from './login-storm.ts'
import { syncTask } from './metadata-sync.ts'
import { pollTask } from './poll-status.ts'
import { receiptTask } from './receipts.ts'

/** What a client does on a day besides sending, by how often: of 20 tasks 11 look at a status. */
const mix: readonly (readonly [times: number, task: Task])[] = [
  [11, pollTask],
  [5, receiptTask],
  [2, syncTask],
  [1, loginTask],
  [1, exportTask],
]

const day = mix.flatMap(([times, task]) => Array.from({ length: times }, () => task))

/** Tasks of different kinds follow each other, not one kind after the other: 7 has no divisor in common with 20. */
const stride = 7

export const mixedDay = onSchedule((i) => day[(i * stride) % day.length] ?? pollTask)
