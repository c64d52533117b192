import { storiesOf } from '../documents.ts'
import type { History, Step, TaskDocument } from '../history.ts'
import type { Opinion } from '../opinion.ts'
import { createdTokens } from './created-tokens.ts'
import { convicted, notExercised, passed } from '../opinion.ts'

/** What the client does about a submission that got no answer. */

/** Reads that can show what became of a document. */
const lookups: ReadonlySet<string> = new Set([
  'sessions.invoices',
  'sessions.status',
  'sessions.failed',
  'invoices.inSession',
  'invoices.status',
  'invoices.byNumber',
  'queries.metadata',
  'queries.general',
])

const rule = 'client.outcome.unknown-resolved'

const sentTwice = ({ id, number }: TaskDocument, first: Step, next: Step): Opinion =>
  convicted(
    rule,
    `${id} (${number}): the service had accepted its submission for processing; the client sent it again without finding out what became of it`,
    [first.n, next.n],
    { document: id, advice: 'ask for the status of the submission before sending again' },
  )

const sentWhilePending = (
  { id, number }: TaskDocument,
  first: Step,
  pending: Step,
  next: Step,
): Opinion =>
  convicted(
    rule,
    `${id} (${number}): the service was still processing its submission (code ${pending.code}); the client sent it again`,
    [first.n, pending.n, next.n],
    {
      document: id,
      advice: 'a code below 200 is no outcome: ask for the status again, with pauses',
    },
  )

export function unknownResolved(history: History): Opinion[] {
  const opinions = storiesOf(history).flatMap(({ document, sent }): Opinion[] => {
    const open = sent.filter(({ outcome }) => outcome !== 'fail')
    return open.flatMap((first) => {
      const next = sent.find((step) => step.n > first.n)
      const looked = next && lookupBetween(history.steps, first, next)
      if (first.outcome === 'ok') {
        if (next === undefined) return []
        if (looked === undefined) return [sentTwice(document, first, next)]
        const pending = pendingBetween(history.steps, first, next)
        return pending === undefined ? [] : [sentWhilePending(document, first, pending, next)]
      }
      const lost = first
      if (next === undefined)
        return [passed(rule, `${document.id}: not sent again`, [lost.n], { document: document.id })]
      if (looked !== undefined)
        return [
          passed(
            rule,
            `${document.id}: the client looked before it sent again`,
            [lost.n, looked.n, next.n],
            { document: document.id },
          ),
        ]
      return [
        convicted(
          rule,
          `${document.id} (${document.number}): no answer came to its submission${lost.committed === true ? ', which the service had carried out' : ''}; the client sent it again without finding out`,
          [lost.n, next.n],
          {
            document: document.id,
            advice:
              'ask for the invoices of the session, or query by number, and compare the hash before sending again',
          },
        ),
      ]
    })
  })
  opinions.push(...createdTokens(history))
  return opinions.length > 0 ? opinions : [notExercised(rule, 'every submission got its answer')]
}

const isLookupBetween =
  (first: Step, next: Step) =>
  ({ operation, outcome, n }: Step): boolean =>
    operation !== undefined &&
    lookups.has(operation) &&
    outcome === 'ok' &&
    n > first.n &&
    n < next.n

const lookupBetween = (steps: readonly Step[], lost: Step, next: Step): Step | undefined =>
  steps.find(isLookupBetween(lost, next))

/** The last answer before the client sent the document again, if it reported the first submission as in processing. */
function pendingBetween(steps: readonly Step[], first: Step, next: Step): Step | undefined {
  const last = steps.findLast(isLookupBetween(first, next))
  const isPending =
    last?.operation === 'invoices.inSession' &&
    last.fault?.startsWith('unknown ') !== true &&
    last.code !== undefined &&
    last.code < 200 &&
    last.sightings.some(({ reference }) =>
      first.sightings.some((one) => one.reference === reference),
    )
  return isPending ? last : undefined
}
