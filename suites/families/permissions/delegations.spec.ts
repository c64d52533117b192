import { headOfUnit } from '../../support/callers/administrators.ts'
import type { Me } from '../../support/service/contexts.ts'
import type { Context } from '../../../lib/flows/login.ts'
import {
  authorizationGrant,
  byNip,
  entityGrant,
  grantBy,
  indirectGrant,
  outcomeOfOperation,
  personGrant,
} from '../../support/callers/grants.ts'
import type { HoldingScene } from '../../support/callers/holdings.ts'
import { personAt } from '../../support/callers/people.ts'
import type { Person } from '../../support/callers/people.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { authenticateAs } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** Which contexts a person enters through an intermediary, and which not. */

interface Reach {
  /** The person to whom the intermediary grants a permission. */
  readonly person: Person
  readonly opened: readonly Context[]
  readonly closed: readonly Context[]
}

type Delegation = (scene: HoldingScene) => Promise<Reach>

const delegable = [{ type: 'InvoiceRead', canDelegate: true }] as const
const allPartners = { type: 'AllPartners' } as const

const plain = ({ context: { type, value } }: Me): Context => ({ type, value })

/** A client that lets the intermediary delegate the permission to read. */
const clientOf = async ({ login, another, me }: HoldingScene): Promise<Me> => {
  const client = await login({ context: await another() })
  await grantBy(client.api, 'permissions.grantEntity', entityGrant(me.context.nip, delegable))
  return client
}

const passOn = async (
  { me, rng, target }: HoldingScene,
  to: { readonly type: string; readonly value?: string } | null | undefined,
): Promise<Person> => {
  const person = personAt(me.context, rng, target)
  const body = {
    ...indirectGrant(person.subject, ['InvoiceRead'], allPartners),
    targetIdentifier: to,
  }
  const asked = await me.api.call('permissions.grantIndirect', { body })
  const outcome = await outcomeOfOperation(me.api, asked)
  expect(outcome, 'a grant by the intermediary').toHaveSucceeded('operation')
  return person
}

/** A client and its unit, both of which let the intermediary delegate the permission to read. */
const clientWithUnit = async (scene: HoldingScene) => {
  const { login, rng, target, me } = scene
  const client = await clientOf(scene)
  const head = await headOfUnit({ me: client, login, rng, target })
  const body = entityGrant(me.context.nip, delegable)
  const asked = await head.api.call('permissions.grantEntity', { body })
  const outcome = await outcomeOfOperation(head.api, asked)
  expect(outcome, 'a grant by the administrator of a unit').toHaveSucceeded('operation')
  return { firm: plain(client), unit: plain(head) }
}

const delegations: Readonly<Record<string, Delegation>> = {
  async 'for every client'(scene) {
    const clients = [await clientOf(scene), await clientOf(scene)]
    const person = await passOn(scene, allPartners)
    clients.push(await clientOf(scene))
    return { person, opened: clients.map(plain), closed: [plain(scene.me)] }
  },
  async 'for whom is not said'(scene) {
    const clients = [await clientOf(scene), await clientOf(scene)]
    const person = await passOn(scene, undefined)
    return { person, opened: clients.map(plain), closed: [plain(scene.me)] }
  },
  async 'for a unit of a client'(scene) {
    const { firm, unit } = await clientWithUnit(scene)
    return { person: await passOn(scene, unit), opened: [unit], closed: [firm, plain(scene.me)] }
  },
  async 'for a client that has a unit'(scene) {
    const { firm, unit } = await clientWithUnit(scene)
    return { person: await passOn(scene, firm), opened: [firm], closed: [unit, plain(scene.me)] }
  },
  async 'for every client, none of this intermediary'(scene) {
    const { login, another } = scene
    const client = await clientOf({ ...scene, me: await login({ context: await another() }) })
    return { person: await passOn(scene, allPartners), opened: [], closed: [plain(client)] }
  },
  async 'for every client, of which one only authorizes'(scene) {
    const { login, another, me } = scene
    const client = await login({ context: await another() })
    const grant = authorizationGrant(byNip(me.context.nip), 'SelfInvoicing')
    await grantBy(client.api, 'permissions.grantAuthorization', grant)
    return { person: await passOn(scene, allPartners), opened: [], closed: [plain(client)] }
  },
  async 'nothing, but a permission at the intermediary'(scene) {
    const { me, rng, target } = scene
    const client = await clientOf(scene)
    const person = personAt(me.context, rng, target)
    const grant = personGrant(person.subject, ['InvoiceRead', 'CredentialsManage'])
    await grantBy(me.api, 'permissions.grantPerson', grant)
    return { person, opened: [plain(me)], closed: [plain(client)] }
  },
}

/** A person to whom the head of a unit grants a permission in that unit. */
const inUnit: Delegation = async (scene) => {
  const { me, login, rng, target } = scene
  const head = await headOfUnit({ me, login, rng, target })
  const other = await headOfUnit({ me, login, rng, target })
  const person = personAt(plain(head), rng, target)
  const grant = personGrant(person.subject, ['InvoiceRead'])
  await grantBy(head.api, 'permissions.grantPerson', grant)
  return { person, opened: [plain(head)], closed: [plain(other), plain(me)] }
}

for (const [name, prepare] of Object.entries({ ...delegations, 'nothing, but a unit': inUnit }))
  test(
    ...familyRule('permissions.grant.effective', 'reach of a delegation', name),
    async ({ api, login, another, rng, target }) => {
      const scene = { api, me: await login(), login, another, rng, target }
      const { person, opened, closed } = await prepare(scene)
      for (const context of opened)
        expect(
          await authenticateAs(api, person.context, { context }),
          `in ${context.type} ${context.value}`,
        ).toHaveSucceeded('authentication')
      for (const context of closed)
        expect(
          await authenticateAs(api, person.context, { context }),
          `in ${context.type} ${context.value}`,
        ).toBeRejected('subject-without-permission')
    },
  )

test(
  ...familyRule('permissions.grant.effective', 'reach of a delegation', 'delegable after all'),
  async ({ api, login, another, rng, target }) => {
    const me = await login()
    const scene = { api, me, login, another, rng, target }
    const client = await login({ context: await another() })
    const { nip } = me.context
    const grant = (canDelegate: boolean) =>
      client.api.call('permissions.grantEntity', {
        body: entityGrant(nip, [{ type: 'InvoiceRead', canDelegate }]),
      })
    await outcomeOfOperation(client.api, await grant(false))
    const { context } = await passOn(scene, allPartners)
    const enter = () => authenticateAs(api, context, { context: plain(client) })
    expect(await enter(), 'before').toBeRejected('subject-without-permission')
    const upgraded = await outcomeOfOperation(client.api, await grant(true))
    // The contract does not specify whether the same permission can be granted once more.
    if ('succeeded' in upgraded && upgraded.succeeded)
      expect(await enter(), 'once it may be delegated').toHaveSucceeded('authentication')
    else expect(await enter()).toBeRejected('subject-without-permission')
  },
)
