import type { AnyCall } from '../call/call.ts'
import { reached, utc } from '../base/wording.ts'
import { keyOf } from '../model/entities.ts'
import type { Mutant } from './mutant.ts'
import { accepts } from './rewrite.ts'

/** An application of the caller that nothing works on; returns its reference. */
const leftPending = ({ service, caller, now }: AnyCall): string => {
  const referenceNumber = service.identifiers.reference('EH')
  if (caller !== undefined)
    service.state.enrollments.put({
      referenceNumber,
      subject: caller.subject,
      name: '',
      purpose: 'Authentication',
      publicKey: '',
      requestedAt: now,
      attributes: {},
      status: reached('application', 100),
    })
  return referenceNumber
}

/** Applications that are refused count against the limit. */
export const refusedApplicationsCount: Mutant = {
  at: ['certificates.enroll'],
  async call(call, next) {
    try {
      return await next(call)
    } catch (error) {
      leftPending(call)
      throw error
    }
  },
}

/** Applications beyond a limit are taken, and stay pending for ever. */
export const refusedApplicationsStay = (limit: 'enrollment-limit' | 'certificate-limit'): Mutant =>
  accepts(['certificates.enroll'], [limit], (call) => ({
    body: { referenceNumber: leftPending(call), timestamp: utc(call.now) },
  }))

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
