import { invoiceSchemas } from '../../../contract/environments.ts'
import { reached } from '../../base/wording.ts'
import { closeOnline } from '../../invoices/processing.ts'
import type { Session } from '../../model/documents.ts'
import { keyOf } from '../../model/entities.ts'
import { policy } from '../../policy/policy.ts'
import { ofTheSubject, reference, whereverItIs } from '../callers.ts'
import type { Mutant } from '../mutant.ts'
import { yearsUnread } from '../date-ranges.ts'
import {
  dayOfTheLastHour,
  inForceOnceOpened,
  labelOfTheFamily,
  newestLabelAlone,
  takesFa2Until,
} from '../form-codes.ts'
import { accepts, bodies, calls, decidedBy, ignores, lists, refuses } from '../rewrite.ts'
import { openedByItsSecret, vectorOfTheNewest } from '../same-secrets.ts'
import { openWithTheSlash } from '../slashes.ts'
import type { Opened, SessionView } from '../session-views.ts'
import { underWay } from '../under-way.ts'
import { endedByTime, endsOpenPackages, newestOpened, ownSession } from '../session-views.ts'
import { receiptOfTheLastAlone, sessionOf } from '../session-views.ts'
import { ownLoginOnly, remembersItsSession } from '../work-of-a-login.ts'

const firstOfFa3 = Date.parse('2026-02-01T00:00:00+01:00')

/** A submission that comes while its session is being closed is answered, but not stored. */
const lostWhileClosing = (): Mutant => {
  const closing = new Set<string>()
  return {
    at: ['invoices.submit', 'sessions.closeOnline'],
    async call(call, next) {
      if (call.operation !== 'sessions.closeOnline') return next(call)
      const session = call.path['referenceNumber'] ?? ''
      closing.add(session)
      await underWay()
      closing.delete(session)
      return next(call)
    },
    tables: {
      invoices: {
        write: (next, before) =>
          before === undefined && closing.has(next.session) ? undefined : next,
      },
    },
  }
}

/** Number of invoices that a session takes in services that do not reach the limit. */
const half = 5_000

/** Invoices beyond the first half of what a session can contain are rejected, however valid. */
const halfAccepted: Mutant = {
  also: ['sessions.batch.ten-thousand'],
  tables: {
    invoices: {
      write: (next) =>
        next.status.code === 200 && next.ordinal > half
          ? { ...next, status: reached('invoice', 450) }
          : next,
    },
    sessions: {
      write: (next) =>
        next.accepted > half
          ? { ...next, accepted: half, rejected: next.rejected + next.accepted - half }
          : next,
    },
  },
}

/** Sessions that get no receipt under a condition. */
const withoutReceipt = (when: (session: Session) => boolean): Mutant => ({
  tables: {
    sessions: {
      write: (next) => (next.status.code === 200 && when(next) ? { ...next, receipts: [] } : next),
    },
  },
})

/** Defects of interactive sessions. */
export const sessionsOnlineMutants = {
  'sessions.online.opens/newest-of-its-context': newestOpened,
  'sessions.online.opens/closed-one-of-its-secret': openedByItsSecret((code) => code !== 100),
  'sessions.online.opens/reference-malformed': bodies(
    ['sessions.openOnline', 'sessions.openBatch'],
    ({ referenceNumber }: Opened) => ({
      referenceNumber: referenceNumber.slice(0, 20),
    }),
  ),
  'sessions.online.bad-key-refused/name-unread': ignores(['sessions.openOnline'], 'publicKeyId'),
  'sessions.online.bad-key-refused/short-iv-accepted': { policy: { initVectorFits: () => true } },
  'sessions.online.bad-key-refused/key-of-192-bits-accepted': {
    also: ['sessions.batch.bad-key-refused'],
    policy: { sessionKeyFits: ({ length }) => length === 32 || length === 24 },
  },
  'sessions.online.bad-key-refused/key-a-byte-short-accepted': {
    also: ['sessions.batch.bad-key-refused'],
    policy: { sessionKeyFits: ({ length }) => length === 32 || length === 31 },
  },
  'sessions.online.bad-key-refused/short-key-accepted': { policy: { sessionKeyFits: () => true } },
  'sessions.online.bad-form-code-refused/in-force-once-opened': inForceOnceOpened(),
  'sessions.online.bad-form-code-refused/any-form-code-accepted': {
    policy: { formCodeFits: () => true, formCodeLabelFits: () => true, schemaInForce: () => true },
  },
  'sessions.online.bad-form-code-refused/form-code-version-ignored': {
    policy: { formCodeFits: ({ formCode }, asked) => formCode.systemCode === asked.systemCode },
  },
  'sessions.online.form-code-forms/form-code-label-refused': {
    policy: { formCodeLabelFits: () => false },
  },
  'sessions.online.receipt-after-close/of-the-last-session': receiptOfTheLastAlone,
  'sessions.online.form-code-forms/newest-label-alone': newestLabelAlone,
  'sessions.online.form-code-forms/label-of-the-family': labelOfTheFamily,
  'sessions.online.form-code-forms/no-label-for-packages': {
    at: ['sessions.openBatch'],
    policy: { formCodeLabelFits: () => false },
  },
  'sessions.online.schema-calendar/schema-of-the-submission': takesFa2Until('2026-01-31'),
  'sessions.online.schema-calendar/documents-a-day-short': takesFa2Until('2026-01-30'),
  'sessions.online.schema-calendar/years-unread': yearsUnread,
  'sessions.online.schema-calendar/day-of-the-last-hour': dayOfTheLastHour(),
  'sessions.online.schema-calendar/fa2-for-ever': {
    policy: { schemaInForce: ({ from }, day) => from === undefined || from <= day },
  },
  'sessions.online.schema-calendar/fa3-from-the-start': {
    policy: { schemaInForce: ({ until }, day) => until === undefined || day <= until },
  },
  'sessions.online.schema-calendar/fa2-a-day-short': {
    also: ['sessions.batch.bad-form-code-refused'],
    policy: {
      schemaInForce: ({ id }, day) =>
        id === 'fa2' ? day < invoiceSchemas.fa2.until : day >= invoiceSchemas.fa2.until,
    },
  },
  'sessions.online.further-forms/pef-by-batch': { policy: { formOfKind: () => true } },
  'sessions.online.further-forms/refused': { policy: { formOfKind: () => false } },
  'sessions.online.needs-permission/permission-not-asked': {
    policy: {
      permitted: (held, required) =>
        required.includes('InvoiceWrite') ||
        required.length === 0 ||
        required.some((permission) => held.has(permission)),
    },
  },
  'sessions.online.close/cancelled-at-its-end': {
    tables: {
      sessions: {
        write: (next) =>
          next.kind === 'online' && next.status.code === 170 && next.updatedAt >= next.validUntil
            ? { ...next, status: reached('onlineSession', 440) }
            : next,
      },
    },
  },
  'sessions.online.close/used-ones-stay-open': {
    at: ['expiry'],
    tables: {
      sessions: { write: (next) => (next.kind === 'online' && next.total > 0 ? undefined : next) },
    },
  },
  'sessions.online.close/rejected-one-fails-it-at-its-end': {
    tables: {
      sessions: {
        write: (next) =>
          next.kind === 'online' &&
          next.status.code === 200 &&
          next.rejected > 0 &&
          endedByTime(next)
            ? { ...next, status: reached('onlineSession', 445) }
            : next,
      },
    },
  },
  'sessions.online.close/closed-takes-invoices': { policy: { sessionTakesInvoices: () => true } },
  'sessions.online.close/lost-while-closing': lostWhileClosing(),
  'sessions.online.close/open-for-who-sent': remembersItsSession(),
  'sessions.online.close/closes-twice': { policy: { sessionMayClose: () => true } },
  'sessions.online.close/only-with-an-accepted-invoice': refuses(
    ['sessions.closeOnline'],
    'session-state-forbids',
    (call) => {
      const session = sessionOf(call)
      return session?.accepted === 0 && session.rejected > 0
    },
  ),
  'sessions.online.close/open-by-the-other-path': openWithTheSlash(),
  'sessions.online.receipt-after-close/receipt-while-open': bodies(
    ['sessions.status'],
    (session: SessionView, { service }) => {
      if (session.status.code !== 100 || !session.successfulInvoiceCount) return {}
      const page = {
        referenceNumber: '20260615-EU-2F6A9B0C1D-0E3F4A5B6C-7D',
        downloadUrl: `${service.publicUrl}/receipts/1`,
        downloadUrlExpirationDate: session.validUntil,
      }
      return { upo: { pages: [page] } }
    },
  ),
  'sessions.online.receipt-after-close/no-aggregate-receipt': {
    tables: { sessions: { write: (next) => ({ ...next, receipts: [] }) } },
  },
  'sessions.online.receipt-after-close/none-beside-a-rejected-invoice': withoutReceipt(
    ({ rejected }) => rejected > 0,
  ),
  'sessions.online.receipt-after-close/none-for-one-that-closed-itself': withoutReceipt(
    ({ kind, closedAt = 0, validUntil }) => kind === 'online' && closedAt >= validUntil,
  ),
  'sessions.online.receipt-after-close/for-an-hour': refuses(
    ['receipts.session'],
    'receipt-unknown',
    ({ service, path, now }) =>
      now - (service.state.sessions.get(path['referenceNumber'] ?? '')?.closedAt ?? now) >
      3_600_000,
  ),
  'sessions.online.isolated/of-the-subject-anywhere': ofTheSubject(['sessions.status'], (call) => {
    const found = call.service.state.sessions.get(reference(call))
    return found && { context: found.context, by: found.subject }
  }),
  'sessions.online.isolated/found-by-its-number': whereverItIs(['sessions.list'], (call) =>
    call.service.state.sessions.get(String(call.query['referenceNumber'])),
  ),
  'sessions.online.isolated/open-to-all-contexts': {
    policy: { sessionIsOfContext: () => true, sessionIsOfSubject: () => true },
  },
  'sessions.online.of-subject/failed-ones-unlisted': lists<SessionView>(
    ['sessions.list'],
    'sessions',
    (sessions) => sessions.filter(({ status }) => status.code !== 445),
  ),
  'sessions.online.of-subject/own-login-only': ownLoginOnly(),
  'sessions.online.of-subject/open-to-colleagues': { policy: { sessionIsOfSubject: () => true } },
  'sessions.online.of-subject/introspection-without-effect': {
    policy: { sessionIsOfSubject: (own) => own },
  },
  'sessions.online.ten-thousand/one-invoice-more': {
    policy: { sessionHasRoom: (invoices, most) => invoices <= most },
  },
  'sessions.online.ten-thousand/corrections-not-counted': calls(['invoices.submit'], (call) =>
    (call.body as { hashOfCorrectedInvoice?: string | null }).hashOfCorrectedInvoice
      ? decidedBy(call, { sessionHasRoom: () => true })
      : call,
  ),
  'sessions.online.ten-thousand/first-half-accepted': halfAccepted,
  'sessions.online.ten-thousand/receipt-of-the-first-half': {
    also: ['receipts.session.verifies'],
    policy: {
      receiptText: (session, documents, page) =>
        policy.receiptText(session, documents.slice(0, half), page),
    },
  },
  'sessions.online.side-by-side/ends-open-packages': endsOpenPackages,
  'sessions.online.side-by-side/vector-of-the-newest': vectorOfTheNewest,
  'sessions.online.side-by-side/open-one-of-its-secret': openedByItsSecret((code) => code === 100),
  'sessions.online.side-by-side/one-at-a-time': calls(['sessions.openOnline'], (call) => {
    const { service, caller } = call
    for (const other of service.state.sessions.by('context', caller ? keyOf(caller.context) : ''))
      if (other.kind === 'online' && other.status.code === 100) closeOnline(service, other)
    return call
  }),
  'sessions.online.close/takes-invoices-past-its-time': accepts(
    ['invoices.submit'],
    ['session-state-forbids'],
    (call) =>
      endedByTime(ownSession(call))
        ? { body: { referenceNumber: call.service.identifiers.reference('EE') } }
        : undefined,
  ),
  'sessions.online.close/closes-past-its-time': accepts(
    ['sessions.closeOnline'],
    ['session-state-forbids'],
    (call) => {
      const session = ownSession(call)
      if (session === undefined || !endedByTime(session)) return undefined
      closeOnline(call.service, session)
      return {}
    },
  ),
  'sessions.online.schema-calendar/packages-by-their-close': {
    at: ['invoice'],
    tables: {
      sessions: {
        read: (found) =>
          found?.kind === 'batch' && found.schema === 'fa2' && (found.closedAt ?? 0) >= firstOfFa3
            ? { ...found, schema: 'fa3' }
            : found,
      },
    },
  },
} as const satisfies Readonly<Record<string, Mutant>>
