import type { RefusalId } from '../../contract/errors.ts'
import { refuse } from '../base/refusals.ts'
import type { Running } from '../call/exchange.ts'
import type { Mutant } from './mutant.ts'
import { accepts } from './rewrite.ts'

/** Unknown paths are refused for another reason, where it is looked at first. */
export const refusedFirst = (refusal: RefusalId, when: (running: Running) => boolean): Mutant => ({
  async exchange(running, next) {
    if (when(running) && running.exchange.operation === undefined) {
      // A known path with a wrong method is no unknown path.
      const response = await next(running)
      if (response.status === 404) throw refuse(refusal)
      return response
    }
    return next(running)
  },
})

/** What is unknown is refused as if it were only in another state. */
export const saidOtherwise = accepts(
  ['invoices.submit', 'invoices.statusBySvcNumber', 'invoices.byNumber'],
  ['session-unknown', 'invoice-unknown'],
  () => {
    throw refuse('session-state-forbids')
  },
)
