import type { Client } from '../../lib/client.ts'
import { poll } from '../../lib/poll.ts'
import { rule } from '../support/rule.ts'
import { mintToken } from '../support/service-token.ts'
import { fields } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'

/** Service tokens from their beginning to their end, and what ends with them. */

const order = ['Pending', 'Active', 'Revoking', 'Revoked']

/** Looks until a token is in a state; the states that were seen, without repetitions. */
const statesUntil = async (api: Client, referenceNumber: string, wanted: string) => {
  const { seen } = await poll(
    async () =>
      String(fields(await api.call('tokens.status', { path: { referenceNumber } }))['status']),
    (status) => status === wanted,
    { ...api.polling, sleep: api.sleep },
  )
  return seen.filter((status, at) => status !== seen[at - 1])
}

const inOrder = (states: readonly string[]): readonly string[] =>
  states.toSorted((a, b) => order.indexOf(a) - order.indexOf(b))

test(...rule('tokens.status.moves-forward'), async ({ login }) => {
  const { api } = await login()
  const body = { permissions: ['InvoiceRead'], description: 'from beginning to end' }
  const made = await api.call('tokens.create', { body })
  expect(made).toBeOk()
  const referenceNumber = String(fields(made)['referenceNumber'])
  const path = { referenceNumber }
  const begun = await statesUntil(api, referenceNumber, 'Active')
  expect(begun.at(-1), 'its state, once it was made').toBe('Active')
  expect(await api.call('tokens.revoke', { path })).toBeOk()
  const ended = await statesUntil(api, referenceNumber, 'Revoked')
  expect(ended.at(-1), 'its state, once it was taken back').toBe('Revoked')
  // Whether that is refused, nobody says.
  await api.call('tokens.revoke', { path })
  const again = await statesUntil(api, referenceNumber, 'Revoked')
  const all = [...begun, ...ended, ...again]
  expect(all, 'states in the order in which they were seen').toEqual(inOrder(all))
})

for (const [what, refreshed] of [
  ['never refreshed', false],
  ['refreshed before', true],
] as const)
  test(...rule('tokens.revoke.logins', what), async ({ api, login }) => {
    const me = await login()
    const { token, referenceNumber = '' } = await mintToken(me)
    const byToken = await login({ token })
    const refresh = () => api.call('auth.refresh', { bearer: byToken.refreshToken })
    if (refreshed) expect(await refresh(), 'before').toBeOk()
    expect(await me.api.call('tokens.revoke', { path: { referenceNumber } })).toBeOk()
    await statesUntil(me.api, referenceNumber, 'Revoked')
    expect(await refresh()).toBeRefused('refresh-refused')
    const other = await api.call('auth.refresh', { bearer: me.refreshToken })
    expect(other, 'the login of its author').toBeOk()
  })
