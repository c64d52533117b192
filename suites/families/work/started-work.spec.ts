import { operationIds } from '../../../contract/endpoints.ts'
import type { OperationId } from '../../../contract/endpoints.ts'
import type { RuleId } from '../../../contract/rules.ts'
import type { Client } from '../../../lib/client.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import { statusOf } from '../../../lib/flows/settle.ts'
import { poll } from '../../../lib/poll.ts'
import { calls, perform } from '../../support/scenes/calls.ts'
import { applyFor } from '../../support/callers/enrolment.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { createStage } from '../../support/callers/stage.ts'
import { fields, reported } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** What starts asynchronous work returns a reference number, under which that very work reports its status. */

/** Follows the reference number of an answer. */
const follow = async (
  api: Client,
  started: Exchange,
  operation: OperationId,
): Promise<Exchange> => {
  expect(started).toBeOk()
  const referenceNumber = fields(started)['referenceNumber']
  expect(referenceNumber, 'the reference number').toEqual(expect.any(String))
  const status = await api.call(operation, { path: { referenceNumber: String(referenceNumber) } })
  expect(status, 'the status under the reference number').toBeOk()
  return status
}

/** Expects that an operation comes to an end, and succeeds. */
const expectDone = async (api: Client, started: Exchange): Promise<void> => {
  await follow(api, started, 'operations.status')
  const path = { referenceNumber: String(fields(started)['referenceNumber']) }
  const { last } = await poll(
    () => api.call('operations.status', { path }),
    ({ body }) => (statusOf(body)?.code ?? 200) >= 200,
    { ...api.polling, sleep: api.sleep },
  )
  expect(reported(last), 'its final state').toHaveSucceeded('operation')
}

for (const operation of operationIds.filter((id) => /^permissions\.(grant|revoke)/.test(id)))
  test(
    ...familyRule('operations.status.reports', 'started work', operation),
    async ({ api, login, another, invoice, rng, target }) => {
      const me = await login()
      const stage = createStage({ me, api, login, another, invoice, rng, target })
      const ready = await calls[operation](stage)
      await expectDone(ready.by ?? me.api, await perform(me.api, operation, ready))
    },
  )

const minute = 60_000

const others: readonly (readonly [RuleId, OperationId, (api: Client) => Promise<Exchange>])[] = [
  [
    'tokens.status.described',
    'tokens.status',
    (api) =>
      api.call('tokens.create', {
        body: { permissions: ['InvoiceRead'], description: 'a token of a check' },
      }),
  ],
  ['certificates.enrol', 'certificates.enrollment', (api) => applyFor(api)],
]

test(
  ...familyRule('certificates.enrol', 'started work', 'dates of an application'),
  async ({ login, clock }) => {
    const { api } = await login()
    const requested = clock.now()
    const started = await applyFor(api)
    expect(started).toBeOk()
    const path = { referenceNumber: String(fields(started)['referenceNumber']) }
    await clock.advance(10 * minute)
    const status = await api.call('certificates.enrollment', { path })
    expect(status).toBeOk()
    for (const [what, date] of [
      ['of the answer', fields(started)['timestamp']],
      ['in the status, ten minutes later', fields(status)['requestDate']],
    ] as const) {
      const late = Math.abs(Date.parse(String(date)) - requested)
      expect(late, `milliseconds between the application and its date ${what}`).toBeLessThan(minute)
    }
  },
)

for (const [id, operation, start] of others)
  test(...familyRule(id, 'started work', operation), async ({ login }) => {
    const { api } = await login()
    await follow(api, await start(api), operation)
  })
