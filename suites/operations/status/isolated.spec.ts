import { expectText } from '../../../lib/outcome.ts'
import {
  authorizationGrant,
  byNip,
  entityGrant,
  grantPerson,
  listGranted,
  outcomeOfOperation,
  personGrant,
  revoke,
  settleOperation,
} from '../../support/callers/grants.ts'
import { only } from '../../support/steps/packages.ts'
import { rule } from '../../support/checks/rule.ts'
import { fields } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** To whom the status of an operation on permissions is shown. */

const subject = byNip('5265877635')
test(...rule('operations.status.isolated', 'for whom it is about'), async ({ login, another }) => {
  const { api } = await login()
  const other = await login({ context: await another() })
  const { nip } = other.context
  for (const [operation, body] of [
    ['permissions.grantPerson', personGrant(byNip(nip), ['InvoiceRead'])],
    ['permissions.grantEntity', entityGrant(nip, [{ type: 'InvoiceRead' }])],
    ['permissions.grantAuthorization', authorizationGrant(byNip(nip), 'SelfInvoicing')],
  ] as const) {
    const started = await api.call(operation, { body })
    const path = { referenceNumber: expectText(started, operation, 'referenceNumber') }
    for (const when of ['at once', 'at the end'] as const) {
      const look = await other.api.call('operations.status', { path })
      expect(look, `${operation}, ${when}`).toBeRefused('operation-unknown')
      if (when === 'at once') await settleOperation(api, path.referenceNumber)
    }
  }
})

test(
  ...rule('operations.status.isolated', 'once it has failed'),
  async ({ login, another, clock }) => {
    // The second begins before the first has ended.
    await clock.still()
    const { api } = await login()
    const other = await login({ context: await another() })
    await grantPerson(api, subject, ['InvoiceRead'])
    const permission = only(await listGranted(api))
    const [first, again] = [await revoke(api, permission.id), await revoke(api, permission.id)]
    const outcome = await outcomeOfOperation(api, first)
    expect(outcome, 'the revocation').toHaveSucceeded('operation')
    const failed = await outcomeOfOperation(api, again)
    expect(failed, 'a second revocation').not.toHaveSucceeded('operation')
    const { referenceNumber } = fields(again)
    // What was refused at once has no status.
    if (typeof referenceNumber !== 'string') return
    const path = { referenceNumber }
    expect(await other.api.call('operations.status', { path })).toBeRefused('operation-unknown')
    expect(await api.call('operations.status', { path }), 'for its own context').toBeOk()
  },
)

test(...rule('operations.status.isolated'), async ({ login, another }) => {
  const { api } = await login()
  const started = await api.call('permissions.grantPerson', {
    body: personGrant(subject, ['InvoiceRead']),
  })
  const path = { referenceNumber: expectText(started, 'grant', 'referenceNumber') }
  const other = await login({ context: await another() })
  expect(await other.api.call('operations.status', { path })).toBeRefused('operation-unknown')
  expect(await api.call('operations.status', { path }), 'for its own context').toBeOk()
})
