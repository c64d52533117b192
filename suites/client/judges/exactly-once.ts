import { exactlyOnce, issuedOnce } from '../exactly-once.ts'
import type { History } from '../history.ts'
import type { Opinion } from '../opinion.ts'
import { notExercised, notVerifiable, passed } from '../opinion.ts'

const rule = 'client.outcome.exactly-once'

/** Whether every document was issued once and recorded rightly. Convictions are those of `exactly-once.ts`. */
export function issuedExactlyOnce(history: History): Opinion[] {
  const { once, of } = issuedOnce(history)
  if (of === 0) return [notExercised(rule, 'the task holds no document that is to be issued')]
  if (exactlyOnce(history).length > 0) return []
  return [
    history.beliefs === undefined
      ? notVerifiable(
          rule,
          'the client wrote no beliefs: which outcome and number it records is unknown',
        )
      : passed(rule, `${once} of ${of} issued once, each recorded with its outcome and number`, []),
  ]
}
