import type { Client } from '../../../lib/client.ts'
import type { Context } from '../../../lib/flows/login.ts'
import { drawNip } from '../../../lib/identifiers/nip.ts'
import { expectOk } from '../../../lib/outcome.ts'
import type { Me, OwnContext } from '../../support/service/contexts.ts'
import {
  byNip,
  entityGrant,
  euAdministrationGrant,
  euGrant,
  grantBy,
  granted,
  grantInTest,
  indirectGrant,
  outcomeOfOperation,
  personGrant,
  revoke,
  unitGrant,
} from '../../support/callers/grants.ts'
import type { Identifier } from '../../support/callers/grants.ts'
import type { HoldingScene } from '../../support/callers/holdings.ts'
import { personAt } from '../../support/callers/people.ts'
import type { GrantListName } from '../../support/callers/permission-lists.ts'
import { listOf } from '../../support/callers/permission-lists.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { authenticateAs } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'
import { drawUnit } from '../../support/run/units.ts'

/** What a holder has in two contexts is granted and revoked in each of them separately. */

interface Place {
  readonly context: Context
  /** The client that grants and revokes there. */
  readonly by: Client
  readonly list: readonly [GrantListName, Readonly<Record<string, unknown>>]
  readonly grant: () => Promise<unknown>
}

interface Both {
  readonly holder: { readonly subject: Identifier; readonly context: OwnContext }
  readonly places: readonly [Place, Place]
}

const reads = ['InvoiceRead'] as const
const persons = ['persons', granted] as const

const plain = ({ context: { type, value } }: Me): Context => ({ type, value })

const twice = async <T>(make: () => Promise<T>): Promise<[T, T]> => [await make(), await make()]

const both = ([one, other]: readonly [Me, Me], of: (by: Me) => Place): [Place, Place] => [
  of(one),
  of(other),
]

const owners = ({ login, another }: HoldingScene) =>
  twice(async () => login({ context: await another() }))

const direct =
  (kind: 'Nip' | 'Pesel' | 'Fingerprint') =>
  async (scene: HoldingScene): Promise<Both> => {
    const holder = personAt(scene.me.context, scene.rng, scene.target, kind)
    const body = personGrant(holder.subject, reads)
    return {
      holder,
      places: both(await owners(scene), (by) => ({
        context: plain(by),
        by: by.api,
        list: persons,
        grant: () => grantBy(by.api, 'permissions.grantPerson', body),
      })),
    }
  }

const byTestData = async (scene: HoldingScene): Promise<Both> => {
  const holder = personAt(scene.me.context, scene.rng, scene.target)
  return {
    holder,
    places: both(await owners(scene), (by) => ({
      context: plain(by),
      by: by.api,
      list: persons,
      grant: () => grantInTest(scene.api, by.context, holder.subject, reads),
    })),
  }
}

const asEntity = async (scene: HoldingScene): Promise<Both> => {
  const { context } = scene.me
  const body = entityGrant(context.nip, [{ type: 'InvoiceRead' }])
  return {
    holder: { subject: byNip(context.nip), context },
    places: both(await owners(scene), (by) => ({
      context: plain(by),
      by: by.api,
      list: persons,
      grant: () => grantBy(by.api, 'permissions.grantEntity', body),
    })),
  }
}

/** By two intermediaries, each for its own client. */
const passedOn =
  (every: boolean) =>
  async (scene: HoldingScene): Promise<Both> => {
    const { me, login, another, rng, target } = scene
    const holder = personAt(me.context, rng, target)
    const place = async (): Promise<Place> => {
      const [office, client] = await owners({ ...scene, login, another })
      const delegable = [{ type: 'InvoiceRead', canDelegate: true }] as const
      const consent = entityGrant(office.context.nip, delegable)
      await grantBy(client.api, 'permissions.grantEntity', consent)
      const to = every ? { type: 'AllPartners' } : plain(client)
      const body = indirectGrant(holder.subject, reads, to)
      return {
        context: plain(client),
        by: office.api,
        list: persons,
        grant: () => grantBy(office.api, 'permissions.grantIndirect', body),
      }
    }
    return { holder, places: await twice(place) }
  }

const overUnits =
  (prepare: (scene: HoldingScene) => Promise<readonly [Context, Context]>) =>
  async (scene: HoldingScene): Promise<Both> => {
    const { me, rng, target } = scene
    const holder = personAt(me.context, rng, target)
    const [one, other] = await prepare(scene)
    const place = (context: Context): Place => ({
      context,
      by: me.api,
      list: ['subunits', { subunitIdentifier: context }],
      grant: () =>
        grantBy(me.api, 'permissions.grantSubunit', unitGrant(holder.subject, context, 'a branch')),
    })
    return { holder, places: [place(one), place(other)] }
  }

const members = async ({ api, me, rng }: HoldingScene): Promise<readonly [Context, Context]> => {
  const [one, other] = [byNip(drawNip(rng)), byNip(drawNip(rng))]
  const description = 'a group of a check'
  const subunits = [one, other].map(({ value }) => ({ subjectNip: value, description }))
  const body = { subjectNip: me.context.nip, subjectType: 'VatGroup', description, subunits }
  expectOk(await api.call('testdata.createSubject', { body }), 'create a VAT group')
  return [one, other]
}

const internal = ({ me, rng }: HoldingScene): Promise<readonly [Context, Context]> => {
  const unit = () => drawUnit(rng, me.context.nip)
  return Promise.resolve([unit(), unit()])
}

const entityOf = ({ me, rng }: HoldingScene): Context => ({
  type: 'NipVatUe',
  value: `${me.context.nip}-DE${rng.digits(9)}`,
})

const overEntities = (scene: HoldingScene): Promise<Both> => {
  const { me, rng, target } = scene
  const holder = personAt(me.context, rng, target, 'Fingerprint')
  const place = (context: Context): Place => ({
    context,
    by: me.api,
    list: ['eu', { vatUeIdentifier: context.value.slice(11) }],
    grant: () =>
      grantBy(
        me.api,
        'permissions.grantEuAdministration',
        euAdministrationGrant(holder.subject.value, context.value),
      ),
  })
  return Promise.resolve({ holder, places: [place(entityOf(scene)), place(entityOf(scene))] })
}

const forEntities = async (scene: HoldingScene): Promise<Both> => {
  const { me, login, rng, target } = scene
  const holder = personAt(me.context, rng, target, 'Fingerprint')
  const place = async (): Promise<Place> => {
    const entity = entityOf(scene)
    const head = personAt(entity, rng, target, 'Fingerprint')
    const body = euAdministrationGrant(head.subject.value, entity.value)
    await grantBy(me.api, 'permissions.grantEuAdministration', body)
    const { api } = await login({ context: head.context })
    return {
      context: entity,
      by: api,
      list: ['eu', {}],
      grant: () => grantBy(api, 'permissions.grantEu', euGrant(holder.subject.value, reads)),
    }
  }
  return { holder, places: await twice(place) }
}

const kinds = {
  'person with a NIP': direct('Nip'),
  'person with a PESEL': direct('Pesel'),
  'person with a certificate': direct('Fingerprint'),
  'person, by test data': byTestData,
  entity: asEntity,
  'person, for one client': passedOn(false),
  'person, for every client': passedOn(true),
  'administrator of a unit': overUnits(internal),
  'administrator of a VAT group member': overUnits(members),
  'administrator of an EU entity': overEntities,
  'representative of an EU entity': forEntities,
} as const satisfies Readonly<Record<string, (scene: HoldingScene) => Promise<Both>>>

/** Ids of what a holder has in a place. */
const idsAt = async ({ by, list: [list, query] }: Place, { value }: Identifier) =>
  (await listOf(by, list, query))
    .filter((row) => JSON.stringify(row).includes(value))
    .map(({ id }) => String(id))

for (const rule of ['permissions.grant.effective', 'permissions.revoke.effective'] as const)
  for (const [kind, prepare] of Object.entries(kinds))
    test(
      ...familyRule(rule, 'held in two contexts', kind),
      async ({ api, login, another, rng, target }) => {
        const scene = { api, me: await login(), login, another, rng, target }
        const { holder, places } = await prepare(scene)
        const enter = ({ context }: Place) => authenticateAs(api, holder.context, { context })
        for (const { grant } of places) await grant()
        const [first, second] = places
        if (rule === 'permissions.grant.effective') {
          expect(await enter(first), 'after the second grant').toHaveSucceeded('authentication')
          expect(await enter(second), 'where it was granted last').toHaveSucceeded('authentication')
          return
        }
        const kept = await idsAt(first, holder.subject)
        for (const id of await idsAt(second, holder.subject)) {
          const outcome = await outcomeOfOperation(second.by, await revoke(second.by, id))
          expect(outcome, 'the revocation').toHaveSucceeded('operation')
        }
        expect(await enter(second)).toBeRejected('subject-without-permission')
        expect(await enter(first), 'where it is left').toHaveSucceeded('authentication')
        expect(await idsAt(first, holder.subject), 'what is listed there').toEqual(kept)
      },
    )
