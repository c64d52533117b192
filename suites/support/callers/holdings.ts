import type { OperationId } from '../../../contract/endpoints.ts'
import { drawNip } from '../../../lib/identifiers/nip.ts'
import type { Client } from '../../../lib/client.ts'
import type { Context } from '../../../lib/flows/login.ts'
import { expectOk } from '../../../lib/outcome.ts'
import { euAdministrator } from './administrators.ts'
import { contextWith } from '../service/contexts.ts'
import type { Me, OwnContext } from '../service/contexts.ts'
import {
  entityGrant,
  euAdministrationGrant,
  euGrant,
  grantBy,
  granted,
  indirectGrant,
  outcomeOfOperation,
  personGrant,
  unitGrant,
} from './grants.ts'
import type { Identifier } from './grants.ts'
import type { WorkOutcome } from '../judging/matchers.ts'
import { personAt } from './people.ts'
import type { GrantListName } from './permission-lists.ts'
import type { Scene } from './stage.ts'
import { drawUnit } from '../run/units.ts'

/** Every way in which a caller comes to hold permissions in a context. */

export type HoldingScene = Omit<Scene, 'invoice'>

/** Somebody who can be granted permissions in one way. */
export interface Holder {
  readonly subject: Identifier
  /** Where the permissions apply, with the credentials of the holder. */
  readonly context: OwnContext
  /** The holder's own context, where it has one. */
  readonly home?: OwnContext
  /** Has permissions granted, and returns how that ends; `description` is shown by the lists. */
  readonly ask: (permissions: readonly string[], description?: string) => Promise<WorkOutcome>
}

/** A way to hold permissions, prepared for a grantor. */
export interface Way {
  /** What can be granted in this way; only all of it together if `together` is set. */
  readonly permissions: readonly [string, ...string[]]
  readonly together?: true
  readonly grantor: Me
  /** The list in which the grantor finds what was granted. */
  readonly list: readonly [GrantListName, Readonly<Record<string, unknown>>]
  /** Clients whose permissions the grantor delegates: they neither see nor revoke what it grants. */
  readonly clients?: readonly OwnContext[]
  /** Contexts in which the holders have nothing. */
  readonly beside: readonly Context[]
  readonly someone: () => Promise<Holder>
}

const both = ['InvoiceRead', 'InvoiceWrite'] as const

const reason = 'granted by a conformance check'

/** Asks for a grant, and returns how that ends. */
const outcomeOf = async (
  api: Client,
  operation: Extract<OperationId, `permissions.grant${string}`>,
  body: unknown,
): Promise<WorkOutcome> => outcomeOfOperation(api, await api.call(operation, { body }))

const plain = ({ type, value }: Context): Context => ({ type, value })

const unitBelow = ({ me, rng }: HoldingScene): Context => drawUnit(rng, me.context.nip)

const entityOf = ({ me, rng }: HoldingScene): Context => ({
  type: 'NipVatUe',
  value: `${me.context.nip}-DE${rng.digits(9)}`,
})

type Kind = 'Nip' | 'Pesel' | 'Fingerprint'

const direct =
  (kind: Kind) =>
  async (scene: HoldingScene): Promise<Way> => {
    const { me, rng, target, another } = scene
    return {
      permissions: both,
      grantor: me,
      list: ['persons', granted],
      beside: [plain(await another()), unitBelow(scene), entityOf(scene)],
      someone: () => {
        const person = personAt(me.context, rng, target, kind)
        return Promise.resolve({
          ...person,
          ask: (permissions, description = reason) =>
            outcomeOf(me.api, 'permissions.grantPerson', {
              ...personGrant(person.subject, permissions),
              description,
            }),
        })
      },
    }
  }

const byTestData = async (scene: HoldingScene, kind: Kind = 'Nip'): Promise<Way> => {
  const way = await direct(kind)(scene)
  return {
    ...way,
    someone: async () => {
      const holder = await way.someone()
      return {
        ...holder,
        ask: (permissions, description = reason) =>
          scene.api.call('testdata.grant', {
            body: {
              contextIdentifier: plain(scene.me.context),
              authorizedIdentifier: holder.subject,
              permissions: permissions.map((permissionType) => ({ permissionType, description })),
            },
          }),
      }
    },
  }
}

/** The holders are entities, to whom the grantor is a client. */
const asEntity = async (scene: HoldingScene): Promise<Way> => {
  const { me, another, target } = scene
  return {
    permissions: both,
    grantor: me,
    list: ['persons', granted],
    beside: [plain(await another()), unitBelow(scene), entityOf(scene)],
    someone: async () => {
      const home = await another()
      const { nip } = home
      return {
        subject: { type: 'Nip', value: nip },
        context: contextWith(plain(me.context), home.credentials, target.now),
        home,
        ask: (permissions, description = reason) =>
          outcomeOf(me.api, 'permissions.grantEntity', {
            ...entityGrant(
              nip,
              permissions.map((type) => ({ type, canDelegate: type === 'InvoiceWrite' })),
            ),
            description,
          }),
      }
    },
  }
}

/** The grantor delegates what a client lets it delegate, for that client or for every client. */
const passedOn =
  (every: boolean, kind: Kind = 'Nip') =>
  async (scene: HoldingScene): Promise<Way> => {
    const { me, another, login, rng, target } = scene
    const clients = [await another(), await another()] as const
    for (const [place, context] of clients.entries()) {
      const { api } = await login({ context })
      const canDelegate = place === 0 || !every
      const passOn = both.map((type) => ({ type, canDelegate }))
      await grantBy(api, 'permissions.grantEntity', entityGrant(me.context.nip, passOn))
    }
    const [client, other] = clients
    const firm = every ? { type: 'AllPartners' } : { type: 'Nip', value: client.nip }
    return {
      permissions: both,
      grantor: me,
      list: ['persons', granted],
      clients,
      beside: [plain(other), plain(me.context)],
      someone: () => {
        const person = personAt(client, rng, target, kind)
        return Promise.resolve({
          ...person,
          ask: (permissions, description = reason) =>
            outcomeOf(me.api, 'permissions.grantIndirect', {
              ...indirectGrant(person.subject, permissions, firm),
              description,
            }),
        })
      },
    }
  }

const overUnit = (
  scene: HoldingScene,
  unit: Context,
  beside: readonly Context[],
  kind: Kind = 'Nip',
): Way => {
  const { me, rng, target } = scene
  return {
    permissions: ['CredentialsManage'],
    grantor: me,
    list: ['subunits', {}],
    beside: [...beside, plain(me.context)],
    someone: () => {
      const person = personAt(unit, rng, target, kind)
      return Promise.resolve({
        ...person,
        ask: (_permissions, description = reason) =>
          outcomeOf(me.api, 'permissions.grantSubunit', {
            ...unitGrant(person.subject, unit, 'a branch'),
            description,
          }),
      })
    },
  }
}

/** Administrators of a unit with an internal identifier. */
const overInternalUnit = (scene: HoldingScene, kind: Kind = 'Nip'): Promise<Way> =>
  Promise.resolve(overUnit(scene, unitBelow(scene), [unitBelow(scene)], kind))

/** Administrators of a member of a VAT group or of a local government. */
const overMember =
  (subjectType: 'VatGroup' | 'JST') =>
  async (scene: HoldingScene): Promise<Way> => {
    const { api, me, rng } = scene
    const [unit, other] = [drawNip(rng), drawNip(rng)]
    const subunits = [other, unit].map((subjectNip) => ({ subjectNip, description: reason }))
    const body = { subjectNip: me.context.nip, subjectType, description: reason, subunits }
    expectOk(await api.call('testdata.createSubject', { body }), `create a ${subjectType}`)
    return overUnit(scene, { type: 'Nip', value: unit }, [{ type: 'Nip', value: other }])
  }

/** Administrators of an EU entity. */
const overEuEntity = (scene: HoldingScene): Promise<Way> => {
  const { me, rng, target } = scene
  const entity = entityOf(scene)
  return Promise.resolve({
    permissions: ['VatUeManage', 'InvoiceWrite', 'InvoiceRead', 'Introspection'],
    together: true,
    grantor: me,
    list: ['eu', {}],
    beside: [entityOf(scene), plain(me.context)],
    someone: () => {
      const person = personAt(entity, rng, target, 'Fingerprint')
      return Promise.resolve({
        ...person,
        ask: (_permissions, description = reason) =>
          outcomeOf(me.api, 'permissions.grantEuAdministration', {
            ...euAdministrationGrant(person.subject.value, entity.value),
            description,
          }),
      })
    },
  })
}

/** Representatives of an EU entity, appointed by its administrator. */
const forEuEntity = async (scene: HoldingScene): Promise<Way> => {
  const { me, rng, target } = scene
  const administrator = await euAdministrator(scene)
  return {
    permissions: both,
    grantor: administrator,
    list: ['eu', {}],
    beside: [entityOf(scene), plain(me.context)],
    someone: () => {
      const person = personAt(administrator.context, rng, target, 'Fingerprint')
      return Promise.resolve({
        ...person,
        ask: (permissions, description = reason) =>
          outcomeOf(administrator.api, 'permissions.grantEu', {
            ...euGrant(person.subject.value, permissions),
            description,
          }),
      })
    },
  }
}

/** Every way, by its name. */
export const ways = {
  'person with a NIP': direct('Nip'),
  'person with a PESEL': direct('Pesel'),
  'person with a certificate': direct('Fingerprint'),
  'person, by test data': byTestData,
  entity: asEntity,
  'person, for one client': passedOn(false),
  'person, for every client': passedOn(true),
  'administrator of a unit': overInternalUnit,
  'administrator of a VAT group member': overMember('VatGroup'),
  'administrator of a local government unit': overMember('JST'),
  'administrator of an EU entity': overEuEntity,
  'representative of an EU entity': forEuEntity,
} as const satisfies Readonly<Record<string, (scene: HoldingScene) => Promise<Way>>>
export type WayName = keyof typeof ways

/** Every way in which the holder is known by the fingerprint of a certificate alone. */
export const waysByFingerprint = {
  person: direct('Fingerprint'),
  'person, by test data': (scene) => byTestData(scene, 'Fingerprint'),
  'person, for one client': passedOn(false, 'Fingerprint'),
  'person, for every client': passedOn(true, 'Fingerprint'),
  'administrator of a unit': (scene) => overInternalUnit(scene, 'Fingerprint'),
  'administrator of an EU entity': overEuEntity,
  'representative of an EU entity': forEuEntity,
} as const satisfies Readonly<Record<string, (scene: HoldingScene) => Promise<Way>>>
