import type { SessionLimits } from '../model/entities.ts'
import type { Handlers } from '../call/call.ts'
import type { Policy } from '../policy/policy.ts'

/** Limits in force. Source: specification, Limits; gap limits-bodies. */

const shown = (policy: Policy, limits: SessionLimits) => ({
  maxInvoiceSizeInMB: policy.shownMegabytes(limits.maxInvoiceBytes),
  maxInvoiceWithAttachmentSizeInMB: policy.shownMegabytes(limits.maxInvoiceWithAttachmentBytes),
  maxInvoices: limits.maxInvoices,
})

export const limitsHandlers = {
  'limits.context': ({ service, caller }) => {
    const { online, batch } = service.limits.session(caller.context)
    return {
      body: {
        onlineSession: shown(service.policy, online),
        batchSession: shown(service.policy, batch),
      },
    }
  },
  'limits.subject': ({ service, caller }) => {
    const { maxEnrollments, maxCertificates } = service.limits.subject(caller.subject)
    const { shownSubjectLimit } = service.policy
    return {
      body: {
        enrollment: { maxEnrollments: shownSubjectLimit(maxEnrollments) },
        certificate: { maxCertificates: shownSubjectLimit(maxCertificates) },
      },
    }
  },
  'limits.rates': ({ service, caller }) => ({ body: service.limits.rates(caller.context) }),
} satisfies Handlers<'limits'>
