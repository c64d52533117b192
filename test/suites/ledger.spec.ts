import { expect, test } from '@playwright/test'
import { dialects } from '../../contract/dialects.ts'
import { createClient } from '../../lib/client.ts'
import { nodeCodec } from '../../lib/node/codec.ts'
import { createLedger } from '../../suites/support/run/ledger.ts'

/** What a check costs at a target with limits: the calls that the target counts, however the check made them. */

test('counts what the limits count, whether the check paced it or not', async () => {
  const dialect = dialects.svc
  const ledger = createLedger(dialect)
  const answered = [200, 200, 429, 401, 400, 401]
  const client = createClient({
    send: async () => ({
      status: answered.shift() ?? 200,
      headers: {},
      body: nodeCodec.utf8(''),
    }),
    baseUrl: `http://host:1${dialect.prefix}`,
    dialect,
    codec: nodeCodec,
    record: ledger.record,
  })
  const me = client.with({ bearer: 'MINE', context: 'Nip 5265877635' })
  await me.call('exports.create', { body: {} })
  await me.call('exports.create', { body: {}, pace: false })
  // Refused by the limit, or of nobody that the target knows.
  await me.call('exports.create', { body: {}, pace: false })
  await me.call('exports.create', { body: {}, pace: false })
  await me.call('exports.create', { body: {}, pace: false })
  // Public calls are counted for the address, whoever makes them.
  await client.call('auth.challenge', { pace: false })
  await client.with({ bearer: 'OTHER', context: 'Nip 7980332920' }).call('exports.create')

  expect(ledger.calls).toEqual({ exportCreate: 4, public: 1 })
  expect(ledger.callsOfOne()).toEqual({ exportCreate: 3 })
  expect(Object.fromEntries(ledger.callers)).toEqual({
    'Bearer MINE': 'Nip 5265877635',
    'Bearer OTHER': 'Nip 7980332920',
  })
  expect(ledger.exchanges).toHaveLength(7)
})
