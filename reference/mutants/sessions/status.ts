import type { OperationId } from '../../../contract/endpoints.ts'
import { reached, utc } from '../../base/wording.ts'
import type { Session } from '../../model/documents.ts'
import { countedByNumber } from '../by-number.ts'
import type { Mutant } from '../mutant.ts'
import { describedAs } from '../reasons.ts'
import type { Change, Fields } from '../rewrite.ts'
import { bodies, calls, records } from '../rewrite.ts'
import type { Opened, SessionView } from '../session-views.ts'
import { endedByTime, ownSession, sessionOf, toldToOthers } from '../session-views.ts'
import { day, minute } from '../spans.ts'
import { underWay } from '../under-way.ts'

/** Processing of invoices takes time, and pending ones are counted differently in the list of sessions. */
const pendingCounted = (
  change: (counts: {
    readonly totalInvoiceCount: number
    readonly successfulInvoiceCount: number
    readonly failedInvoiceCount: number
  }) => Fields,
): Mutant => {
  const { call: listed } = records(['sessions.list'], 'sessions', change)
  return {
    at: ['sessions.list', 'invoices.submit'],
    call: (call, next) =>
      listed && call.operation === 'sessions.list' ? listed(call, next) : next(call),
    later: (kind, ms) => (kind === 'invoice' ? ms + 5_000 : ms),
  }
}

const shown = (change: Change<SessionView>): Mutant =>
  records(['sessions.status', 'sessions.list'], 'sessions', change)

/** The counters of a session, with invoices of one code counted as something else. */
const counted = (
  code: number,
  change: (counts: { readonly accepted: number; readonly rejected: number }, n: number) => Fields,
): Mutant =>
  records(['sessions.status'], 'none', (_fields, call) => {
    const session = sessionOf(call)
    if (session === undefined) return {}
    const { accepted, rejected, referenceNumber } = session
    const invoices = call.service.state.invoices.by('session', referenceNumber)
    const n = invoices.filter(({ status }) => status.code === code).length
    return n === 0 ? {} : change({ accepted, rejected }, n)
  })

/** Sessions that ended well are taken for open ones when their time is over. */
const endedTwice = (kind: Session['kind']): Mutant => ({
  at: ['expiry'],
  tables: {
    sessions: {
      read: (found) =>
        found?.kind === kind && found.status.code === 200
          ? { ...found, status: { ...found.status, code: 100 } }
          : found,
    },
  },
})

/** Whether it fails for a reason of its own, and not on request. */
const failsByItself = ({ details = [] }: Session['status']): boolean =>
  details.length > 0 && !details.some((one) => one.includes('management port'))

/** Packages that fail for a reason of their own are open again. */
const openAgain = (code: number): Mutant => ({
  tables: {
    sessions: {
      write: (next, before) =>
        next.kind === 'batch' &&
        next.status.code === code &&
        failsByItself(next.status) &&
        before?.status.code === 150
          ? { ...next, status: reached('batchSession', 100) }
          : next,
    },
  },
})

/** A counter that cannot go beyond a byte. */
const inByte = (counter: 'successfulInvoiceCount' | 'failedInvoiceCount'): Mutant =>
  shown(({ [counter]: count }) => ((count ?? 0) > 255 ? { [counter]: 255 } : {}))

/** Submissions of a session that are under way at the same time each count from where they found the total. */
const lostTotals: Mutant = {
  at: ['invoices.submit'],
  async call(call, next) {
    const before = ownSession(call)?.total ?? 0
    await underWay()
    const answer = await next(call)
    const session = ownSession(call)
    if (session) call.service.state.sessions.put({ ...session, total: before + 1 })
    return answer
  },
}

/** Calls that touch a session of the caller before they are checked, so that refused ones touch it too. */
const touched = (...at: readonly OperationId[]): Mutant =>
  calls(at, (call) => {
    const session = ownSession(call)
    if (session) call.service.state.sessions.put({ ...session, updatedAt: call.now })
    return call
  })

/** Defects of the status of a session. */
export const sessionsStatusMutants = {
  'sessions.status.counts/pending-lost-at-the-end': {
    at: ['expiry'],
    tables: {
      sessions: {
        write: (next) =>
          next.status.code === 170 ? { ...next, total: next.accepted + next.rejected } : next,
      },
    },
  },
  'sessions.status.counts/accepted-by-number': countedByNumber(
    'successfulInvoiceCount',
    ({ status }) => status.code === 200,
  ),
  'sessions.status.counts/accepted-in-a-byte': inByte('successfulInvoiceCount'),
  'sessions.status.counts/rejected-in-a-byte': inByte('failedInvoiceCount'),
  'sessions.status.counts/rejected-for-the-opener-alone': toldToOthers('sessions.status', () => ({
    failedInvoiceCount: 0,
  })),
  'sessions.status.counts/lost-when-submissions-overlap': lostTotals,
  'sessions.status.dates/unchanged-after-the-close': {
    tables: {
      sessions: {
        write: (next, before) =>
          before?.closedAt === undefined ? next : { ...next, updatedAt: before.closedAt },
      },
    },
  },
  'sessions.status.counts/pending-as-failed': pendingCounted(
    ({ totalInvoiceCount, successfulInvoiceCount }) => ({
      failedInvoiceCount: totalInvoiceCount - successfulInvoiceCount,
    }),
  ),
  'sessions.status.counts/total-of-the-processed': pendingCounted(
    ({ successfulInvoiceCount, failedInvoiceCount }) => ({
      totalInvoiceCount: successfulInvoiceCount + failedInvoiceCount,
    }),
  ),
  'sessions.status.counts/counts-do-not-add-up': shown(
    ({ invoiceCount, totalInvoiceCount, failedInvoiceCount }) => ({
      successfulInvoiceCount: invoiceCount ?? totalInvoiceCount ?? 0,
      failedInvoiceCount: (failedInvoiceCount ?? 0) + 1,
    }),
  ),
  'sessions.status.counts/duplicates-as-accepted': counted(440, ({ accepted, rejected }, n) => ({
    successfulInvoiceCount: accepted + n,
    failedInvoiceCount: rejected - n,
  })),
  'sessions.status.counts/undecryptable-uncounted': counted(435, ({ rejected }, n) => ({
    failedInvoiceCount: rejected - n,
  })),
  'sessions.status.counts-absent/zero-shown': bodies(['sessions.status'], (session: object) => ({
    invoiceCount: 0,
    successfulInvoiceCount: 0,
    failedInvoiceCount: 0,
    ...session,
  })),
  'sessions.status.counts-absent/zero-shown-once-closed': bodies(
    ['sessions.status'],
    (session: SessionView) =>
      session.status.code >= 200
        ? { successfulInvoiceCount: 0, failedInvoiceCount: 0, ...session }
        : {},
  ),
  'sessions.status.counts-absent/uncounted-is-zero': bodies(
    ['sessions.status'],
    ({ invoiceCount }: SessionView) => (invoiceCount === null ? { invoiceCount: 0 } : {}),
  ),
  'sessions.status.moves-forward/failure-described-as-open': describedAs(
    ['sessions.status'],
    'onlineSession',
    100,
  ),
  'sessions.status.moves-forward/failed-package-described-as-processing': describedAs(
    ['sessions.status'],
    'batchSession',
    150,
  ),
  'sessions.status.moves-forward/state-moves-backwards': bodies(
    ['sessions.status'],
    ({ status }: SessionView) => (status.code === 100 ? { status: { ...status, code: 440 } } : {}),
  ),
  'sessions.status.moves-forward/misfit-open-again': openAgain(405),
  'sessions.status.moves-forward/bad-archive-open-again': openAgain(430),
  'sessions.status.moves-forward/undecryptable-open-again': openAgain(435),
  'sessions.status.moves-forward/closed-again-by-time': endedTwice('online'),
  'sessions.status.moves-forward/expired-after-the-end': {
    also: ['sessions.batch.close'],
    ...endedTwice('batch'),
  },
  'sessions.status.dates/changed-by-refused-submissions': touched('invoices.submit'),
  'sessions.status.dates/changed-by-refused-closes': touched('sessions.closeOnline'),
  'sessions.status.dates/changed-by-refused-closes-of-packages': touched('sessions.closeBatch'),
  'sessions.status.dates/never-changes': shown(({ dateCreated }) => ({ dateUpdated: dateCreated })),
  'sessions.status.dates/never-changes-in-the-list': records(
    ['sessions.list'],
    'sessions',
    ({ dateCreated }: SessionView) => ({
      dateUpdated: dateCreated,
    }),
  ),
  'sessions.status.dates/ends-at-its-opening': shown(({ dateCreated }) => ({
    validUntil: dateCreated,
  })),
  'sessions.status.dates/opened-when-changed': shown(({ dateUpdated }) => ({
    dateCreated: dateUpdated,
  })),
  'sessions.status.dates/another-end-at-opening': bodies(
    ['sessions.openOnline'],
    ({ validUntil }: Opened) => ({
      validUntil: utc(Date.parse(validUntil) + 24 * 3600 * 1000),
    }),
  ),
  'sessions.status.dates/open-for-ever': {
    later: (kind, ms) => (kind === 'expiry' ? undefined : ms),
  },
  'sessions.status.dates/packages-valid-for-half-a-day': records(
    ['sessions.status', 'sessions.list'],
    'sessions',
    ({ referenceNumber }: { readonly referenceNumber?: string }, { service: { state }, path }) => {
      const session = state.sessions.get(referenceNumber ?? path['referenceNumber'] ?? '')
      return session?.kind === 'batch' ? { validUntil: utc(session.openedAt + day / 2) } : {}
    },
  ),
  'sessions.status.dates/listed-as-of-one-part': records<Pick<SessionView, 'referenceNumber'>>(
    ['sessions.list'],
    'sessions',
    ({ referenceNumber }, { service }) => {
      const session = service.state.sessions.get(referenceNumber)
      const period = service.limit('batch.uploadSecondsPerPart') * 1000
      return session?.kind === 'batch' ? { validUntil: utc(session.openedAt + period) } : {}
    },
  ),
  'sessions.status.dates/packages-as-of-one-part': {
    tables: {
      sessions: {
        write: (next, before) =>
          next.package !== undefined && before === undefined
            ? { ...next, validUntil: next.openedAt + 20 * minute }
            : next,
      },
    },
  },
  'sessions.status.dates/prolonged-by-use': {
    at: ['expiry'],
    tables: {
      sessions: {
        read: (found) =>
          found?.kind === 'online' && found.updatedAt - found.openedAt > 60 * minute
            ? undefined
            : found,
      },
    },
  },
  'sessions.status.counts/late-invoices-uncounted': {
    at: ['session'],
    tables: {
      sessions: {
        write: (next) =>
          endedByTime(next) ? { ...next, accepted: 0, rejected: 0, total: 0 } : next,
      },
    },
  },
} as const satisfies Readonly<Record<string, Mutant>>
