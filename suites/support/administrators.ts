import type { Rng } from '../../lib/random.ts'
import type { LoginOptions, Me } from './contexts.ts'
import { euAdministrationGrant, grantBy, unitGrant } from './grants.ts'
import { personAt } from './people.ts'
import type { Target } from './target.ts'
import { drawUnit } from './units.ts'

/** Logins in contexts below that of a taxpayer, by the administrators that the taxpayer appoints. */

interface Scene {
  /** The taxpayer. */
  readonly me: Me
  readonly login: (options?: LoginOptions) => Promise<Me>
  readonly rng: Rng
  readonly target: Target
}

/** A login as the administrator of a unit, in the context of the unit. */
export const headOfUnit = async ({ me, login, rng, target }: Scene): Promise<Me> => {
  const unit = drawUnit(rng, me.context.nip)
  const head = personAt(unit, rng, target)
  await grantBy(me.api, 'permissions.grantSubunit', unitGrant(head.subject, unit, 'a branch'))
  return login({ context: head.context })
}

/** A login as the administrator of an EU entity, with the certificate that the grant names. */
export const euAdministrator = async ({ me, login, rng, target }: Scene): Promise<Me> => {
  const entity = { type: 'NipVatUe', value: `${me.context.nip}-DE${rng.digits(9)}` } as const
  const { subject, context } = personAt(entity, rng, target, 'Fingerprint')
  const administration = euAdministrationGrant(subject.value, entity.value)
  await grantBy(me.api, 'permissions.grantEuAdministration', administration)
  return login({ context })
}

/** The kinds of context below that of a taxpayer, with a login to each. */
export const kindsBelow = [
  ['InternalId', headOfUnit],
  ['NipVatUe', euAdministrator],
] as const
