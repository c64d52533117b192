import type { Rng } from '../../../lib/random.ts'
import { euAdministrator, headOfUnit } from './administrators.ts'
import type { LoginOptions, Me, OwnContext } from '../service/contexts.ts'
import { euGrant, grantBy, grantPerson } from './grants.ts'
import { personAt } from './people.ts'
import type { Target } from '../service/target.ts'

/** Callers in a taxpayer's other contexts, which share the digits of its NIP, with the permissions to work there. */

interface Scene {
  /** The taxpayer. */
  readonly me: Me
  readonly login: (options?: LoginOptions) => Promise<Me>
  readonly rng: Rng
  readonly target: Target
}

/** The context of a unit of the taxpayer, with the credentials of somebody who may work there. */
export const workerInUnit = async (scene: Scene): Promise<OwnContext> => {
  const { rng, target } = scene
  const head = await headOfUnit(scene)
  const worker = personAt(head.context, rng, target)
  await grantPerson(head.api, worker.subject, [
    'InvoiceRead',
    'InvoiceWrite',
    'Introspection',
    'CredentialsManage',
  ])
  return worker.context
}

/** A caller in the context of a unit of the taxpayer. */
const inUnit = async (scene: Scene): Promise<Me> =>
  scene.login({ context: await workerInUnit(scene) })

/** A caller in the context of an EU entity of the taxpayer. */
const inEuEntity = async (scene: Scene): Promise<Me> => {
  const { login, rng, target } = scene
  const administrator = await euAdministrator(scene)
  const clerk = personAt(administrator.context, rng, target, 'Fingerprint')
  const body = euGrant(clerk.subject.value, ['InvoiceRead', 'InvoiceWrite'])
  await grantBy(administrator.api, 'permissions.grantEu', body)
  return login({ context: clerk.context })
}

export const kin = { InternalId: inUnit, NipVatUe: inEuEntity } as const
