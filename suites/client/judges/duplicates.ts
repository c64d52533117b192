import { storiesOf } from '../documents.ts'
import type { History } from '../history.ts'
import type { Opinion } from '../opinion.ts'
import { convicted, notExercised, notVerifiable, passed } from '../opinion.ts'

/** What the client does once it knows that a document is a duplicate. */

export function neverResent(history: History): Opinion[] {
  const rule = 'client.duplicates.never-resent'
  const rejected = storiesOf(history).filter(
    ({ reportedDuplicate }) => reportedDuplicate !== undefined,
  )
  if (rejected.length === 0) return [notExercised(rule, 'the client received no 440')]
  const resent = rejected.flatMap(({ document, sent, reportedDuplicate }) => {
    const again = sent.find((step) => step.at > reportedDuplicate!.ended)
    return again === undefined
      ? []
      : [
          convicted(
            rule,
            `${document.id} (${document.number}): the client knew that it is a duplicate and sent it again`,
            [reportedDuplicate!.n, again.n],
            { document: document.id, advice: 'treat 440 as done: the document is issued already' },
          ),
        ]
  })
  if (resent.length > 0) return resent
  return [
    passed(
      rule,
      'no document was sent again after 440',
      rejected.map(({ reportedDuplicate }) => reportedDuplicate!.n),
    ),
  ]
}

/** Wrong beliefs about duplicates are convictions of `exactly-once.ts`. */
export function kept(history: History): Opinion[] {
  const rule = 'client.duplicates.kept'
  const rejected = storiesOf(history).filter(
    ({ reportedDuplicate }) => reportedDuplicate !== undefined,
  )
  if (rejected.length === 0) return [notExercised(rule, 'the client received no 440')]
  if (history.beliefs === undefined)
    return [
      notVerifiable(rule, 'the client wrote no beliefs, so the number that it keeps is unknown'),
    ]
  return [
    passed(
      rule,
      'the client counts the document as issued',
      rejected.map(({ reportedDuplicate }) => reportedDuplicate!.n),
    ),
  ]
}
