import { invoiceSchemas } from '../../contract/environments.ts'
import type { Mutant } from './mutant.ts'
import { policy } from '../policy/policy.ts'

/** Defects of sessions, interactive and batch. */
export const sessionsMutants = {
  'sessions.reference-malformed': {
    breaks: ['sessions.online.opens'],
    policy: { openedReference: (referenceNumber) => referenceNumber.slice(0, 20) },
  },
  'sessions.open-to-colleagues': {
    breaks: ['sessions.online.of-subject'],
    policy: { sessionIsOfSubject: () => true },
  },
  'sessions.introspection-without-effect': {
    breaks: ['sessions.online.of-subject'],
    policy: { sessionIsOfSubject: (own) => own },
  },
  'sessions.short-iv-accepted': {
    breaks: ['sessions.online.bad-key-refused'],
    policy: { initVectorFits: () => true },
  },
  'sessions.short-key-accepted': {
    breaks: ['sessions.online.bad-key-refused'],
    policy: { sessionKeyFits: () => true },
  },
  'sessions.any-form-code-accepted': {
    breaks: ['sessions.online.bad-form-code-refused'],
    policy: { formCodeFits: () => true, formCodeLabelFits: () => true, schemaInForce: () => true },
  },
  'sessions.form-code-label-refused': {
    breaks: ['sessions.online.form-code-forms'],
    policy: { formCodeLabelFits: () => false },
  },
  'sessions.form-code-version-ignored': {
    breaks: ['sessions.online.bad-form-code-refused'],
    policy: { formCodeFits: ({ formCode }, asked) => formCode.systemCode === asked.systemCode },
  },
  'sessions.fa2-for-ever': {
    breaks: ['sessions.online.schema-calendar'],
    policy: { schemaInForce: ({ from }, day) => from === undefined || from <= day },
  },
  'sessions.fa3-from-the-start': {
    breaks: ['sessions.online.schema-calendar'],
    policy: { schemaInForce: ({ until }, day) => until === undefined || day <= until },
  },
  'sessions.fa2-a-day-short': {
    breaks: ['sessions.online.schema-calendar'],
    policy: {
      schemaInForce: ({ id }, day) =>
        id === 'fa2' ? day < invoiceSchemas.fa2.until : day >= invoiceSchemas.fa2.until,
    },
  },
  'sessions.permission-not-asked': {
    breaks: ['sessions.online.needs-permission'],
    policy: {
      permitted: (held, required) =>
        required.includes('InvoiceWrite') ||
        required.length === 0 ||
        required.some((permission) => held.has(permission)),
    },
  },
  'sessions.closed-takes-invoices': {
    breaks: ['sessions.online.close'],
    policy: { sessionTakesInvoices: () => true },
  },
  'sessions.closes-twice': {
    breaks: ['sessions.online.close'],
    policy: { sessionMayClose: () => true },
  },
  'sessions.batch-closes-twice': {
    breaks: ['sessions.batch.close'],
    policy: { sessionMayClose: (state) => state === 100 || state === 200 },
  },
  'sessions.receipt-while-open': {
    breaks: ['sessions.online.receipt-after-close'],
    policy: {
      receiptsShown: ({ receipts, accepted, referenceNumber }) =>
        receipts.length === 0 && accepted > 0 ? [referenceNumber] : receipts,
    },
  },
  'sessions.no-aggregate-receipt': {
    breaks: ['sessions.online.receipt-after-close'],
    policy: { receiptIsDue: () => false },
  },
  'sessions.open-to-all-contexts': {
    breaks: ['sessions.online.isolated'],
    policy: { sessionIsOfContext: () => true, sessionIsOfSubject: () => true },
  },
  'sessions.one-invoice-more': {
    breaks: ['sessions.online.ten-thousand'],
    policy: { sessionHasRoom: (invoices, most) => invoices <= most },
  },
  'sessions.one-at-a-time': {
    breaks: ['sessions.online.side-by-side'],
    policy: { openingEndsOthers: () => true },
  },
  'sessions.batch-without-addresses': {
    breaks: ['sessions.batch.opens'],
    policy: { uploadAddresses: (addresses) => addresses.slice(1) },
  },
  'sessions.batch-key-not-checked': {
    breaks: ['sessions.batch.bad-key-refused'],
    policy: { initVectorFits: () => true, sessionKeyFits: () => true },
  },
  'sessions.batch-form-code-not-checked': {
    breaks: ['sessions.batch.bad-form-code-refused'],
    policy: { formCodeFits: () => true, formCodeLabelFits: () => true, schemaInForce: () => true },
  },
  'sessions.part-hash-not-checked': {
    breaks: ['sessions.batch.part-checked'],
    policy: { partHashFits: () => true, packageMatches: () => true },
  },
  'sessions.part-not-checked': {
    breaks: ['sessions.batch.part-checked'],
    policy: { partFits: () => true, partHashFits: () => true, packageMatches: () => true },
  },
  'sessions.part-headers-not-checked': {
    breaks: ['sessions.batch.part-checked'],
    policy: { partHeadersFit: () => true },
  },
  'sessions.missing-part-not-noticed': {
    breaks: ['sessions.batch.close'],
    policy: { everyPartNeeded: () => true, packageMatches: () => true },
  },
  'sessions.batch-stops-at-first-error': {
    breaks: ['sessions.batch.errors-isolated'],
    policy: { rejectionStops: ({ kind }) => kind === 'batch' },
  },
  'sessions.failed-list-empty': {
    breaks: ['sessions.batch.failed-list'],
    policy: { listedAsFailed: () => false },
  },
  'sessions.failed-list-holds-all': {
    breaks: ['sessions.batch.failed-list'],
    policy: { listedAsFailed: () => true },
  },
  'sessions.package-one-invoice-more': {
    breaks: ['sessions.batch.ten-thousand'],
    policy: { sessionHasRoom: (invoices, most) => invoices <= most },
  },
  'sessions.uploads-limited': {
    breaks: ['sessions.batch.parts-unlimited'],
    policy: { uploadAllowed: (uploaded) => uploaded < 8 },
  },
  'sessions.traversal-accepted': {
    breaks: ['sessions.batch.hostile-archive'],
    policy: { archiveNameAllowed: () => true },
  },
  'sessions.part-size-unlimited': {
    breaks: ['sessions.batch.too-large-refused'],
    policy: { partSizeFits: () => true },
  },
  'sessions.batch-duplicates-accepted': {
    breaks: ['sessions.batch.duplicates'],
    policy: { holdsAgainst: (_held, { kind }) => kind !== 'batch' },
  },
  'sessions.package-duplicates-accepted': {
    breaks: ['sessions.batch.duplicates'],
    policy: { holdsAgainst: (held, session) => held.session !== session.referenceNumber },
  },
  'sessions.list-has-gaps': {
    breaks: ['sessions.list.complete'],
    policy: { sessionIsListed: ({ referenceNumber }) => !/[02468]$/.test(referenceNumber) },
  },
  'sessions.list-filters-ignored': {
    breaks: ['sessions.list.complete'],
    policy: { sessionFilterHolds: () => true },
  },
  'sessions.parts-joined-as-they-came': {
    breaks: ['sessions.batch.close'],
    policy: { joinedAs: (_, uploaded) => uploaded },
  },
  'sessions.list-by-first-state': {
    breaks: ['sessions.list.complete'],
    policy: { outcomeWanted: ([first], outcome) => outcome === first },
  },
  'sessions.list-loses-last-of-page': {
    breaks: ['sessions.list.complete'],
    policy: { pageShown: (items) => (items.length > 1 ? items.slice(0, -1) : items) },
  },
  'sessions.invoices-lose-last-of-page': {
    breaks: ['sessions.invoices.complete'],
    policy: { pageShown: (items) => (items.length > 1 ? items.slice(0, -1) : items) },
  },
  'sessions.counts-do-not-add-up': {
    breaks: ['sessions.status.counts'],
    policy: {
      countedInvoices: ({ total, rejected }) => ({
        total,
        accepted: total,
        rejected: rejected + 1,
      }),
    },
  },
  'sessions.state-moves-backwards': {
    breaks: ['sessions.status.moves-forward'],
    policy: { shownSessionState: (state) => (state === 100 ? 440 : state) },
  },

  'sessions.status.never-changes': {
    breaks: ['sessions.status.dates'],
    policy: {
      sessionDates: (session, where) => ({
        ...policy.sessionDates(session, where),
        dateUpdated: session.openedAt,
      }),
    },
  },
  'sessions.status.never-changes-in-the-list': {
    breaks: ['sessions.status.dates'],
    policy: {
      sessionDates: (session, where) => ({
        ...policy.sessionDates(session, where),
        ...(where === 'list' && { dateUpdated: session.openedAt }),
      }),
    },
  },
  'sessions.status.ends-at-its-opening': {
    breaks: ['sessions.status.dates'],
    policy: {
      sessionDates: (session, where) => ({
        ...policy.sessionDates(session, where),
        validUntil: session.openedAt,
      }),
    },
  },
  'sessions.status.opened-when-changed': {
    breaks: ['sessions.status.dates'],
    policy: {
      sessionDates: (session, where) => ({
        ...policy.sessionDates(session, where),
        dateCreated: session.updatedAt,
      }),
    },
  },
  'sessions.status.another-end-at-opening': {
    breaks: ['sessions.status.dates'],
    policy: { toldEnd: (validUntil) => validUntil + 24 * 3600 * 1000 },
  },
  'sessions.status.open-for-ever': {
    breaks: ['sessions.status.dates'],
    policy: { sessionEndsByItself: () => false },
  },
} as const satisfies Record<string, Mutant>
