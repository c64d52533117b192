import type { Rng } from '../../../lib/random.ts'
import type { LoginOptions, Me, OwnContext } from '../service/contexts.ts'
import { euAdministrationGrant, grantBy, unitGrant } from './grants.ts'
import { personAt } from './people.ts'
import type { Target } from '../service/target.ts'
import { drawUnit } from '../run/units.ts'

/** Logins in contexts below that of a taxpayer, by the administrators that the taxpayer appoints. */

interface Scene {
  /** The taxpayer. */
  readonly me: Me
  readonly login: (options?: LoginOptions) => Promise<Me>
  readonly rng: Rng
  readonly target: Target
}

type Appointing = Pick<Scene, 'me' | 'rng' | 'target'>

/** The administrator of a new unit, in its context. */
export const appointHead = async ({ me, rng, target }: Appointing): Promise<OwnContext> => {
  const unit = drawUnit(rng, me.context.nip)
  const { subject, context } = personAt(unit, rng, target)
  await grantBy(me.api, 'permissions.grantSubunit', unitGrant(subject, unit, 'a branch'))
  return context
}

/** A login as the administrator of a unit, in the context of the unit. */
export const headOfUnit = async (scene: Scene): Promise<Me> =>
  scene.login({ context: await appointHead(scene) })

/** The administrator of a new EU entity, in its context, with the certificate that the grant names. */
export const appointForEu = async ({ me, rng, target }: Appointing): Promise<OwnContext> => {
  const entity = { type: 'NipVatUe', value: `${me.context.nip}-DE${rng.digits(9)}` } as const
  const { subject, context } = personAt(entity, rng, target, 'Fingerprint')
  const administration = euAdministrationGrant(subject.value, entity.value)
  await grantBy(me.api, 'permissions.grantEuAdministration', administration)
  return context
}

/** A login as the administrator of an EU entity. */
export const euAdministrator = async (scene: Scene): Promise<Me> =>
  scene.login({ context: await appointForEu(scene) })

/** The kinds of context below that of a taxpayer, with a login to each. */
export const kindsBelow = [
  ['InternalId', headOfUnit],
  ['NipVatUe', euAdministrator],
] as const
