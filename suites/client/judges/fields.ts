import { storiesOf } from '../documents.ts'
import { exactlyOnce } from '../exactly-once.ts'
import type { History } from '../history.ts'
import { notInTime } from '../history.ts'
import type { Opinion } from '../opinion.ts'
import { convicted, notExercised, passed } from '../opinion.ts'
import { receiptsOf } from './receipts.ts'

const rule = 'client.fields.unknown-ignored'

/** Documents for which the client received a code that it cannot know, and then stopped asking. */
function takenForOutcomes(history: History): Opinion[] {
  // A client that had to be stopped may still have been asking.
  if (history.events.some(({ words }) => words === notInTime)) return []
  return storiesOf(history).flatMap(({ document, steps, held }) => {
    const last = history.steps.find(({ n }) => n === steps.at(-1))
    if (last?.fault?.startsWith('unknown code ') !== true) return []
    if (held.some((one) => receiptsOf(history, one).length > 0)) return []
    return [
      convicted(
        rule,
        `${document.id} (${document.number}): the last answer about it was an ${last.fault}; the client did not ask again`,
        [last.n],
        { document: document.id, advice: 'a code below 200 is no outcome: ask again' },
      ),
    ]
  })
}

/** Whether the client copes with fields, values and codes that it does not know; harm is recorded by exactly-once. */
export function unknownIgnored(history: History): Opinion[] {
  const altered = history.steps.filter(({ fault }) => fault?.startsWith('unknown ') === true)
  if (altered.length === 0) return [notExercised(rule, 'no answer held anything unknown')]
  const taken = takenForOutcomes(history)
  if (taken.length > 0) return taken
  if (exactlyOnce(history).length > 0) return []
  return [
    passed(
      rule,
      `${altered.length} answers with something unknown in them`,
      altered.slice(0, 3).map(({ n }) => n),
    ),
  ]
}
