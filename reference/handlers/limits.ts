import type { Handlers } from '../call/call.ts'
import type { SessionLimits } from '../model/entities.ts'

/** Limits in force. Source: specification, Limits; gap limits-bodies. */

const megabyte = 1_000_000

const shown = (limits: SessionLimits) => ({
  maxInvoiceSizeInMB: limits.maxInvoiceBytes / megabyte,
  maxInvoiceWithAttachmentSizeInMB: limits.maxInvoiceWithAttachmentBytes / megabyte,
  maxInvoices: limits.maxInvoices,
})

export const limitsHandlers = {
  'limits.context': ({ service, caller }) => {
    const { online, batch } = service.limits.session(caller.context)
    return { body: { onlineSession: shown(online), batchSession: shown(batch) } }
  },
  'limits.subject': ({ service, caller }) => {
    const { maxEnrollments, maxCertificates } = service.limits.subject(caller.subject)
    return { body: { enrollment: { maxEnrollments }, certificate: { maxCertificates } } }
  },
  'limits.rates': ({ service, caller }) => ({ body: service.limits.rates(caller.context) }),
} satisfies Handlers<'limits'>
