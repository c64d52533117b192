import { Inconclusive, expectText } from '../../lib/outcome.ts'
import { poll } from '../../lib/poll.ts'
import type { Me, OwnContext } from './contexts.ts'

export interface ServiceToken {
  readonly context: OwnContext
  readonly token: string
  /** Reference of the token, where the service made it for us. */
  readonly referenceNumber: string | undefined
  /** Who made it. */
  readonly me: Me
}

const step = 'obtain a service token'

/**
 * Has the service make a token in the caller's context, and waits until it is active.
 * @throws {Inconclusive} when it makes none
 */
export const mintToken = async (
  me: Me,
  permissions: readonly string[] = ['InvoiceRead', 'InvoiceWrite'],
  description = 'conformance check',
): Promise<ServiceToken> => {
  const { api, context } = me
  const made = await api.call('tokens.create', {
    body: { permissions, description },
  })
  const referenceNumber = expectText(made, step, 'referenceNumber')
  const token = expectText(made, step, 'token')
  const state = async () =>
    expectText(await api.call('tokens.status', { path: { referenceNumber } }), step, 'status')
  const { last } = await poll(state, (status) => status !== 'Pending', {
    ...api.polling,
    sleep: api.sleep,
  })
  if (last !== 'Active') throw new Inconclusive(step, `an active token, it is ${last}`)
  return { context, token, referenceNumber, me }
}
