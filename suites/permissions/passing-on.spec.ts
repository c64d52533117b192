import { fetchChallenge } from '../../lib/flows/login.ts'
import { drawInternalId } from '../../lib/identifiers/internal-id.ts'
import { drawNip } from '../../lib/identifiers/nip.ts'
import {
  entityGrant,
  fateOfOperation,
  grantBy,
  indirectGrant,
  unitGrant,
} from '../support/grants.ts'
import { personAt } from '../support/people.ts'
import { rule } from '../support/rule.ts'
import { authenticate } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'

/** What a client lets an intermediary pass on, and what cannot be granted at all. */

test(
  ...rule('permissions.grant.effective', 'passed on for one client'),
  async ({ api, login, own, another, rng, target }) => {
    const owner = await login()
    const [one, other] = [await another(), await another()]
    for (const context of [one, other]) {
      const client = await login({ context })
      const passOn = entityGrant(own.nip, [{ type: 'InvoiceRead', canDelegate: true }])
      await grantBy(client.api, 'permissions.grantEntity', passOn)
    }
    const person = personAt(own, rng, target)
    const firm = { type: 'Nip', value: one.nip }
    const body = indirectGrant(person.subject, ['InvoiceRead'], firm)
    await grantBy(owner.api, 'permissions.grantIndirect', body)
    const enter = async ({ nip }: { readonly nip: string }) => {
      const { challenge } = await fetchChallenge(api)
      const context = { type: 'Nip', value: nip } as const
      return authenticate(api, await person.context.document(challenge, { context }))
    }
    expect(await enter(one), 'at the client').toHaveSucceeded('authentication')
    expect(await enter(other)).toBeRejected('subject-without-permission')
  },
)

test(
  ...rule('permissions.grant.effective', 'not to be passed on'),
  async ({ api, login, own, another, rng, target }) => {
    const owner = await login()
    const client = await login({ context: await another() })
    const kept = entityGrant(own.nip, [{ type: 'InvoiceRead', canDelegate: false }])
    await grantBy(client.api, 'permissions.grantEntity', kept)
    const person = personAt(own, rng, target)
    const all = { type: 'AllPartners' }
    const body = indirectGrant(person.subject, ['InvoiceRead'], all)
    await grantBy(owner.api, 'permissions.grantIndirect', body)
    const { challenge } = await fetchChallenge(api)
    const context = { type: 'Nip', value: client.context.nip } as const
    const fate = await authenticate(api, await person.context.document(challenge, { context }))
    expect(fate).toBeRejected('subject-without-permission')
  },
)

test(
  ...rule('permissions.grant.refusals', 'for a client that let nothing be passed on'),
  async ({ login, own, another, rng, target }) => {
    const { api } = await login()
    const client = await another()
    const { subject } = personAt(own, rng, target)
    const firm = { type: 'Nip', value: client.nip }
    const body = indirectGrant(subject, ['InvoiceRead'], firm)
    const fate = await fateOfOperation(api, await api.call('permissions.grantIndirect', { body }))
    expect(fate).toBeRejected('grant-refused')
  },
)

for (const [what, unitOf] of [
  ['for a unit of another', (nip: string, internal: (nip: string) => string) => internal(nip)],
  ['for an entity that is no unit', (nip: string) => nip],
] as const)
  test(
    ...rule('permissions.grant.refusals', what),
    async ({ login, own, another, rng, target }) => {
      const { api } = await login()
      const { nip } = await another()
      const value = unitOf(nip, (whose) => drawInternalId(rng, whose))
      const unit = { type: value === nip ? 'Nip' : 'InternalId', value }
      const { subject } = personAt(own, rng, target)
      const body = unitGrant(subject, unit, 'a branch')
      const fate = await fateOfOperation(api, await api.call('permissions.grantSubunit', { body }))
      expect(fate).toBeRejected('grant-refused')
    },
  )

test(
  ...rule('permissions.grant.refusals', 'for a unit without a name'),
  async ({ login, own, rng }) => {
    const { api } = await login()
    const unit = { type: 'InternalId', value: drawInternalId(rng, own.nip) }
    const named = unitGrant({ type: 'Nip', value: drawNip(rng) }, unit, 'a branch')
    const body = { ...named, subunitName: undefined }
    expect(await api.call('permissions.grantSubunit', { body })).toBeRefused('invalid-input')
  },
)

test(
  ...rule('permissions.grant.refusals', 'for a unit with a wrong check digit'),
  async ({ login, own, rng }) => {
    const { api } = await login()
    const right = drawInternalId(rng, own.nip)
    const value = right.slice(0, -1) + String((Number(right.at(-1)) + 1) % 10)
    const unit = { type: 'InternalId', value }
    const body = unitGrant({ type: 'Nip', value: drawNip(rng) }, unit, 'a branch')
    expect(await api.call('permissions.grantSubunit', { body })).toBeRefused('invalid-input')
  },
)
