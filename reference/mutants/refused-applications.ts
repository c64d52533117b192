import { reached } from '../base/wording.ts'
import { keyOf } from '../model/entities.ts'
import type { Mutant } from './mutant.ts'

/** Applications that are refused count against the limit. */
export const refusedApplicationsCount: Mutant = {
  at: ['certificates.enroll'],
  async call(call, next) {
    try {
      return await next(call)
    } catch (error) {
      const { service, caller, now } = call
      if (caller !== undefined)
        service.state.enrollments.put({
          referenceNumber: service.identifiers.reference('EH'),
          subject: caller.subject,
          name: '',
          purpose: 'Authentication',
          publicKey: '',
          requestedAt: now,
          attributes: {},
          status: reached('application', 100),
        })
      throw error
    }
  },
}

/** Whoever revoked a certificate gets no further one. */
export const noneAfterARevocation: Mutant = {
  tables: {
    enrollments: {
      write: (next, before, { certificates }) =>
        before === undefined &&
        certificates.by('subject', keyOf(next.subject)).some((one) => one.revokedAt !== undefined)
          ? { ...next, status: reached('application', 400) }
          : next,
    },
  },
}
