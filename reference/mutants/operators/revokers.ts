import type { Permission } from '../../../contract/types.ts'
import type { AnyCall, ProtectedCall } from '../../call/call.ts'
import type { Grant, GrantKind } from '../../model/entities.ts'
import { keyOf } from '../../model/entities.ts'
import { refuse } from '../../base/refusals.ts'
import { policy } from '../../policy/policy.ts'
import { revokerOf } from '../../rights/grants.ts'
import { startOperation } from '../../rights/operations.ts'
import type { Mutant } from '../mutant.ts'
import { accepts } from '../rewrite.ts'
import type { Generated, Rules } from './operator.ts'
import { generated } from './operator.ts'

/** Revocations that callers without the right can make, and that callers with the right cannot. */

const rules: Rules = ['permissions.revoke.refusals', 'permissions.revoke.effective']

const meant = ({ service, path }: AnyCall): Grant | undefined =>
  service.state.grants.get(path['permissionId'] ?? '')

const begins = (call: ProtectedCall) => {
  const permissionId = call.path['permissionId'] ?? ''
  const by = call.caller.subject
  return startOperation(call, { kind: 'revoke', permissionId, by, authorization: false })
}

/** A revocation that those of another context can make too. */
const fromOutside = (may: (grant: Grant, call: ProtectedCall) => boolean): Mutant =>
  accepts(['permissions.revoke'], ['permission-no-access'], (call) => {
    const { caller } = call
    const grant = meant(call)
    if (caller === undefined || grant === undefined) return undefined
    const given: ProtectedCall = { ...call, caller }
    return may(grant, given) ? begins(given) : undefined
  })

const outsiders: Readonly<Record<string, Mutant>> = {
  'an-entity-that-holds-it': fromOutside(
    ({ kind, subject }, { caller }) =>
      kind === 'entity' && keyOf(subject) === keyOf(caller.context),
  ),
  'the-client-of-an-intermediary': fromOutside(
    ({ kind, grantedIn }, { caller, service }) =>
      kind === 'indirect' &&
      service.state.grants
        .by('context', keyOf(caller.context))
        .some((base) => base.kind === 'entity' && keyOf(base.subject) === keyOf(grantedIn)),
  ),
  'any-context-of-the-taxpayer': fromOutside(
    ({ context }, { caller }) => context.value.slice(0, 10) === caller.context.value.slice(0, 10),
  ),
  /** The holder of a grant can revoke it. */
  'its-holder': {
    at: ['permissions.revoke'],
    policy: { permitted: () => true, revocationPermitted: () => true },
    call(call, next) {
      const { caller } = call
      const grant = meant(call)
      if (caller === undefined || grant === undefined) return next(call)
      const isHolder = keyOf(grant.subject) === keyOf(caller.subject)
      if (!isHolder && !policy.revocationPermitted(caller.permissions(), revokerOf(grant.kind)))
        throw refuse('missing-permission')
      return next(call)
    },
  },
}

/** A permission that should suffice to revoke grants of a kind, but does not. */
const notBy = (kind: GrantKind, needed: Permission): Mutant => ({
  at: ['permissions.revoke'],
  call(call, next) {
    const held = call.caller?.permissions() ?? new Set<Permission>()
    const sufficient = revokerOf(kind).filter((one) => held.has(one))
    if (meant(call)?.kind === kind && sufficient.every((one) => one === needed))
      throw refuse('missing-permission')
    return next(call)
  },
})

const kinds = [
  'person',
  'entity',
  'indirect',
  'subunit',
  'euAdministration',
  'eu',
  'testdata',
] as const satisfies readonly GrantKind[]

/** Every caller who may not revoke, and every permission that suffices. */
export const wrongRevokers = (): Generated[] => [
  ...Object.entries(outsiders).map(([who, mutant]) =>
    generated('revoker', `by.${who}`, rules, mutant),
  ),
  ...kinds.flatMap((kind) =>
    revokerOf(kind).map((needed) =>
      generated('revoker', `${kind}.not-by-${needed}`, rules, notBy(kind, needed)),
    ),
  ),
]
