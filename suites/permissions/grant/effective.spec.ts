import { drawSecret, encryptionFields } from '../../../lib/flows/session.ts'
import { issuedAround } from '../../support/steps/filters.ts'
import { formCodes } from '../../support/checks/forms.ts'
import {
  byNip,
  entityGrant,
  grantBy,
  grantPerson,
  indirectGrant,
  personGrant,
  unitGrant,
} from '../../support/callers/grants.ts'
import { personAt } from '../../support/callers/people.ts'
import { rule } from '../../support/checks/rule.ts'
import { authenticateAs } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'
import { drawUnit } from '../../support/run/units.ts'

test(
  ...rule('permissions.grant.effective', 'before the grant'),
  async ({ api, own, rng, target }) => {
    const person = personAt(own, rng, target)
    const outcome = await authenticateAs(api, person.context)
    expect(outcome).toBeRejected('subject-without-permission')
  },
)

test(
  ...rule('permissions.grant.effective', 'during the operation'),
  async ({ login, own, rng, target, clock }) => {
    const { api } = await login()
    const person = personAt(own, rng, target)
    await grantPerson(api, person.subject, ['InvoiceRead'])
    const me = await login({ context: person.context })
    const body = { formCode: formCodes.fa3, ...(await encryptionFields(me.api, drawSecret())) }
    await clock.still()
    const started = await api.call('permissions.grantPerson', {
      body: personGrant(person.subject, ['InvoiceWrite']),
    })
    expect(started).toBeOk()
    const early = await me.api.call('sessions.openOnline', { body, pace: false })
    expect(early).toBeRefused('missing-permission')
  },
)

test(
  ...rule('permissions.grant.effective', 'after the operation'),
  async ({ login, own, rng, target, clock }) => {
    const { api } = await login()
    const person = personAt(own, rng, target)
    await grantPerson(api, person.subject, ['InvoiceRead'])
    const me = await login({ context: person.context })
    const body = issuedAround(clock.now())
    expect(await me.api.call('queries.metadata', { body })).toBeOk()
    const secret = await encryptionFields(me.api, drawSecret())
    const opening = { formCode: formCodes.fa3, ...secret }
    expect(await me.api.call('sessions.openOnline', { body: opening })).toBeRefused(
      'missing-permission',
    )
    await grantPerson(api, person.subject, ['InvoiceWrite'])
    const again = await login({ context: person.context })
    expect(await again.api.call('sessions.openOnline', { body: opening })).toBeOk()
  },
)

test(
  ...rule('permissions.grant.effective', 'unit only'),
  async ({ api, login, own, rng, target }) => {
    const unit = drawUnit(rng, own.nip)
    const person = personAt(unit, rng, target)
    const { api: head } = await login()
    await grantBy(head, 'permissions.grantSubunit', unitGrant(person.subject, unit, 'a branch'))
    const outcome = await authenticateAs(api, person.context)
    expect(outcome, 'in the unit').toHaveSucceeded('authentication')
    const { type, value } = own
    const above = await authenticateAs(api, person.context, { context: { type, value } })
    expect(above, 'above the unit').toBeRejected('subject-without-permission')
  },
)

test(
  ...rule('permissions.grant.effective', 'own context only'),
  async ({ api, login, own, rng, target, another }) => {
    const { type, value } = await another()
    const person = personAt(own, rng, target)
    await grantPerson((await login()).api, person.subject, ['InvoiceRead'])
    expect(await authenticateAs(api, person.context, { context: { type, value } })).toBeRejected(
      'subject-without-permission',
    )
  },
)

test(
  ...rule('permissions.grant.effective', 'delegated for one client'),
  async ({ api, login, own, another, rng, target }) => {
    const owner = await login()
    const [one, other] = [await another(), await another()]
    for (const context of [one, other]) {
      const client = await login({ context })
      const passOn = entityGrant(own.nip, [{ type: 'InvoiceRead', canDelegate: true }])
      await grantBy(client.api, 'permissions.grantEntity', passOn)
    }
    const person = personAt(own, rng, target)
    const firm = byNip(one.nip)
    const body = indirectGrant(person.subject, ['InvoiceRead'], firm)
    await grantBy(owner.api, 'permissions.grantIndirect', body)
    const enter = async ({ nip }: { readonly nip: string }) => {
      const context = byNip(nip)
      return authenticateAs(api, person.context, { context })
    }
    expect(await enter(one), 'at the client').toHaveSucceeded('authentication')
    expect(await enter(other)).toBeRejected('subject-without-permission')
  },
)

test(
  ...rule('permissions.grant.effective', 'not delegable'),
  async ({ api, login, own, another, rng, target }) => {
    const owner = await login()
    const client = await login({ context: await another() })
    const kept = entityGrant(own.nip, [{ type: 'InvoiceRead', canDelegate: false }])
    await grantBy(client.api, 'permissions.grantEntity', kept)
    const person = personAt(own, rng, target)
    const all = { type: 'AllPartners' }
    const body = indirectGrant(person.subject, ['InvoiceRead'], all)
    await grantBy(owner.api, 'permissions.grantIndirect', body)
    const context = byNip(client.context.nip)
    const outcome = await authenticateAs(api, person.context, { context })
    expect(outcome).toBeRejected('subject-without-permission')
  },
)
