import { isIssued, storiesOf } from '../documents.ts'
import { exactlyOnce } from '../exactly-once.ts'
import { groupedBy } from '../manners.ts'
import type { Held, History, Step } from '../history.ts'
import { notInTime } from '../history.ts'
import type { Opinion } from '../opinion.ts'
import { convicted, notExercised, passed } from '../opinion.ts'

/** Whether the client closes its sessions and gets its receipts. */

const rule = 'client.receipt.fetched'

const receiptOperations: ReadonlySet<string> = new Set([
  'receipts.link',
  'receipts.invoice',
  'receipts.invoiceBySvcNumber',
  'receipts.session',
])

const closing: ReadonlySet<string> = new Set(['sessions.closeOnline', 'sessions.closeBatch'])

/** The session has ended, whether the client or the service ended it. */
function isOver({ steps, events }: History, session: string): boolean {
  return (
    steps.some(
      ({ operation, session: of, outcome, committed }) =>
        operation !== undefined &&
        closing.has(operation) &&
        of === session &&
        (outcome === 'ok' || committed === true || outcome === 'fail'),
    ) ||
    steps.some(
      ({ operation, session: of, outcome, code }) =>
        operation === 'sessions.status' && of === session && outcome === 'ok' && (code ?? 0) >= 170,
    ) ||
    events.some(({ kind, subject }) => kind === 'session-closed' && subject === session)
  )
}

const isFetch = ({ operation, outcome }: Step): boolean =>
  operation !== undefined && receiptOperations.has(operation) && outcome === 'ok'

/** Steps that fetched a receipt for what the service holds. */
export const receiptsOf = (
  { steps }: History,
  { reference, svcNumber, session }: Held,
): readonly Step[] =>
  steps.filter(
    (step) =>
      isFetch(step) &&
      step.receiptOf !== undefined &&
      (step.receiptOf === reference || step.receiptOf === svcNumber || step.receiptOf === session),
  )

/** Maximum number of times that a client may call a link that the service refuses each time. */
const attemptsAtMost = 8

/** The client kept calling a link that had expired. */
function stuckAtLink(steps: readonly Step[]): Opinion[] {
  const refused = steps.filter(
    ({ operation, outcome, status }) =>
      operation === 'receipts.link' &&
      outcome === 'fail' &&
      (status === 403 || status === 404 || status === 410),
  )
  return [...groupedBy(refused, ({ path }) => path).values()]
    .filter(({ length }) => length > attemptsAtMost)
    .slice(0, 1)
    .map((group) =>
      convicted(
        rule,
        `the client called the same link to a receipt ${group.length} times, and the service refused it each time with ${group[0]!.status}`,
        group.slice(0, 3).map(({ n }) => n),
        { advice: 'a link expires: ask for the status again, which has a new one' },
      ),
    )
}

/** A later run sent the documents of the session again: the client does not know the session any more. */
function isForgotten(steps: readonly Step[], session: string): boolean {
  const sent = steps.filter(({ operation }) => operation === 'invoices.submit')
  return sent
    .filter((one) => one.session === session)
    .some(({ hash, run }) =>
      sent.some((again) => again.hash === hash && again.run > run && again.session !== session),
    )
}

export function receiptFetched(history: History): Opinion[] {
  const { steps, events } = history
  const opened = steps.filter(
    ({ operation, facts }) =>
      operation === 'sessions.openOnline' && typeof facts['opened'] === 'string',
  )
  const sessionsUsed = new Set(
    steps
      .filter(({ operation, outcome }) => operation === 'invoices.submit' && outcome === 'ok')
      .map(({ session }) => session),
  )
  const wrong = opened.flatMap((step): Opinion[] => {
    const session = String(step.facts['opened'])
    if (!sessionsUsed.has(session) || isOver(history, session)) return []
    if (isForgotten(steps, session)) return []
    return [
      convicted(
        rule,
        `the client sent invoices in the session ${session} and never closed it`,
        [step.n],
        {
          advice: 'close the session: only then does the service make the aggregate receipt',
        },
      ),
    ]
  })
  wrong.push(...stuckAtLink(steps))
  if (wrong.length > 0 && events.some(({ words }) => words === notInTime)) return wrong
  // Without its permissions a client can neither close nor fetch.
  if (events.some(({ kind }) => kind === 'token-revoked' || kind === 'permission-withdrawn'))
    return [notExercised(rule, 'the rights of the client were withdrawn')]
  // If its document came to harm, or the client was stopped, a missing receipt is not a separate finding.
  if (exactlyOnce(history).length > 0)
    return [notExercised(rule, 'a document came to harm, and its receipt with it')]
  if (events.some(({ words }) => words === notInTime))
    return [notExercised(rule, 'the client did not end in time')]
  // The receipt of a duplicate belongs to the run that issued it.
  const issued = storiesOf(history)
    .filter(({ reportedDuplicate }) => reportedDuplicate === undefined)
    .flatMap(({ held }) => held.filter(isIssued))
  if (issued.length === 0 && opened.length === 0)
    return [notExercised(rule, 'the client opened no session')]
  const missing = issued.filter((held) => receiptsOf(history, held).length === 0)
  if (missing.length > 0) {
    const refused = steps.findLast(
      ({ operation, outcome }) =>
        operation !== undefined && receiptOperations.has(operation) && outcome === 'fail',
    )
    wrong.push(
      convicted(
        rule,
        `no receipt was fetched for ${missing.length} of ${issued.length} issued documents, first ${missing[0]!.svcNumber}${refused === undefined ? '' : '; the last attempt was refused and not made anew'}`,
        refused === undefined ? [] : [refused.n],
        {
          advice:
            'fetch the receipt by the link of the status; when a link has expired, ask for the status again',
        },
      ),
    )
  }
  if (wrong.length > 0) return wrong
  if (issued.length === 0) return [notExercised(rule, 'no document was issued')]
  return [
    passed(
      rule,
      `receipts for ${issued.length} documents`,
      steps
        .filter(isFetch)
        .slice(0, 2)
        .map(({ n }) => n),
    ),
  ]
}
