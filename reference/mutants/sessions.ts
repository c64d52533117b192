import type { OperationId } from '../../contract/endpoints.ts'
import { invoiceSchemas } from '../../contract/environments.ts'
import { sha256Base64 } from '../base/crypto.ts'
import { refuse } from '../base/refusals.ts'
import { utc } from '../base/wording.ts'
import { closeOnline } from '../invoices/processing.ts'
import { keyOf } from '../model/entities.ts'
import type { Mutant } from './mutant.ts'
import type { Change } from './rewrite.ts'
import { bodies, calls, ignores, lists, records, refuses } from './rewrite.ts'
import { stopsAfter } from './rejections.ts'

/** Defects of sessions, interactive and batch. */

interface Opened {
  readonly referenceNumber: string
  readonly validUntil: string
}

/** A session as its status or the list shows it. */
interface SessionView {
  readonly referenceNumber: string
  readonly status: { readonly code: number }
  readonly dateCreated: string
  readonly dateUpdated: string
  readonly validUntil: string
  readonly invoiceCount?: number | null
  readonly totalInvoiceCount?: number
  readonly successfulInvoiceCount?: number | null
  readonly failedInvoiceCount?: number | null
}

const shown = (change: Change<SessionView>): Mutant =>
  records(['sessions.status', 'sessions.list'], 'sessions', change)

const losesLast = (operation: OperationId, list: string): Mutant =>
  lists([operation], list, (entries) => (entries.length > 1 ? entries.slice(0, -1) : entries))

export const sessionsMutants = {
  'sessions.online.opens/reference-malformed': bodies(
    ['sessions.openOnline', 'sessions.openBatch'],
    ({ referenceNumber }: Opened) => ({
      referenceNumber: referenceNumber.slice(0, 20),
    }),
  ),
  'sessions.online.of-subject/open-to-colleagues': {
    policy: { sessionIsOfSubject: () => true },
  },
  'sessions.online.of-subject/introspection-without-effect': {
    policy: { sessionIsOfSubject: (own) => own },
  },
  'sessions.online.bad-key-refused/short-iv-accepted': {
    policy: { initVectorFits: () => true },
  },
  'sessions.online.bad-key-refused/short-key-accepted': {
    policy: { sessionKeyFits: () => true },
  },
  'sessions.online.bad-form-code-refused/any-form-code-accepted': {
    policy: { formCodeFits: () => true, formCodeLabelFits: () => true, schemaInForce: () => true },
  },
  'sessions.online.form-code-forms/form-code-label-refused': {
    policy: { formCodeLabelFits: () => false },
  },
  'sessions.online.bad-form-code-refused/form-code-version-ignored': {
    policy: { formCodeFits: ({ formCode }, asked) => formCode.systemCode === asked.systemCode },
  },
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
  'sessions.online.needs-permission/permission-not-asked': {
    policy: {
      permitted: (held, required) =>
        required.includes('InvoiceWrite') ||
        required.length === 0 ||
        required.some((permission) => held.has(permission)),
    },
  },
  'sessions.online.close/closed-takes-invoices': {
    policy: { sessionTakesInvoices: () => true },
  },
  'sessions.online.close/closes-twice': {
    policy: { sessionMayClose: () => true },
  },
  'sessions.batch.close/closes-twice': {
    policy: { sessionMayClose: (state) => state === 100 || state === 200 },
  },
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
  'sessions.online.isolated/open-to-all-contexts': {
    policy: { sessionIsOfContext: () => true, sessionIsOfSubject: () => true },
  },
  'sessions.online.ten-thousand/one-invoice-more': {
    policy: { sessionHasRoom: (invoices, most) => invoices <= most },
  },
  'sessions.online.side-by-side/one-at-a-time': calls(['sessions.openOnline'], (call) => {
    const { service, caller } = call
    for (const other of service.state.sessions.by('context', caller ? keyOf(caller.context) : ''))
      if (other.kind === 'online' && other.status.code === 100) closeOnline(service, other)
    return call
  }),
  'sessions.batch.opens/batch-without-addresses': lists(
    ['sessions.openBatch'],
    'partUploadRequests',
    (requests) => requests.slice(1),
  ),
  'sessions.batch.bad-key-refused/batch-key-not-checked': {
    policy: { initVectorFits: () => true, sessionKeyFits: () => true },
  },
  'sessions.batch.bad-form-code-refused/batch-form-code-not-checked': {
    policy: { formCodeFits: () => true, formCodeLabelFits: () => true, schemaInForce: () => true },
  },
  'sessions.batch.part-checked/part-hash-not-checked': {
    also: ['sessions.batch.upload-unchecked'],
    policy: { partHashFits: () => true, packageMatches: () => true },
  },
  'sessions.batch.part-checked/part-not-checked': {
    also: ['sessions.batch.upload-unchecked'],
    policy: { partFits: () => true, partHashFits: () => true, packageMatches: () => true },
  },
  'sessions.batch.part-checked/part-headers-not-checked': {
    policy: { partHeadersFit: () => true },
  },
  'sessions.batch.upload-unchecked/checked-at-upload': refuses(
    ['sessions.uploadPart'],
    'part-refused',
    ({ service, path, bytes }) => {
      const announced = service.state.sessions.get(path['referenceNumber']!)?.package
      const part = announced?.parts[Number(path['ordinalNumber']) - 1]
      return part !== undefined && part.fileHash !== sha256Base64(bytes)
    },
  ),
  'sessions.batch.upload-unchecked/first-upload-kept': {
    tables: { parts: { write: (next, before) => before ?? next } },
  },
  'sessions.batch.upload-unchecked/unpacked-or-decrypted-all-one': bodies(
    ['sessions.status'],
    ({ status }: { readonly status: { readonly code: number } }) => ({
      status: { ...status, code: status.code === 430 ? 435 : status.code },
    }),
  ),
  'sessions.batch.upload-unchecked/key-refused-while-open': {
    tables: {
      sessions: {
        write: (next, before) =>
          before === undefined && next.refused ? { ...next, status: next.refused } : next,
      },
    },
  },
  'sessions.batch.close/missing-part-not-noticed': {
    policy: { everyPartNeeded: () => true, packageMatches: () => true },
  },
  'sessions.batch.errors-isolated/batch-stops-at-first-error': stopsAfter(1, 'batch'),
  'sessions.batch.errors-isolated/batch-stops-at-third-error': stopsAfter(3, 'batch'),
  'sessions.batch.failed-list/failed-list-empty': {
    policy: { listedAsFailed: () => false },
  },
  'sessions.batch.failed-list/failed-list-holds-all': {
    policy: { listedAsFailed: () => true },
  },
  'sessions.batch.ten-thousand/package-one-invoice-more': {
    policy: { sessionHasRoom: (invoices, most) => invoices <= most },
  },
  'sessions.batch.parts-unlimited/uploads-limited': refuses(
    ['sessions.uploadPart'],
    'rate-limited',
    ({ service, path }) => service.state.parts.by('session', path['referenceNumber']!).length >= 8,
  ),
  'sessions.batch.parts-unlimited/uploads-limited-by-the-hour': {
    at: ['sessions.uploadPart'],
    call(call, next) {
      const { state, limits, limiter, policy } = call.service
      const reference = call.path['referenceNumber'] ?? ''
      const session = state.sessions.get(reference)
      const perHour = session && limits.rate('default', session.context)?.perHour
      if (perHour !== undefined) {
        const hour = { span: 3_600_000, maximum: perHour }
        const limited = limiter.pass(policy, `uploads ${reference}`, [hour], call.now)
        if (limited !== undefined) throw refuse('rate-limited', limited.detail)
      }
      return next(call)
    },
  },
  'sessions.batch.hostile-archive/traversal-accepted': {
    policy: { archiveNameAllowed: () => true },
  },
  'sessions.batch.too-large-refused/part-size-unlimited': {
    policy: { partSizeFits: () => true },
  },
  'sessions.batch.duplicates/batch-duplicates-accepted': {
    policy: { claimHolds: (_held, _today, { kind }) => kind !== 'batch' },
  },
  'sessions.batch.duplicates/package-duplicates-accepted': {
    policy: { claimHolds: (held, _today, session) => held.session !== session.referenceNumber },
  },
  'sessions.list.complete/list-has-gaps': lists(
    ['sessions.list'],
    'sessions',
    (sessions: readonly SessionView[]) =>
      sessions.filter(({ referenceNumber }) => !/[02468]$/.test(referenceNumber)),
  ),
  'sessions.list.complete/list-filters-ignored': ignores(
    ['sessions.list'],
    'sessionType',
    'referenceNumber',
    'dateCreatedFrom',
    'dateCreatedTo',
    'dateClosedFrom',
    'dateClosedTo',
    'dateModifiedFrom',
    'dateModifiedTo',
    'statuses',
  ),
  'sessions.batch.close/parts-joined-as-uploaded': {
    policy: { joined: (uploaded) => uploaded },
  },
  'sessions.list.complete/list-by-first-state': {
    policy: { outcomeWanted: ([first], outcome) => outcome === first },
  },
  'sessions.list.complete/list-loses-last-of-page': losesLast('sessions.list', 'sessions'),
  'sessions.invoices.complete/invoices-lose-last-of-page': losesLast(
    'sessions.invoices',
    'invoices',
  ),
  'sessions.status.counts/counts-do-not-add-up': shown(
    ({ invoiceCount, totalInvoiceCount, failedInvoiceCount }) => ({
      successfulInvoiceCount: invoiceCount ?? totalInvoiceCount ?? 0,
      failedInvoiceCount: (failedInvoiceCount ?? 0) + 1,
    }),
  ),
  'sessions.status.counts-absent/zero-shown': bodies(['sessions.status'], (session: object) => ({
    invoiceCount: 0,
    successfulInvoiceCount: 0,
    failedInvoiceCount: 0,
    ...session,
  })),
  'sessions.status.counts-absent/uncounted-is-zero': bodies(
    ['sessions.status'],
    ({ invoiceCount }: SessionView) => (invoiceCount === null ? { invoiceCount: 0 } : {}),
  ),
  'sessions.status.moves-forward/state-moves-backwards': bodies(
    ['sessions.status'],
    ({ status }: SessionView) => (status.code === 100 ? { status: { ...status, code: 440 } } : {}),
  ),
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
} as const satisfies Readonly<Record<string, Mutant>>
