import type { JsonSchema } from '../types.ts'
import { count, inline, integer, object, oneOf, ref } from './build.ts'

/** Limits in force and limit simulation. Source: Limits; gap limits-bodies. */

const mode = { maxInvoiceSizeInMB: 1, maxInvoiceWithAttachmentSizeInMB: 3, maxInvoices: 10000 }
const window = { perSecond: 10, perMinute: 30, perHour: 120 }
/** Ids of the rate table. */
const groups = [
  'queryMetadata',
  'exportCreate',
  'exportStatus',
  'invoiceDownload',
  'batch',
  'onlineOpen',
  'invoiceSubmit',
  'onlineClose',
  'invoiceStatus',
  'sessionList',
  'sessionInvoices',
  'sessionOther',
  'default',
] as const
const perGroup = <T>(value: T) =>
  Object.fromEntries(groups.map((group) => [group, value])) as Record<(typeof groups)[number], T>
const rates = perGroup(ref('RateWindow'))
const ratesExample = perGroup(window)

export const limits = {
  SessionLimits: object(
    { maxInvoiceSizeInMB: count, maxInvoiceWithAttachmentSizeInMB: count, maxInvoices: count },
    {},
    mode,
  ),
  ContextLimits: object(
    { onlineSession: ref('SessionLimits'), batchSession: ref('SessionLimits') },
    {},
    { onlineSession: mode, batchSession: mode },
  ),
  SubjectLimits: object(
    {},
    {
      enrollment: inline({}, { maxEnrollments: integer }),
      certificate: inline({}, { maxCertificates: integer }),
    },
    { enrollment: { maxEnrollments: 300 }, certificate: { maxCertificates: 100 } },
  ),
  RateLimits: object(rates, {}, ratesExample),
  SessionLimitsOverride: object(
    {
      maxInvoiceSizeInMB: { type: 'integer', minimum: 0, maximum: 5 },
      maxInvoiceWithAttachmentSizeInMB: { type: 'integer', minimum: 0, maximum: 10 },
      maxInvoices: { type: 'integer', minimum: 0, maximum: 100_000 },
    },
    {},
    mode,
  ),
  SetSessionLimits: object(
    { onlineSession: ref('SessionLimitsOverride'), batchSession: ref('SessionLimitsOverride') },
    {},
    { onlineSession: mode, batchSession: mode },
  ),
  SetSubjectLimits: object(
    {},
    {
      subjectIdentifierType: oneOf(['Nip', 'Pesel', 'Fingerprint']),
      enrollment: inline({}, { maxEnrollments: count }),
      certificate: inline({}, { maxCertificates: count }),
    },
    { enrollment: { maxEnrollments: 3 }, certificate: { maxCertificates: 1 } },
  ),
  SetRateLimits: object({ rateLimits: ref('RateLimits') }, {}, { rateLimits: ratesExample }),
} as const satisfies Record<string, JsonSchema>
