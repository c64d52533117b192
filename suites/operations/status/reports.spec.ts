import { statusOf } from '../../../lib/flows/settle.ts'
import { drawNip } from '../../../lib/identifiers/nip.ts'
import { expectText } from '../../../lib/outcome.ts'
import { poll } from '../../../lib/poll.ts'
import {
  byNip,
  grantPerson,
  listGranted,
  outcomeOfOperation,
  personGrant,
  revoke,
  settleOperation,
} from '../../support/callers/grants.ts'
import { wentWell } from '../../support/judging/matchers.ts'
import { rule } from '../../support/checks/rule.ts'
import { reported } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** What the status of an operation on permissions reports. */

const subject = byNip('5265877635')
test(...rule('operations.status.reports', 'to completion'), async ({ login, rng }) => {
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
  expect(done, 'a final state of the operation').toBe(true)
  for (const look of seen) expect(look).toBeOk()
  const codes = seen.map(({ body }) => statusOf(body)?.code ?? 0)
  expect(codes).toMoveAlong('operation')
  expect(codes.at(-1), 'the status of a finished operation').toBe(200)
  // What a context cannot grant, beside what it can: done in part is not done.
  const permissions = ['InvoiceRead', 'EnforcementOperations']
  const other = byNip(drawNip(rng))
  const body = personGrant(other, permissions)
  const outcome = await outcomeOfOperation(api, await api.call('permissions.grantPerson', { body }))
  if (!wentWell(outcome)) return
  const given = (await listGranted(api)).filter(
    ({ authorizedIdentifier: { value } }) => value === other.value,
  )
  expect(
    given.map(({ permissionScope }) => permissionScope).toSorted(),
    'what an operation that succeeded has granted',
  ).toEqual(permissions.toSorted())
})

test(...rule('operations.status.reports', 'in progress'), async ({ login, clock }) => {
  await clock.still()
  const { api } = await login()
  const body = personGrant(subject, ['InvoiceRead'])
  for (const [what, start] of [
    ['grant', () => api.call('permissions.grantPerson', { body })],
    ['revocation', async () => revoke(api, (await listGranted(api))[0]?.id ?? '')],
  ] as const) {
    const referenceNumber = expectText(await start(), what, 'referenceNumber')
    const look = await api.call('operations.status', { path: { referenceNumber } })
    expect(look).toBeOk()
    expect(reported(look), `a ${what} in progress`).toBeInState('operation', 100)
    expect(await settleOperation(api, referenceNumber)).toHaveSucceeded('operation')
  }
})

test(...rule('operations.status.reports', 'revocation'), async ({ login }) => {
  const { api } = await login()
  await grantPerson(api, subject, ['InvoiceRead'])
  const [permission] = await listGranted(api)
  const started = await revoke(api, permission?.id ?? '')
  expect(started).toBeOk()
  const reference = expectText(started, 'revoke', 'referenceNumber')
  expect(await settleOperation(api, reference)).toHaveSucceeded('operation')
  await grantPerson(api, subject, ['InvoiceRead'])
  const id = (await listGranted(api))[0]?.id ?? ''
  const outcomes = await Promise.all(
    [id, id].map(async (same) => outcomeOfOperation(api, await revoke(api, same))),
  )
  expect(outcomes.some(wentWell), 'the success of one of two revocations at once').toBe(true)
})

test(...rule('operations.status.reports', 'unknown'), async ({ login, unissued }) => {
  const { api } = await login()
  const path = { referenceNumber: unissued('operation') }
  expect(await api.call('operations.status', { path })).toBeRefused('operation-unknown')
})

test(
  ...rule('operations.status.reports', 'to completion, for colleagues'),
  async ({ login, limited }) => {
    const { api } = await login()
    const grant = { body: personGrant(subject, ['InvoiceRead']) }
    const granting = await api.call('permissions.grantPerson', grant)
    const asked = [expectText(granting, 'grant', 'referenceNumber')]
    expect(await settleOperation(api, asked[0] ?? '')).toHaveSucceeded('operation')
    const [permission] = await listGranted(api)
    const revoking = await revoke(api, permission?.id ?? '')
    asked.push(expectText(revoking, 'revoke', 'referenceNumber'))
    expect(await settleOperation(api, asked[1] ?? '')).toHaveSucceeded('operation')
    for (const colleague of [await limited(['CredentialsManage']), await limited(['InvoiceRead'])])
      for (const referenceNumber of asked) {
        const look = await colleague.api.call('operations.status', { path: { referenceNumber } })
        expect(look, 'an operation that a colleague started').toBeOk()
        expect(reported(look)).toHaveSucceeded('operation')
      }
  },
)
