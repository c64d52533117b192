import type { OperationId } from '../../../contract/endpoints.ts'
import { lifecycles } from '../../../contract/lifecycles.ts'
import type { Lifecycle } from '../../../contract/types.ts'
import type { Policy } from '../../policy/policy.ts'
import { policy } from '../../policy/policy.ts'
import type { Generated, Rules } from './operator.ts'
import { generated } from './operator.ts'

/** What takes an action in a state that does not permit it: a list of states that lacks one. */

/** Decisions about a state, by its code or by its name. */
type ByCode = 'redeemAllowed' | 'sessionMayClose' | 'sessionTakesInvoices' | 'sessionTakesParts'
type ByName = 'certificateRevocable' | 'tokenRevocable'

interface Action {
  readonly of: Lifecycle
  readonly at: OperationId
  readonly decision: ByCode | ByName
  /** The rules of a state by its code; undefined where the state permits the action, or nothing comes of it. */
  readonly rulesOf: (code: number) => Rules | undefined
}

const closed =
  (rules: Rules): Action['rulesOf'] =>
  (code) =>
    code === 100 ? undefined : rules

// The management port alone brings an interactive session into the state of a refused key.
const ofOnline = (code: number): Rules | undefined =>
  code === 415
    ? ['sessions.status.moves-forward', 'sessions.online.close']
    : closed(['sessions.online.close'])(code)

const actions: readonly Action[] = [
  {
    of: 'authentication',
    at: 'auth.redeem',
    decision: 'redeemAllowed',
    rulesOf: (code) =>
      code === 200
        ? undefined
        : code === 100
          ? ['auth.redeem.not-before-success']
          : code === 425
            ? ['auth.sessions.ended']
            : ['auth.status.failure-is-final'],
  },
  {
    of: 'onlineSession',
    at: 'invoices.submit',
    decision: 'sessionTakesInvoices',
    rulesOf: ofOnline,
  },
  {
    of: 'onlineSession',
    at: 'sessions.closeOnline',
    decision: 'sessionMayClose',
    rulesOf: ofOnline,
  },
  {
    of: 'batchSession',
    at: 'sessions.uploadPart',
    decision: 'sessionTakesParts',
    rulesOf: closed(['sessions.batch.close']),
  },
  {
    of: 'batchSession',
    at: 'sessions.closeBatch',
    decision: 'sessionMayClose',
    rulesOf: closed(['sessions.batch.close']),
  },
  {
    of: 'certificate',
    at: 'certificates.revoke',
    decision: 'certificateRevocable',
    rulesOf: closed(['certificates.revoke']),
  },
  {
    of: 'token',
    at: 'tokens.revoke',
    decision: 'tokenRevocable',
    // A token that is being revoked is so only once more.
    rulesOf: (code) => (code < 200 ? undefined : ['tokens.status.moves-forward']),
  },
]

const permitting = (decision: Action['decision'], code: number, name: string): Partial<Policy> => ({
  [decision]: (state: never) =>
    state === code || state === name || (policy[decision] as (state: never) => boolean)(state),
})

/** Every state of a resource with every action that it does not permit, and that is taken nevertheless. */
export const permittedInAnyState = (): Generated[] =>
  actions.flatMap(({ of, at, decision, rulesOf }) =>
    lifecycles[of].flatMap(({ code, name }) => {
      const rules = rulesOf(code)
      return rules === undefined
        ? []
        : [
            generated('ended', `${of}.${code}.${at}`, rules, {
              at: [at],
              policy: permitting(decision, code, name),
            }),
          ]
    }),
  )
