import type { OperationId } from '../../../contract/endpoints.ts'
import type { AnyCall } from '../../call/call.ts'
import type { Policy } from '../../policy/policy.ts'
import { policy } from '../../policy/policy.ts'
import { decidedBy } from '../rewrite.ts'
import { filtersOf, isGiven } from './filters.ts'
import type { Generated, Rules } from './operator.ts'
import { generated } from './operator.ts'
import { isLater } from './pages.ts'

/** Lists of which a caller sees a part, that show everything to whoever asks with a filter, or from the second page on. */
const rows = {
  'auth.sessions': [
    ['auth.sessions.listed'],
    {
      loginListed: (login, viewer, now) =>
        policy.loginListed(login, { ...viewer, subject: login.subject ?? viewer.subject }, now),
    },
  ],
  'tokens.list': [['tokens.list.scope'], { tokenVisible: () => true }],
  'sessions.list': [['sessions.online.of-subject'], { sessionIsOfSubject: () => true }],
} as const satisfies Partial<Record<OperationId, readonly [Rules, Partial<Policy>]>>

export const seenByFilter = (): Generated[] =>
  (Object.keys(rows) as (keyof typeof rows)[]).flatMap((operation) => {
    const [rules, decisions]: readonly [Rules, Partial<Policy>] = rows[operation]
    const seen = (row: string, when: (call: AnyCall) => boolean): Generated =>
      generated('narrowed-view', `${operation}.${row}`, rules, {
        at: [operation],
        call: (call, next) => next(when(call) ? decidedBy(call, decisions) : call),
      })
    return [
      seen('later-pages', isLater),
      ...filtersOf(operation).map((filter) =>
        seen(filter.path.join('.'), (call) => isGiven(call, filter)),
      ),
    ]
  })
