import type { Service, Workers } from '../call/service.ts'
import { invoiceWorkers } from '../invoices/workers.ts'
import { completeEnrollment, completeRevocation } from '../certificates/certificates.ts'
import { completeAuthentication } from '../login/authentication.ts'
import { moveToken } from '../login/service-tokens.ts'
import { finishOperation } from '../rights/operations.ts'
import type { WorkKind } from '../model/work.ts'

/** The function for each kind of asynchronous work. */
const workers: Workers = {
  authentication: completeAuthentication,
  token: moveToken,
  enrollment: completeEnrollment,
  certificate: completeRevocation,
  operation: finishOperation,
  ...invoiceWorkers,
}

/** Does a piece of work. A failure is journaled; the next poll shows the work unfinished. */
export const work = async (service: Service, kind: WorkKind, subject: string): Promise<void> => {
  try {
    await workers[kind](service, subject)
  } catch (error) {
    service.journal.add('broken', {
      work: kind,
      subject,
      error: error instanceof Error ? error.stack : String(error),
    })
  }
}
