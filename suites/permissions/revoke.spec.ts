import { randomUUID } from 'node:crypto'
import type { Client } from '../../lib/client.ts'
import { drawSecret, encryptionFields, openOnline } from '../../lib/flows/session.ts'
import { Inconclusive, expectText } from '../../lib/outcome.ts'
import { issuedAround } from '../support/steps/filters.ts'
import { formCodes } from '../support/checks/forms.ts'
import {
  authorizeSelfInvoicing,
  outcomeOfOperation,
  grantPerson,
  listGranted,
  revoke,
  settleOperation,
} from '../support/callers/grants.ts'
import { personAt } from '../support/callers/people.ts'
import { selfInvoiced } from '../support/documents/parties.ts'
import { rule } from '../support/checks/rule.ts'
import { outcomeOfInvoice, authenticateAs } from '../support/steps/steps.ts'
import { expect, test } from '../support/harness/test.ts'
import { listOf } from '../support/callers/permission-lists.ts'

const subject = { type: 'Nip', value: '5265877635' }

/** Grants a permission in the caller's context; returns its id. */
const grant = async (api: Client): Promise<string> => {
  await grantPerson(api, subject, ['Introspection'])
  const listed = await listGranted(api)
  const found = listed.find(({ permissionScope }) => permissionScope === 'Introspection')
  if (found === undefined) throw new Inconclusive('find the permission', 'the one just granted')
  return found.id
}

test(
  ...rule('permissions.revoke.refusals', 'without the permission'),
  async ({ login, limited }) => {
    const { api } = await login()
    const id = await grant(api)
    const me = await limited(['InvoiceRead', 'InvoiceWrite'])
    expect(await revoke(me.api, id)).toBeRefused('missing-permission')
    const left = (await listGranted(api)).map((permission) => permission.id)
    expect(left, 'permissions after the rejection').toContain(id)
  },
)

test(...rule('permissions.revoke.refusals', 'unknown'), async ({ login }) => {
  const { api } = await login()
  const outcome = await outcomeOfOperation(api, await revoke(api, randomUUID()))
  expect(outcome).toBeRejected('permission-unknown')
})

test(...rule('permissions.revoke.refusals', 'already revoked'), async ({ login }) => {
  const { api } = await login()
  const id = await grant(api)
  expect(
    await outcomeOfOperation(api, await revoke(api, id)),
    'the first revocation',
  ).toHaveSucceeded('operation')
  const outcome = await outcomeOfOperation(api, await revoke(api, id))
  expect(outcome).toBeRejected('permission-already-revoked')
})

test(...rule('permissions.revoke.refusals', 'of another context'), async ({ login, another }) => {
  const { api } = await login()
  const id = await grant(api)
  const other = await login({ context: await another() })
  const outcome = await outcomeOfOperation(other.api, await revoke(other.api, id))
  expect(outcome).toBeRejected('permission-no-access')
  const left = (await listGranted(api)).map((permission) => permission.id)
  expect(left, 'permissions after the rejection').toContain(id)
})

/** The id of a permission that was granted in the caller's context. */
const granted = async (api: Client, scope: string): Promise<string> => {
  const found = (await listGranted(api)).find(({ permissionScope }) => permissionScope === scope)
  if (found === undefined) throw new Inconclusive('find the permission', `${scope} in the list`)
  return found.id
}

const withdraw = async (api: Client, scope: string): Promise<void> => {
  const outcome = await outcomeOfOperation(api, await revoke(api, await granted(api, scope)))
  expect(outcome).toHaveSucceeded('operation')
}

test(
  ...rule('permissions.revoke.effective', 'asynchronous'),
  async ({ login, own, rng, target }) => {
    const { api } = await login()
    await grantPerson(api, personAt(own, rng, target).subject, ['InvoiceRead'])
    const started = await revoke(api, await granted(api, 'InvoiceRead'))
    expect(started).toBeOk()
    const reference = expectText(started, 'revoke', 'referenceNumber')
    expect(await settleOperation(api, reference)).toHaveSucceeded('operation')
    expect(await listGranted(api), 'permissions after the revocation').toEqual([])
  },
)

test(
  ...rule('permissions.revoke.effective', 'existing token'),
  async ({ login, own, rng, target, clock }) => {
    const { api } = await login()
    const person = personAt(own, rng, target)
    await grantPerson(api, person.subject, ['InvoiceRead', 'InvoiceWrite'])
    const me = await login({ context: person.context })
    const body = issuedAround(clock.now())
    expect(await me.api.call('queries.metadata', { body }), 'before').toBeOk()
    await withdraw(api, 'InvoiceRead')
    expect(await me.api.call('queries.metadata', { body })).toBeRefused('missing-permission')
    const secret = await encryptionFields(me.api, drawSecret())
    const opening = { formCode: formCodes.fa3, ...secret }
    const other = await me.api.call('sessions.openOnline', { body: opening })
    expect(other, 'the remaining permission').toBeOk()
  },
)

test(
  ...rule('permissions.revoke.effective', 'new token'),
  async ({ login, own, rng, target, clock }) => {
    const { api } = await login()
    const person = personAt(own, rng, target)
    await grantPerson(api, person.subject, ['InvoiceRead', 'InvoiceWrite'])
    await withdraw(api, 'InvoiceRead')
    const me = await login({ context: person.context })
    const answer = await me.api.call('queries.metadata', { body: issuedAround(clock.now()) })
    expect(answer).toBeRefused('missing-permission')
  },
)

test(
  ...rule('permissions.revoke.effective', 'last permission'),
  async ({ login, own, rng, target }) => {
    const { api } = await login()
    const person = personAt(own, rng, target)
    await grantPerson(api, person.subject, ['InvoiceRead'])
    await login({ context: person.context })
    await withdraw(api, 'InvoiceRead')
    const outcome = await authenticateAs(api, person.context)
    expect(outcome).toBeRejected('subject-without-permission')
  },
)

test(
  ...rule('permissions.revoke.effective', 'authorization'),
  async ({ login, another, invoice }) => {
    const seller = await login()
    const agent = await login({ context: await another() })
    await authorizeSelfInvoicing(seller.api, agent.context.nip)
    const session = await openOnline(agent.api, { formCode: formCodes.fa3 })
    const desk = { api: agent.api, session }
    const send = () => outcomeOfInvoice(desk, selfInvoiced(invoice().bytes))
    expect(await send(), 'with the authorization').toHaveSucceeded('invoice')
    const [given] = await listOf(seller.api, 'authorizations', { queryType: 'Granted' })
    if (given === undefined)
      throw new Inconclusive('find the authorization', 'the listed authorization')
    const path = { permissionId: String(given['id']) }
    const started = await seller.api.call('permissions.revokeAuthorization', { path })
    expect(await outcomeOfOperation(seller.api, started)).toHaveSucceeded('operation')
    expect(await send()).toBeRejected('seller-not-allowed')
  },
)
