import type { OperationId } from '../../../contract/endpoints.ts'
import { lifecycles } from '../../../contract/lifecycles.ts'
import { sessionsPolicy } from '../../policy/sessions.ts'
import type { Generated, Rules } from './operator.ts'
import { generated } from './operator.ts'

/** Sessions that take an action in one of the states after their close: a list of states that lacks one. */

type Decision = 'sessionMayClose' | 'sessionTakesInvoices' | 'sessionTakesParts'

interface Action {
  readonly of: 'onlineSession' | 'batchSession'
  readonly at: OperationId
  readonly decision: Decision
  readonly rules: Rules
}

const actions: readonly Action[] = [
  {
    of: 'onlineSession',
    at: 'invoices.submit',
    decision: 'sessionTakesInvoices',
    rules: ['sessions.online.close'],
  },
  {
    of: 'onlineSession',
    at: 'sessions.closeOnline',
    decision: 'sessionMayClose',
    rules: ['sessions.online.close'],
  },
  {
    of: 'batchSession',
    at: 'sessions.uploadPart',
    decision: 'sessionTakesParts',
    rules: ['sessions.batch.close'],
  },
  {
    of: 'batchSession',
    at: 'sessions.closeBatch',
    decision: 'sessionMayClose',
    rules: ['sessions.batch.close'],
  },
]

/** Every state of a session after its close, with every action that it takes nevertheless. */
export const reopenedSessions = (): Generated[] =>
  actions.flatMap(({ of, at, decision, rules }) =>
    lifecycles[of]
      // The symmetric key of an interactive session is refused as it opens.
      .filter(({ code }) => code > 100 && !(of === 'onlineSession' && code === 415))
      .map(({ code }) =>
        generated('ended', `${of}.${code}.${at}`, rules, {
          at: [at],
          policy: {
            [decision]: (state: number) => state === code || sessionsPolicy[decision](state),
          },
        }),
      ),
  )
