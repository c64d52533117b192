import type { OperationId } from '../../../contract/endpoints.ts'
import type { RuleId } from '../../../contract/rules.ts'
import type { Mutant } from '../mutant.ts'
import type { Fields } from '../rewrite.ts'
import type { Generated, Rules } from './operator.ts'
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

interface StatedList {
  readonly rules: Rules
  readonly list: string
  /** Where the state that is asked for stands. */
  readonly askedIn: 'body' | 'query'
  /** States in the place of which the filter sees an earlier one. */
  readonly earlier: Readonly<Record<string, string>>
}

/** States that change by a call or with time, as the lists show them. */
const statedLists: Partial<Record<OperationId, StatedList>> = {
  'certificates.query': {
    rules: ['certificates.revoke', 'certificates.listed'],
    list: 'certificates',
    askedIn: 'body',
    earlier: { Revoked: 'Active', Expired: 'Active' },
  },
  'tokens.list': {
    rules: ['tokens.list.narrowed'],
    list: 'tokens',
    askedIn: 'query',
    earlier: { Active: 'Pending', Revoked: 'Active' },
  },
}

/** A filter that goes by the state before the last change, though the rows show the present one. */
const filteredAsBefore = (
  operation: OperationId,
  { list, askedIn }: StatedList,
  state: string,
  before: string,
): Mutant => ({
  at: [operation],
  async call(call, next) {
    const { status, ...rest } = (call[askedIn] ?? {}) as Fields
    if (status === undefined) return next(call)
    const answer = await next({ ...call, [askedIn]: rest })
    const body = answer.body as Fields
    const kept = (body[list] as readonly Fields[]).filter((entry) =>
      ([status].flat() as unknown[]).includes(entry['status'] === state ? before : entry['status']),
    )
    return { ...answer, body: { ...body, [list]: kept } }
  },
})

/** Every state that the filter of a list may miss. */
export const unnoticedStates = (): Generated[] =>
  (Object.entries(statedLists) as [OperationId, StatedList][]).flatMap(([operation, row]) =>
    Object.entries(row.earlier).map(([state, before]) =>
      generated(
        'filtered-as-before',
        `${operation}.${state}-as-${before}`,
        row.rules,
        filteredAsBefore(operation, row, state, before),
      ),
    ),
  )
