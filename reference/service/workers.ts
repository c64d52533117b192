import { completeAuthentication } from '../login/authentication.ts'
import { completeEnrollment, completeRevocation } from '../keys/certificates.ts'
import type { Service } from '../call/service.ts'
import { invoiceWorkers } from '../invoices/workers.ts'
import { finishOperation } from '../rights/operations.ts'
import { moveToken } from '../login/service-tokens.ts'
import type { Soon } from '../base/soon.ts'
import { attempt } from '../base/soon.ts'
import type { WorkKind, Workers } from '../time/work.ts'

/** Who does which kind of asynchronous work. */
const createWorkers = (service: Service): Workers => ({
  authentication: (reference) => completeAuthentication(service, reference),
  token: (reference) => moveToken(service, reference),
  enrollment: (reference) => completeEnrollment(service, reference),
  certificate: (serialNumber) => completeRevocation(service, serialNumber),
  operation: (reference) => finishOperation(service, reference),
  ...invoiceWorkers(service),
})

/** Does pieces of work of a service. A failure is journaled; the next poll shows the work unfinished. */
export const createRunner = (
  service: Service,
): ((kind: WorkKind, subject: string) => Soon<void>) => {
  const workers = createWorkers(service)
  return (kind, subject) =>
    attempt<void>(
      () => workers[kind]?.(subject),
      (error) =>
        service.journal.add('broken', {
          work: kind,
          subject,
          error: error instanceof Error ? error.stack : String(error),
        }),
    )
}
