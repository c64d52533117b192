import type { OperationId } from '../../../contract/endpoints.ts'
import type { RuleId } from '../../../contract/rules.ts'
import type { Mutant } from '../mutant.ts'
import type { Fields } from '../rewrite.ts'
import type { Generated } from './operator.ts'
import { generated } from './operator.ts'

/** Filters by state that also find another state, as when the stored state is compared, not the present one. */

interface StateFilter {
  readonly rule: RuleId
  readonly list: string
  readonly states: readonly string[]
}

const filters: Partial<Record<OperationId, StateFilter>> = {
  'certificates.query': {
    rule: 'certificates.listed',
    list: 'certificates',
    states: ['Active', 'Revoked', 'Expired'],
  },
}

const findsToo = (operation: OperationId, list: string, asked: string, also: string): Mutant => ({
  at: [operation],
  async call(call, next) {
    const { status, ...rest } = (call.body ?? {}) as Fields
    if (status !== asked) return next(call)
    const answer = await next({ ...call, body: rest })
    const body = answer.body as Fields
    const kept = (body[list] as readonly Fields[]).filter((entry) =>
      [asked, also].includes(String(entry['status'])),
    )
    return { ...answer, body: { ...body, [list]: kept } }
  },
})

/** Every two states of what is listed with a filter by state. */
export const confusedStates = (): Generated[] =>
  (Object.entries(filters) as [OperationId, StateFilter][]).flatMap(
    ([operation, { rule, list, states }]) =>
      states.flatMap((asked) =>
        states
          .filter((also) => also !== asked)
          .map((also) =>
            generated(
              'state',
              `${operation}.${asked}-finds-${also}`,
              [rule],
              findsToo(operation, list, asked, also),
            ),
          ),
      ),
  )
