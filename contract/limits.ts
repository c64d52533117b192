import type { Limit, Window } from './types.ts'

/** Sizes, counts, lifetimes and rates. Source: specification, Limits. */

const sizes = 'Limits > Sizes and counts'
const stated = <T>(value: T, unit: string, clause = sizes): Limit<T> => ({
  value,
  unit,
  origin: 'stated',
  since: '2025-09-01',
  clause,
})
const assumed = <T>(value: T, unit: string, gap: string, clause = sizes): Limit<T> => ({
  value,
  unit,
  origin: 'assumed',
  since: '2025-09-01',
  clause,
  assumes: [gap],
})

export const limits = {
  'invoice.bytes': stated(1_000_000, 'bytes'),
  'invoice.bytesWithAttachment': stated(3_000_000, 'bytes'),
  'session.invoices': stated(10_000, 'invoices'),
  'session.onlineLifetime': assumed(12 * 3600, 's', 'session-states'),
  'challenge.lifetime': stated(600, 's'),
  'authenticationToken.lifetime': assumed(
    2700,
    's',
    'authentication-token-lifetime',
    'Authentication',
  ),
  'accessToken.lifetime': assumed(900, 's', 'access-token-lifetime', 'Authentication'),
  'accessToken.lifetimeMinimum': assumed(660, 's', 'access-token-lifetime', 'Authentication'),
  'accessToken.lifetimeMaximum': assumed(1200, 's', 'access-token-lifetime', 'Authentication'),
  'refreshToken.lifetime': stated(7 * 24 * 3600, 's'),
  'serviceToken.clockSkew': assumed(
    600,
    's',
    'token-timestamp',
    'Endpoints > Authentication and security',
  ),
  'serviceToken.days': assumed(
    180,
    'days',
    'service-tokens',
    'Resources and their fields > Service token (credential)',
  ),
  'certificate.years': stated(2, 'years'),
  'uniqueness.years': stated(10, 'calendar years'),
  'exports.running': stated(10, 'exports'),
  'exports.packageLifetime': assumed(24 * 3600, 's', 'export-lifetime'),
  'exports.linkLifetime': assumed(3600, 's', 'export-lifetime'),
  'exports.partBytes': assumed(50_000_000, 'bytes', 'export-body'),
  'exports.invoices': assumed(10_000, 'invoices', 'export-body'),
  'receipt.linkLifetime': assumed(3 * 24 * 3600, 's', 'receipt-link'),
  'batch.packageBytes': assumed(5_000_000_000, 'bytes', 'batch-package'),
  'batch.partBytes': assumed(100_000_000, 'bytes', 'batch-package'),
  'batch.parts': assumed(50, 'parts', 'batch-package'),
  'batch.uploadSecondsPerPart': assumed(20 * 60, 's', 'batch-package'),
  'query.months': assumed(
    3,
    'months',
    'query-range',
    'Resources and their fields > Query metadata request',
  ),
  'query.records': assumed(10_000, 'records', 'metadata-answer'),
  'sync.interval': stated(15 * 60, 's'),
  'challenge.perSecond': stated(60, 'requests'),
  'retention.statusDays': assumed(7, 'days', 'retention'),
  'retention.operationDays': assumed(30, 'days', 'retention'),
  'enrollments.nip': assumed(300, 'applications', 'limits-bodies'),
  'certificates.nip': assumed(100, 'certificates', 'limits-bodies'),
  'enrollments.person': assumed(12, 'applications', 'limits-bodies'),
  'certificates.person': assumed(6, 'certificates', 'limits-bodies'),
  'collective.invoices': assumed(500, 'invoices', 'further-operations'),
  'collective.perInvoice': assumed(132, 'identifiers', 'further-operations'),
  'collective.days': assumed(100, 'days', 'further-operations'),
  'receipt.documentsPerPage': assumed(10_000, 'documents', 'receipt-paths'),
} as const satisfies Record<string, Limit>

export type LimitId = keyof typeof limits

interface RateRule {
  readonly window: Window
  /** The operations in words, as the rate table names them. */
  readonly operation: string
  readonly since: string
}

const rate = (
  operation: string,
  perSecond: number,
  perMinute: number,
  perHour: number,
): RateRule => ({
  operation,
  window: { perSecond, perMinute, perHour },
  since: '2025-09-01',
})

/** The rate table: thresholds over the last second, the last 60 seconds, the last 60 minutes. */
export const rateRules = {
  queryMetadata: rate('metadata query', 8, 16, 20),
  exportCreate: rate('creation of an export', 4, 8, 20),
  exportStatus: rate('status of an export', 10, 60, 600),
  invoiceDownload: rate('retrieval by service number', 8, 16, 64),
  batch: rate('opening and closing of a batch session', 10, 20, 60),
  onlineOpen: rate('opening of an interactive session', 10, 30, 120),
  invoiceSubmit: rate('submission of an invoice', 10, 30, 180),
  onlineClose: rate('closing of an interactive session', 10, 30, 120),
  invoiceStatus: rate('status of an invoice within a session', 30, 120, 1200),
  sessionList: rate('list of sessions', 5, 10, 60),
  sessionInvoices: rate('list of the invoices of a session', 10, 20, 200),
  sessionOther: rate('other reads of sessions', 10, 120, 1200),
  default: rate(
    'protected operations without their own rule, each counted separately',
    10,
    30,
    120,
  ),
} as const satisfies Record<string, RateRule>

export type RateRuleId = keyof typeof rateRules

/** Public operations are limited per address only, and per second only. */
export const publicRate = { perSecond: 60 } as const
