import { utc } from '../base/wording.ts'
import { keyOf } from '../model/entities.ts'
import { policy } from '../policy/policy.ts'
import type { AnyCall } from '../call/call.ts'
import type { Session } from '../model/documents.ts'
import type { Mutant } from './mutant.ts'
import { calls, lists, records, refuses } from './rewrite.ts'
import type { Fields } from './rewrite.ts'
import { refuse } from '../base/refusals.ts'

/** Defects of sessions whose invoices end differently, or come in another way than most: packages, other senders, rejects. */

const sessionOf = ({ service, path }: AnyCall): Session | undefined =>
  service.state.sessions.get(path['referenceNumber'] ?? '')

/** Sessions that get no receipt where something is so. */
const withoutReceipt = (when: (session: Session) => boolean): Mutant => ({
  tables: {
    sessions: {
      write: (next) => (next.status.code === 200 && when(next) ? { ...next, receipts: [] } : next),
    },
  },
})

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

const statuses = [
  'invoices.inSession',
  'invoices.status',
  'invoices.statusBySvcNumber',
  'sessions.invoices',
] as const

/** What statuses say of the invoices of packages. */
const inPackages = (fields: Fields): Mutant =>
  records<{ readonly referenceNumber: string }>(
    statuses,
    'invoices',
    ({ referenceNumber }, { service: { state } }) => {
      const session = state.invoices.get(referenceNumber)?.session ?? ''
      return state.sessions.get(session)?.kind === 'batch' ? fields : {}
    },
  )

/** Numbers are made of something that the call says, rather than of the document. */
const numberedBy = (
  change: (call: AnyCall) => { readonly nip?: string; readonly day?: string },
): Mutant => {
  let given: { readonly nip?: string; readonly day?: string } = {}
  return {
    at: ['invoices.submit', 'invoice'],
    call(call, next) {
      given = change(call)
      return next(call)
    },
    policy: {
      svcNumber: (nip, day, technical) =>
        policy.svcNumber(given.nip ?? nip, given.day ?? day, technical),
    },
  }
}

/** A session is closed for one path of the submission, and open for the other. */
const openBySlash = (): Mutant => {
  let slash = false
  return {
    exchange(running, next) {
      slash = running.path.endsWith('/')
      return next(running)
    },
    policy: { sessionTakesInvoices: (state) => slash || policy.sessionTakesInvoices(state) },
  }
}

/** The limit of a session holds for all sessions of its context together. */
const roomOfTheContext = refuses(['invoices.submit'], 'session-full', (call) => {
  const session = sessionOf(call)
  if (session === undefined) return false
  const { state, limits } = call.service
  const total = state.sessions
    .by('context', keyOf(session.context))
    .reduce((sum, one) => sum + one.total, 0)
  return total >= limits.session(session.context).online.maxInvoices
})

const day = 24 * 3_600_000

export const mixedOutcomesMutants = {
  'sessions.online.receipt-after-close/none-beside-a-rejected-invoice': withoutReceipt(
    ({ rejected }) => rejected > 0,
  ),
  'sessions.online.receipt-after-close/none-for-one-that-closed-itself': withoutReceipt(
    ({ kind, closedAt = 0, validUntil }) => kind === 'online' && closedAt >= validUntil,
  ),
  'sessions.online.close/only-with-an-accepted-invoice': refuses(
    ['sessions.closeOnline'],
    'session-state-forbids',
    (call) => {
      const session = sessionOf(call)
      return session?.accepted === 0 && session.rejected > 0
    },
  ),
  'sessions.online.close/open-by-the-other-path': openBySlash(),
  'sessions.status.dates/packages-valid-for-half-a-day': records(
    ['sessions.status', 'sessions.list'],
    'sessions',
    ({ referenceNumber }: { readonly referenceNumber?: string }, { service: { state }, path }) => {
      const session = state.sessions.get(referenceNumber ?? path['referenceNumber'] ?? '')
      return session?.kind === 'batch' ? { validUntil: utc(session.openedAt + day / 2) } : {}
    },
  ),
  'sessions.list.complete/closed-ones-not-in-progress': lists<{
    readonly status: { readonly code: number }
  }>(['sessions.list'], 'sessions', (rows) => rows.filter(({ status }) => status.code !== 170)),
  'limits.context/invoices-of-all-sessions': roomOfTheContext,
  'invoices.mode/offline-from-then-on': {
    tables: {
      invoices: {
        write: (next, _before, { invoices }) => ({
          ...next,
          offline:
            next.offline || invoices.by('session', next.session).some(({ offline }) => offline),
        }),
      },
    },
  },
  'invoices.get.parties-only/seller-only-as-sender': {
    policy: {
      mayReadInvoice: (roles) => policy.mayReadInvoice({ ...roles, seller: false }),
    },
  },
  'exports.expiry/from-the-request-on': {
    tables: {
      exports: {
        write: (next) =>
          next.expiresAt === undefined || next.completedAt === undefined
            ? next
            : { ...next, expiresAt: next.expiresAt - (next.completedAt - next.requestedAt) },
      },
    },
  },
  'exports.package.content/every-date-as-that-of-issue': {
    at: ['export'],
    policy: { rangeDate: (issued) => policy.rangeDate(issued, 'issue') },
  },
  'sessions.status.counts/duplicates-as-accepted': counted(440, ({ accepted, rejected }, n) => ({
    successfulInvoiceCount: accepted + n,
    failedInvoiceCount: rejected - n,
  })),
  'sessions.status.counts/undecryptable-uncounted': counted(435, ({ rejected }, n) => ({
    failedInvoiceCount: rejected - n,
  })),
  'sessions.invoices.complete/numbered-on-each-page': lists<Fields>(
    ['sessions.invoices'],
    'invoices',
    (rows) => rows.map((row, at) => ({ ...row, ordinalNumber: at + 1 })),
  ),
  'sessions.list.complete/in-the-order-of-change': {
    at: ['sessions.list'],
    tables: {
      sessions: {
        find: (found) => found.map((session) => ({ ...session, openedAt: session.updatedAt })),
      },
    },
  },
  'sessions.batch.part-checked/values-of-headers-unread': {
    policy: {
      partHeadersFit: (headers, agreed) => Object.keys(agreed).every((name) => name in headers),
    },
  },
  'invoices.duplicate.points-to-original/no-number-in-packages': inPackages({
    originalSvcNumber: null,
  }),
  'invoices.status.session-reference/not-in-packages': inPackages({
    sessionReferenceNumber: undefined,
  }),
  'receipts.link.in-status/not-in-packages': inPackages({
    upoDownloadUrl: null,
    upoDownloadUrlExpirationDate: null,
  }),
  'invoices.number.unique/nip-of-the-sender': numberedBy(({ caller }) =>
    caller === undefined ? {} : { nip: caller.context.value.slice(0, 10) },
  ),
  'invoices.number.unique/day-in-utc': numberedBy(({ now }) => ({
    day: new Date(now).toISOString().slice(0, 10),
  })),
  'invoices.get.by-invoice-number/ambiguous-beside-a-rejected-one': {
    at: ['invoices.byNumber'],
    call(call, next) {
      const number = call.path['invoiceNumber']
      const rejected = [...call.service.state.invoices.values()].some(
        (one) => one.number === number && one.status.code > 200,
      )
      if (rejected) throw refuse('invoice-number-ambiguous')
      return next(call)
    },
  },
  'queries.metadata.described/sent-by-package-on-the-day-of-issue': {
    ...records<{ readonly svcNumber: string; readonly invoicingDate: string }>(
      ['queries.metadata'],
      'invoices',
      ({ svcNumber, invoicingDate }, { service: { state } }) =>
        state.sessions.get(state.issued.get(svcNumber)?.session ?? '')?.kind === 'batch'
          ? { issueDate: invoicingDate.slice(0, 10) }
          : {},
    ),
    also: ['invoices.content.issue-date'],
  },
  'queries.metadata.subject-type/sender-as-seller': {
    policy: {
      hasRole: (roles, subjectType) =>
        subjectType === 'subject1' ? roles.sender : policy.hasRole(roles, subjectType),
    },
  },
  'queries.metadata.filters/any-date-for-a-number': calls(
    ['queries.metadata', 'queries.general'],
    (call) => {
      const query = call.body as { readonly svcNumber?: string | null; readonly dateRange: Fields }
      if (typeof query.svcNumber !== 'string') return call
      const from = new Date(call.now - 60 * day).toISOString()
      const dateRange = { dateType: query.dateRange['dateType'], from }
      return { ...call, body: { ...query, dateRange } }
    },
  ),
} satisfies Readonly<Record<string, Mutant>>
