import type { OperationId } from '../../../contract/endpoints.ts'
import { refuse } from '../../base/refusals.ts'
import type { AnyCall, Answer } from '../../call/call.ts'
import type { Handle, Mutant } from '../mutant.ts'
import type { Fields } from '../rewrite.ts'
import type { Generated } from './operator.ts'
import { generated } from './operator.ts'
import type { Paged } from './pages.ts'
import { continues, following, isLater, pagedLists, rowsIn, withToken } from './pages.ts'

/** Lists whose further pages depend on what was added after the first. */

const tokenIn = ({ body }: Answer): string => String((body as Fields)['continuationToken'])

const firstOf = (call: AnyCall): AnyCall => withToken(call, '')

/** A token counts pages: what is added at the beginning of the list shifts all rows. */
const byCountOfPages = (paged: Paged): Mutant => {
  const pages = new Map<string, number>()
  return {
    at: [paged.operation],
    async call(call, handle) {
      const skipped = pages.get(call.headers['x-continuation-token'] ?? '') ?? 0
      let answer = await handle(skipped === 0 ? call : firstOf(call))
      for (let page = 0; page < skipped && continues(paged, answer); page += 1)
        answer = await handle(following(paged, firstOf(call), answer))
      if (continues(paged, answer)) pages.set(tokenIn(answer), skipped + 1)
      return answer
    },
  }
}

/** How many rows a list has at the moment. */
const lengthOf = async (paged: Paged, call: AnyCall, handle: Handle): Promise<number> => {
  let answer = await handle(firstOf(call))
  let rows = rowsIn(paged, answer).length
  while (continues(paged, answer)) {
    answer = await handle(following(paged, firstOf(call), answer))
    rows += rowsIn(paged, answer).length
  }
  return rows
}

/** A token is void once the list has another length. */
const voidAfterChange = (paged: Paged): Mutant => {
  const lengths = new Map<string, number>()
  return {
    at: [paged.operation],
    async call(call, handle) {
      const known = lengths.get(call.headers['x-continuation-token'] ?? '')
      const length = await lengthOf(paged, call, handle)
      if (isLater(call) && known !== undefined && known !== length)
        throw refuse('continuation-token-malformed')
      const answer = await handle(call)
      if (continues(paged, answer)) lengths.set(tokenIn(answer), length)
      return answer
    },
  }
}

/** Lists that begin with the oldest rows: what is added shifts none of them. */
const oldestFirst: ReadonlySet<OperationId> = new Set(['sessions.invoices', 'sessions.failed'])

/** The invoices of a collective identifier stay as they are. */
const fixed: ReadonlySet<OperationId> = new Set(['invoices.ofCollective'])

/** Every list that goes on by a continuation token and grows. */
export const shiftedByArrivals = (): Generated[] =>
  pagedLists()
    .filter(({ by, operation }) => by === 'token' && !fixed.has(operation))
    .flatMap((paged) => {
      const { operation, rules } = paged
      const voids = `${operation}.void-after-an-arrival`
      const shifts = `${operation}.shifted-by-an-arrival`
      return [
        generated('arrival', voids, rules, voidAfterChange(paged)),
        ...(oldestFirst.has(operation)
          ? []
          : [generated('arrival', shifts, rules, byCountOfPages(paged))]),
      ]
    })
