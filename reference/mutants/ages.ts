import type { OperationId } from '../../contract/endpoints.ts'
import type { Instant } from '../base/instants.ts'
import type { Mutant } from './mutant.ts'
import { day } from './spans.ts'

/** What is forgotten after some time. */

const month = 30 * day

/** Invoices that were accepted more than a month ago are unknown. */
export const keptForAMonth = (at: readonly OperationId[]): Mutant => {
  let now: Instant = 0
  return {
    at,
    call(call, next) {
      now = call.now
      return next(call)
    },
    tables: {
      issued: {
        read: (found) => (found && now - found.acquiredAt < month ? found : undefined),
        find: (found) => found.filter(({ acquiredAt }) => now - acquiredAt < month),
      },
    },
  }
}

/** Exports lack the invoices that were accepted more than a month before the request. */
export const exportedForAMonth = (): Mutant => {
  let requestedAt: Instant = 0
  return {
    at: ['export'],
    tables: {
      exports: {
        read(found) {
          requestedAt = found?.requestedAt ?? requestedAt
          return found
        },
      },
      issued: {
        find: (found) => found.filter(({ acquiredAt }) => requestedAt - acquiredAt < month),
      },
    },
  }
}
