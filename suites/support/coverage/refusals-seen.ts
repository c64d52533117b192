import type { OperationId } from '../../../contract/endpoints.ts'
import type { RefusalId } from '../../../contract/errors.ts'

/** A refusal that the running check has seen, as a row of the contract states it. */
export interface SeenRefusal {
  readonly id: RefusalId
  /** Which operation answered so; absent where asynchronous work ended so. */
  readonly operation: OperationId | undefined
}

let seen: SeenRefusal[] = []

/** Notes that an answer, or the end of some work, was as the row of a refusal states. */
export const noteRefusal = (id: RefusalId, operation: OperationId | undefined): void => {
  seen.push({ id, operation })
}

/** The refusals that were noted since this was last called. */
export const takeRefusals = (): readonly SeenRefusal[] => {
  const taken = seen
  seen = []
  return taken
}
