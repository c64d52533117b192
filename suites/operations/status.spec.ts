import { statusOf } from '../../lib/flows/settle.ts'
import { expectText } from '../../lib/outcome.ts'
import { poll } from '../../lib/poll.ts'
import { personGrant, revoke, settleOperation } from '../support/grants.ts'
import { rule } from '../support/rule.ts'
import { expect, test } from '../support/test.ts'

const subject = { type: 'Nip', value: '5265877635' }

test(...rule('operations.status.reports', 'from its start to its end'), async ({ login }) => {
  const { api } = await login()
  const started = await api.call('permissions.grantPerson', {
    body: personGrant(subject, ['InvoiceRead']),
  })
  expect(started).toBeOk()
  const path = { referenceNumber: expectText(started, 'grant', 'referenceNumber') }
  const { seen, done } = await poll(
    () => api.call('operations.status', { path }),
    ({ body }) => (statusOf(body)?.code ?? 200) >= 200,
    { ...api.polling, sleep: api.sleep },
  )
  expect(done, 'an operation that ends').toBe(true)
  for (const look of seen) expect(look).toBeOk()
  const codes = seen.map(({ body }) => statusOf(body)?.code ?? 0)
  expect(codes).toMoveAlong('operation')
  expect(codes.at(-1), 'the code of an operation that is finished').toBe(200)
})

test(
  ...rule('operations.status.reports', 'under way at first'),
  async ({ login, clock, target }) => {
    test.skip(!target.has('clock'), 'the start is only seen where the clock can be stopped')
    await clock.still()
    const { api } = await login()
    const started = await api.call('permissions.grantPerson', {
      body: personGrant(subject, ['InvoiceRead']),
    })
    const path = { referenceNumber: expectText(started, 'grant', 'referenceNumber') }
    const look = await api.call('operations.status', { path })
    expect(look).toBeOk()
    expect(statusOf(look.body)?.code, 'the code of an operation under way').toBe(100)
  },
)

test(...rule('operations.status.reports', 'of a revocation'), async ({ login }) => {
  const { api } = await login()
  const granted = await api.call('permissions.grantPerson', {
    body: personGrant(subject, ['InvoiceRead']),
  })
  await settleOperation(api, expectText(granted, 'grant', 'referenceNumber'))
  const list = await api.call('permissions.queryPersons', {
    body: { queryType: 'PermissionsGrantedInCurrentContext' },
  })
  const { permissions } = list.body as { permissions: { id: string }[] }
  const started = await revoke(api, permissions[0]?.id ?? '')
  expect(started).toBeOk()
  const reference = expectText(started, 'revoke', 'referenceNumber')
  expect(await settleOperation(api, reference)).toHaveSucceeded('operation')
})

test(...rule('operations.status.reports', 'unknown'), async ({ login, unissued }) => {
  const { api } = await login()
  const path = { referenceNumber: unissued('operation') }
  expect(await api.call('operations.status', { path })).toBeRefused('operation-unknown')
})

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
