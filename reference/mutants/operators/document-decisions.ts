import type { Place } from '../mutant.ts'
import type { Row, Rows } from './decision-rows.ts'
import { row } from './decision-rows.ts'
import type { Rules } from './operator.ts'

/** Decisions about sessions, documents, receipts, searches and exports. */

/** Operations that read a session. */
export const readsSession = [
  'sessions.status',
  'sessions.invoices',
  'sessions.failed',
  'invoices.inSession',
  'receipts.session',
  'receipts.invoice',
  'receipts.invoiceBySvcNumber',
] as const satisfies readonly Place[]
const usesSession = [
  ...readsSession,
  'sessions.closeOnline',
  'sessions.closeBatch',
  'invoices.submit',
] as const satisfies readonly Place[]
const opens = ['sessions.openOnline', 'sessions.openBatch'] as const satisfies readonly Place[]
export const keyed = [...opens, 'exports.create'] as const satisfies readonly Place[]
export const keyRules: Rules = [
  'sessions.online.bad-key-refused',
  'sessions.batch.bad-key-refused',
  'exports.create.accepted',
]
const opensRules: Rules = ['sessions.online.opens', 'sessions.batch.opens']
/** What is impossible without a key: opening a session, closing a package, creating an export. */
export const keyedRules: Rules = [...opensRules, 'sessions.batch.close', 'exports.create.accepted']
const codeRules: Rules = [
  'sessions.online.bad-form-code-refused',
  'sessions.batch.bad-form-code-refused',
]
const invalid: Rules = ['invoices.content.invalid-rejected']
const accepted: Rules = ['invoices.submit.accepted', 'sessions.online.receipt-after-close']
const isolated: Rules = ['sessions.online.isolated']
const ofSubject: Rules = ['sessions.online.of-subject']

/** An export that exists before its key is checked fails with a bad key in any case. */
const lateInExports: Row['absentIn'] = ({ deferred }, place) =>
  place === 'exports.create' && deferred?.includes('session-key-refused') === true
    ? 'the key shows its faults when the package is encrypted'
    : undefined

export const documentDecisions: Rows = {
  sessionKeyFits: { ...row(keyRules, keyedRules, keyed), absentIn: lateInExports },
  initVectorFits: { ...row(keyRules, keyedRules, keyed), absentIn: lateInExports },
  formCodeFits: row(codeRules, [...opensRules, 'sessions.online.form-code-forms'], opens),
  formCodeLabelFits: row(
    // Every label stands for the first schema then.
    ['sessions.online.form-code-forms', ...codeRules],
    ['sessions.online.form-code-forms', 'sessions.batch.opens'],
    opens,
  ),
  schemaInForce: {
    ...row(
      ['sessions.online.schema-calendar', ...codeRules],
      [...opensRules, 'sessions.online.schema-calendar', ...codeRules],
      opens,
    ),
    absentIn: ({ environments }) =>
      environments?.test?.schemasAlways && 'the test environment takes its schemas on any day',
  },
  sessionIsOfContext: row(
    isolated,
    ['sessions.status.moves-forward', 'sessions.online.of-subject'],
    usesSession,
  ),
  sessionIsOfSubject: row(ofSubject, ofSubject, [...usesSession, 'sessions.list']),
  sessionTakesInvoices: row(['sessions.online.close'], ['invoices.submit.accepted']),
  sessionTakesParts: row(
    ['sessions.batch.close'],
    ['sessions.batch.opens', 'sessions.batch.close'],
  ),
  sessionMayClose: row(
    ['sessions.online.close', 'sessions.batch.close'],
    ['sessions.online.close', 'sessions.batch.close'],
    ['sessions.closeOnline', 'sessions.closeBatch'],
  ),
  sessionHasRoom: row(
    ['sessions.online.ten-thousand', 'sessions.batch.ten-thousand', 'limits.context'],
    ['invoices.submit.accepted'],
    ['invoices.submit', 'batch'],
  ),
  partHeadersFit: row(
    ['sessions.batch.part-checked'],
    ['sessions.batch.close', 'sessions.batch.opens'],
  ),
  partFits: row(['sessions.batch.part-checked'], ['sessions.batch.close']),
  partHashFits: row(['sessions.batch.part-checked'], ['sessions.batch.close']),
  everyPartNeeded: row(
    ['sessions.batch.close'],
    ['sessions.batch.close'],
    ['sessions.closeBatch', 'batch'],
  ),
  uploadInTime: row(
    ['sessions.batch.close', 'sessions.batch.part-checked'],
    ['sessions.batch.close'],
    ['sessions.uploadPart', 'sessions.closeBatch'],
  ),
  partsFit: row(['sessions.batch.too-large-refused'], ['sessions.batch.opens']),
  partSizeFits: row(['sessions.batch.too-large-refused'], ['sessions.batch.opens']),
  packageFits: row(['sessions.batch.too-large-refused'], ['sessions.batch.opens']),
  packageMatches: row(
    ['sessions.batch.part-checked', 'sessions.batch.close'],
    ['sessions.batch.close'],
  ),
  archiveNameAllowed: row(['sessions.batch.hostile-archive'], ['sessions.batch.close']),
  archiveExpansionAllowed: row(['sessions.batch.hostile-archive'], ['sessions.batch.close']),
  archiveEntryAllowed: row(['sessions.batch.hostile-archive'], ['sessions.batch.close']),
  archiveCheckValueFits: row(['sessions.batch.hostile-archive'], ['sessions.batch.close']),
  listedAsFailed: row(['sessions.batch.failed-list'], ['sessions.batch.failed-list']),
  outcomeWanted: row(['sessions.list.complete'], ['sessions.list.complete']),

  encryptedSizeMatches: row(
    ['invoices.submit.encrypted-metadata-mismatch'],
    ['invoices.submit.accepted'],
  ),
  encryptedHashMatches: row(
    ['invoices.submit.encrypted-metadata-mismatch'],
    ['invoices.submit.accepted'],
  ),
  plainSizeMatches: row(['invoices.submit.size-mismatch'], ['invoices.submit.accepted']),
  plainHashMatches: row(['invoices.submit.hash-mismatch'], ['invoices.submit.accepted']),
  plainInvoiceFits: row(['invoices.size.without-attachments', 'limits.context'], accepted),
  attachmentInvoiceFits: row(
    ['invoices.size.with-attachments', 'limits.context'],
    ['invoices.size.with-attachments'],
  ),
  declaredEncodingAccepted: row(
    ['invoices.content.utf8-without-bom'],
    [...accepted, 'invoices.content.utf8-without-bom'],
  ),
  xmlVersionAccepted: row(invalid, accepted),
  doctypeAccepted: row(invalid, accepted),
  processingInstructionAccepted: row(['invoices.content.utf8-without-bom', ...invalid], accepted),
  issueDateAccepted: row(['invoices.content.issue-date'], accepted),
  nipAccepted: row(['invoices.content.check-digits'], accepted),
  sellerAllowed: row(
    [...invalid, 'permissions.revoke.effective', 'permissions.grant.effective'],
    accepted,
  ),
  attachmentPlaceAllowed: row(
    ['invoices.size.with-attachments'],
    ['invoices.size.with-attachments'],
  ),
  attachmentConsentSuffices: row(
    ['invoices.size.with-attachments', 'testdata.attachments'],
    ['invoices.size.with-attachments', 'testdata.attachments'],
    ['permissions.attachmentStatus'],
  ),
  claimHolds: row(
    ['invoices.duplicate.ten-years'],
    ['invoices.duplicate.rejected', 'sessions.batch.duplicates', 'invoices.send.alternative'],
  ),
  // Looked up by the number, so that no other number is compared.
  numberMatches: row(undefined, ['invoices.get.by-invoice-number']),
  lookupAmbiguous: row(['invoices.get.by-invoice-number'], ['invoices.get.by-invoice-number']),
  mayReadInvoice: row(
    ['invoices.get.parties-only'],
    [
      'invoices.get.by-service-number',
      'invoices.get.by-invoice-number',
      'invoices.status.outcome',
      'invoices.get.parties-only',
    ],
    ['invoices.byNumber', 'invoices.bySvcNumber', 'invoices.statusBySvcNumber'],
  ),
  mayReadStatus: row(
    ['invoices.status.outcome', 'invoices.get.parties-only'],
    ['invoices.status.outcome'],
  ),

  receiptLinkHolds: row(
    ['receipts.link.expires'],
    ['receipts.link.in-status', 'receipts.link.expires', 'receipts.ways'],
  ),
  mayReadReceipt: row(
    ['receipts.link.parties-only'],
    ['receipts.link.parties-only', 'receipts.ways'],
  ),
  receiptIsOfSession: row(
    ['receipts.not-by-number-alone'],
    [
      'receipts.ways',
      'receipts.invoice.carries-number',
      'receipts.session.verifies',
      'sessions.online.receipt-after-close',
    ],
    ['receipts.session', 'receipts.invoiceBySvcNumber'],
  ),

  hasRole: row(
    ['queries.metadata.subject-type', 'queries.general.date-range', 'exports.package.content'],
    ['queries.metadata.subject-type', 'queries.general.date-range', 'exports.package.content'],
    ['queries.metadata', 'queries.general', 'export'],
  ),
  dateInRange: row(
    [
      'queries.metadata.filters',
      'queries.metadata.date-type',
      'queries.general.date-range',
      'exports.package.content',
    ],
    ['queries.metadata.filters', 'queries.metadata.paging', 'exports.package.content'],
    ['queries.metadata', 'queries.general', 'export'],
  ),
  rangeForwards: row(
    ['queries.metadata.date-bounds', 'queries.general.date-range', 'exports.create.accepted'],
    ['queries.metadata.date-bounds', 'queries.general.date-range', 'exports.create.accepted'],
    ['queries.metadata', 'queries.general', 'exports.create'],
  ),
  rangeNarrowEnough: row(
    ['queries.metadata.date-bounds', 'queries.general.date-range', 'exports.create.accepted'],
    ['queries.metadata.date-bounds', 'queries.general.date-range', 'exports.create.accepted'],
    ['queries.metadata', 'queries.general', 'exports.create'],
  ),
  pageKeepsMark: row(['queries.metadata.paging'], ['queries.metadata.paging']),
  moreToCome: row(
    ['queries.metadata.paging', 'queries.general.date-range'],
    ['queries.metadata.paging', 'queries.general.date-range'],
    ['queries.metadata', 'queries.general'],
  ),

  mayStartExport: row(
    ['exports.running-limit'],
    ['exports.create.accepted', 'exports.running-limit'],
  ),
  exportExpires: row(['exports.expiry', 'exports.status.moves-forward'], ['exports.expiry']),
  exportLinkHolds: row(['exports.expiry'], ['exports.package.content', 'exports.expiry']),
  exportIsOfContext: row(
    ['exports.isolated'],
    ['exports.status.moves-forward', 'exports.package.content'],
  ),
}
