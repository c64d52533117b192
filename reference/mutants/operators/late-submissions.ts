import { reached } from '../../base/wording.ts'
import { Refused } from '../../base/refusals.ts'
import type { AnyCall } from '../../call/call.ts'
import { closeOnline } from '../../invoices/processing.ts'
import { changeSession } from '../../invoices/session.ts'
import type { Session } from '../../model/documents.ts'
import type { Mutant } from '../mutant.ts'
import { accepts, calls, changesWhereRefused, decidedBy } from '../rewrite.ts'
import { endedByTime, ownSession } from '../session-views.ts'
import { underWay } from '../under-way.ts'
import type { Generated, Rules } from './operator.ts'
import { generated } from './operator.ts'

/** Calls that come when a session is over or full, and that have an effect all the same. */

interface Declared {
  readonly offlineMode?: boolean
  readonly hashOfCorrectedInvoice?: string
}

/** Submissions that are let in although they come late, by what is declared of them. */
const late: Readonly<Record<string, (declared: Declared) => boolean>> = {
  offline: ({ offlineMode }) => offlineMode === true,
  corrections: ({ hashOfCorrectedInvoice }) => hashOfCorrectedInvoice !== undefined,
}

/** How a session has ended. */
const ends: Readonly<Record<string, (session: Session) => boolean>> = {
  closed: (session) => !endedByTime(session),
  expired: endedByTime,
}

const lateTaken = (isDeclared: (typeof late)[string], hasEnded: (typeof ends)[string]): Mutant =>
  calls(['invoices.submit'], (call) => {
    const session = ownSession(call)
    return session && hasEnded(session) && isDeclared(call.body as Declared)
      ? decidedBy(call, { sessionTakesInvoices: () => true })
      : call
  })

/** A session that was cancelled can be closed all the same. */
const closedAfterAll = (
  kind: Session['kind'],
  close: (call: AnyCall, session: Session) => void,
): Mutant =>
  accepts(
    [kind === 'batch' ? 'sessions.closeBatch' : 'sessions.closeOnline'],
    ['session-state-forbids', 'upload-time-exceeded'],
    (call) => {
      const session = ownSession(call)
      if (session?.kind !== kind || session.status.code !== 440) return undefined
      close(call, session)
      return {}
    },
  )

/** What is refused because the session is full counts in it. */
const refusedCounted = changesWhereRefused(['invoices.submit'], (call, error) => {
  const session = ownSession(call)
  if (session && error instanceof Refused && error.id === 'session-full')
    changeSession(call.service, session, ({ total }) => ({ total: total + 1 }))
})

/** Whether there is room is decided as the submission arrives, and the invoice is added later. */
const roomAtArrival: Mutant = {
  at: ['invoices.submit'],
  async call(call, next) {
    const { policy, limits } = call.service
    const session = ownSession(call)
    if (session === undefined) return next(call)
    const { maxInvoices } = policy.sessionBounds(limits.session(session.context), 'online')
    if (!policy.sessionHasRoom(session.total, maxInvoices)) return next(call)
    await underWay()
    return next(decidedBy(call, { sessionHasRoom: () => true }))
  },
}

const rows: readonly (readonly [name: string, rules: Rules, mutant: Mutant])[] = [
  ['refused-one-counted', ['sessions.online.ten-thousand'], refusedCounted],
  ['room-at-arrival', ['sessions.online.ten-thousand', 'limits.context'], roomAtArrival],
  [
    'cancelled-package-closed',
    ['sessions.status.moves-forward', 'sessions.batch.close'],
    closedAfterAll('batch', ({ service }, session) => {
      changeSession(service, session, { status: reached('batchSession', 150) })
      service.schedule.later('batch', session.referenceNumber, 0)
    }),
  ],
  [
    'cancelled-session-closed',
    ['sessions.status.moves-forward', 'sessions.online.close'],
    closedAfterAll('online', ({ service }, session) => closeOnline(service, session)),
  ],
]

export const effectiveThoughLate = (): Generated[] => [
  ...Object.entries(late).flatMap(([what, isDeclared]) =>
    Object.entries(ends).map(([how, hasEnded]) =>
      generated(
        'late',
        `${what}.${how}`,
        ['sessions.online.close'],
        lateTaken(isDeclared, hasEnded),
      ),
    ),
  ),
  ...rows.map(([name, rules, mutant]) => generated('late', name, rules, mutant)),
]
