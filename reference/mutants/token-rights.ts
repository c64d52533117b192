import type { Permission } from '../../contract/types.ts'
import type { AnyCall } from '../call/call.ts'
import type { Grant } from '../model/entities.ts'
import { keyOf, nipOf } from '../model/entities.ts'
import { policy } from '../policy/policy.ts'
import { asCaller } from './callers.ts'
import type { Mutant } from './mutant.ts'
import { calls, decidedBy } from './rewrite.ts'

/** Service tokens within other rights than those that their author has now, in their context. */

/** A token may carry what its author was granted somewhere, or at some time. */
const withGrants = (counts: (grant: Grant, call: AnyCall) => boolean): Mutant =>
  calls(['tokens.create'], (call) => {
    if (call.caller === undefined) return call
    const { permissions } = call.body as { readonly permissions: readonly string[] }
    const granted = new Set<string>(
      call.service.state.grants
        .by('subject', keyOf(call.caller.subject))
        .filter((grant) => counts(grant, call))
        .map(({ permission }) => permission),
    )
    return permissions.every((one) => granted.has(one))
      ? decidedBy(call, { tokenPermissionsFit: () => true })
      : call
  })

const isHere = ({ context }: Grant, { caller }: AnyCall): boolean =>
  caller !== undefined && keyOf(context) === keyOf(caller.context)

export const grantedElsewhere = withGrants((grant, call) => !isHere(grant, call))

export const grantedBefore = withGrants(isHere)

/** A caller holds what its other service tokens carry. */
export const carriedByAnother: Mutant = calls(['tokens.create'], (call) => {
  const { caller, service } = call
  if (caller === undefined) return call
  const carried = service.state.tokens
    .by('context', keyOf(caller.context))
    .filter(({ author }) => keyOf(author) === keyOf(caller.subject))
    .flatMap(({ permissions }) => permissions)
  const permissions = () => new Set([...caller.permissions(), ...carried])
  return { ...call, caller: { ...caller, permissions } }
})

/** Only one permission that is lacking is noticed. */
export const severalLacking: Mutant = {
  policy: {
    tokenPermissionsFit: (lacking) => lacking.length > 1 || policy.tokenPermissionsFit(lacking),
  },
}

/** A taxpayer finds the tokens of its units. */
export const ofUnitsToo = (...at: NonNullable<Mutant['at']>): Mutant => ({
  at,
  tables: {
    tokens: {
      find: (found, index, value, table) =>
        index === 'context' && value.startsWith('Nip:')
          ? [...table.values()].filter(({ context }) => value.endsWith(nipOf(context)))
          : found,
    },
  },
})

/** Who holds one permission creates tokens with another. */
export const implied = (permission: Permission, another: Permission): Mutant =>
  asCaller(['tokens.create'], (caller) => ({
    permissions: () => {
      const held = caller.permissions()
      return held.has(permission) ? new Set([...held, another]) : held
    },
  }))
