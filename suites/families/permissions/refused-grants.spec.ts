import type { OperationId } from '../../../contract/endpoints.ts'
import type { Context } from '../../../lib/flows/login.ts'
import { drawNip } from '../../../lib/identifiers/nip.ts'
import { expectOk } from '../../../lib/outcome.ts'
import {
  authorizationGrant,
  byNip,
  entityGrant,
  euAdministrationGrant,
  grantBy,
  indirectGrant,
  listGranted,
  outcomeOfOperation,
  personGrant,
  revoke,
  unitGrant,
} from '../../support/callers/grants.ts'
import type { Identifier } from '../../support/callers/grants.ts'
import type { HoldingScene } from '../../support/callers/holdings.ts'
import { heldAlone } from '../../support/coverage/matrices.ts'
import { personAt } from '../../support/callers/people.ts'
import { leavesNothing } from '../../support/scenes/remembered.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { authenticateAs } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'
import { drawUnit } from '../../support/run/units.ts'

/** Grants that the grantor may not make: each is rejected and leaves nothing behind. */

type GrantOperation = Extract<OperationId, `permissions.grant${string}`>

interface Asked {
  readonly operation: GrantOperation
  /** Where the permission would apply. */
  readonly where: Context
  readonly kind?: 'Nip' | 'Fingerprint'
  readonly body: (subject: Identifier) => unknown
}

const createSubject = async (
  { api }: HoldingScene,
  subjectNip: string,
  subjectType: string,
  units: readonly string[] = [],
) => {
  const description = 'made by a conformance check'
  const subunits = units.map((nip) => ({ subjectNip: nip, description }))
  const body = { subjectNip, subjectType, description, subunits }
  expectOk(await api.call('testdata.createSubject', { body }), `create a ${subjectType}`)
}

const enforcement =
  (beside: readonly string[], subjectType?: string) =>
  async (scene: HoldingScene): Promise<Asked> => {
    const here = byNip(scene.me.context.nip)
    if (subjectType !== undefined) await createSubject(scene, here.value, subjectType)
    return {
      operation: 'permissions.grantPerson',
      where: here,
      body: (subject) => personGrant(subject, [...beside, 'EnforcementOperations']),
    }
  }

const ofUnit =
  (unitOf: (scene: HoldingScene) => Context | Promise<Context>) =>
  async (scene: HoldingScene): Promise<Asked> => {
    const where = await unitOf(scene)
    return {
      operation: 'permissions.grantSubunit',
      where,
      body: (subject) => unitGrant(subject, where, 'a branch'),
    }
  }

const forClient =
  (prepare: (scene: HoldingScene) => Promise<Context>) =>
  async (scene: HoldingScene): Promise<Asked> => {
    const where = await prepare(scene)
    return {
      operation: 'permissions.grantIndirect',
      where,
      body: (subject) => indirectGrant(subject, ['InvoiceRead'], where),
    }
  }

const canDelegate = true

/** Each grant, with the situation in which it is refused. */
const refused = {
  'enforcement in an ordinary firm': enforcement([]),
  'enforcement in a VAT group': enforcement([], 'VatGroup'),
  'enforcement beside another permission': enforcement(['InvoiceRead']),
  'a unit of another entity': ofUnit(async ({ another, rng }) =>
    drawUnit(rng, (await another()).nip),
  ),
  'an entity that is no unit': ofUnit(({ rng }) => byNip(drawNip(rng))),
  'a unit of another head': ofUnit(async (scene) => {
    const [unit, other] = [drawNip(scene.rng), await scene.another()]
    await createSubject(scene, other.nip, 'VatGroup', [unit])
    await createSubject(scene, scene.me.context.nip, 'VatGroup', [drawNip(scene.rng)])
    return byNip(unit)
  }),
  'the head by its unit': ofUnit(async (scene) => {
    const head = await scene.another()
    await createSubject(scene, head.nip, 'JST', [scene.me.context.nip])
    return byNip(head.nip)
  }),
  'an EU entity of another taxpayer': async ({ another, rng }: HoldingScene): Promise<Asked> => {
    const where = {
      type: 'NipVatUe',
      value: `${(await another()).nip}-DE${rng.digits(9)}`,
    } as const
    return {
      operation: 'permissions.grantEuAdministration',
      where,
      kind: 'Fingerprint',
      body: ({ value }) => euAdministrationGrant(value, where.value),
    }
  },
  'a client without consent': forClient(async ({ another }) => byNip((await another()).nip)),
  'a client that lets another office delegate': forClient(async ({ another, login, rng }) => {
    const client = await login({ context: await another() })
    const grant = entityGrant(drawNip(rng), [{ type: 'InvoiceRead', canDelegate }])
    await grantBy(client.api, 'permissions.grantEntity', grant)
    return byNip(client.context.nip)
  }),
  'a client that lets nothing be delegated': forClient(async ({ another, login, me }) => {
    const client = await login({ context: await another() })
    const grant = entityGrant(me.context.nip, [{ type: 'InvoiceRead', canDelegate: false }])
    await grantBy(client.api, 'permissions.grantEntity', grant)
    return byNip(client.context.nip)
  }),
  'a client that has revoked its consent': forClient(async ({ another, login, me }) => {
    const client = await login({ context: await another() })
    const grant = entityGrant(me.context.nip, [{ type: 'InvoiceRead', canDelegate }])
    await grantBy(client.api, 'permissions.grantEntity', grant)
    for (const { id } of await listGranted(client.api))
      await outcomeOfOperation(client.api, await revoke(client.api, id))
    return byNip(client.context.nip)
  }),
} as const satisfies Readonly<Record<string, (scene: HoldingScene) => Promise<Asked>>>

for (const [name, prepare] of Object.entries(refused))
  test(
    ...familyRule('permissions.grant.refusals', 'refused grant', name),
    async ({ api, login, another, rng, target }) => {
      const me = await login()
      const { operation, where, kind, body } = await prepare({
        api,
        me,
        login,
        another,
        rng,
        target,
      })
      const person = personAt(where, rng, target, kind)
      await leavesNothing(me.api, async () => {
        const asked = await me.api.call(operation, { body: body(person.subject) })
        expect(await outcomeOfOperation(me.api, asked)).toBeRejected('grant-refused')
      })
      expect(await authenticateAs(api, person.context)).toBeRejected('subject-without-permission')
    },
  )

/** Each grant, by its operation. */
const grants = {
  'permissions.grantPerson': (subject: Identifier) => personGrant(subject, ['InvoiceRead']),
  'permissions.grantEntity': ({ value }: Identifier) =>
    entityGrant(value, [{ type: 'InvoiceRead' }]),
  'permissions.grantAuthorization': (subject: Identifier) =>
    authorizationGrant(subject, 'SelfInvoicing'),
  'permissions.grantIndirect': (subject: Identifier) =>
    indirectGrant(subject, ['InvoiceRead'], { type: 'AllPartners' }),
  'permissions.grantSubunit': (subject: Identifier, unit: string) =>
    unitGrant(subject, { type: 'InternalId', value: unit }, 'a branch'),
  'permissions.grantEuAdministration': (_subject: Identifier, _unit: string, entity: string) =>
    euAdministrationGrant('A'.repeat(64), entity),
} as const

for (const [operation, bodyOf] of Object.entries(grants) as [
  keyof typeof grants,
  (subject: Identifier, unit: string, entity: string) => unknown,
][]) {
  const needed = operation === 'permissions.grantSubunit' ? 'SubunitManage' : 'CredentialsManage'
  test(
    ...familyRule('permissions.matrix', 'refused grant', `${operation} without ${needed}`),
    async ({ api, login, own, limited, rng, target }) => {
      const owner = await login()
      const { api: visitor } = await limited(heldAlone.filter((one) => one !== needed))
      const person = personAt(own, rng, target)
      const unit = drawUnit(rng, own.nip).value
      await leavesNothing(owner.api, async () => {
        const body = bodyOf(person.subject, unit, `${own.nip}-DE${rng.digits(9)}`)
        expect(await visitor.call(operation, { body })).toBeRefused('missing-permission')
      })
      expect(await authenticateAs(api, person.context)).toBeRejected('subject-without-permission')
    },
  )
}
