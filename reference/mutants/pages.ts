import type { OperationId } from '../../contract/endpoints.ts'
import type { Mutant } from './mutant.ts'
import type { Fields } from './rewrite.ts'
import { answers, lists } from './rewrite.ts'

/** Pages that lose their last entry. */
export const losesLast = (operation: OperationId, list: string): Mutant =>
  lists([operation], list, (entries) => (entries.length > 1 ? entries.slice(0, -1) : entries))

/** The list of failed invoices ends after this number of them. */
export const failedOnly = (maximum: number): Mutant => ({
  at: ['sessions.failed'],
  tables: {
    invoices: {
      find: (found) => found.filter(({ status }) => status.code >= 400).slice(0, maximum),
    },
  },
})

/** The last page of a list announces another one, where a filter has left something out. */
export const continuesWhenFiltered = (at: readonly OperationId[]): Mutant =>
  answers(at, (answer, { body }) => {
    const filters = Object.entries((body ?? {}) as Fields).filter(
      ([name, value]) => name !== 'queryType' && (value ?? null) !== null,
    )
    return filters.length === 0
      ? answer
      : { ...answer, body: { ...(answer.body as Fields), hasMore: true } }
  })

/** A filtered list announces another page where the whole list does. */
export const continuesAsTheWhole = (at: readonly OperationId[]): Mutant => ({
  at,
  async call(call, next) {
    const answer = await next(call)
    const { queryType } = (call.body ?? {}) as Fields
    const whole = await next({ ...call, body: { queryType } })
    const { hasMore } = whole.body as Fields
    return { ...answer, body: { ...(answer.body as Fields), hasMore } }
  },
})

/** A mutant whose decisions know whether a later page of a list is asked for. */
export const onLaterPages = (
  at: NonNullable<Mutant['at']>,
  decisions: (later: () => boolean) => NonNullable<Mutant['policy']>,
): Mutant => {
  let later = false
  return {
    at,
    call(call, next) {
      later = call.headers['x-continuation-token'] !== undefined
      return next(call)
    },
    policy: decisions(() => later),
  }
}
