import type { Client } from '../../lib/client.ts'
import { createExport } from '../../lib/flows/export.ts'
import { submit } from '../../lib/flows/session.ts'
import { ratedCalls } from '../../lib/node/rated-calls.ts'
import { expectPublic } from '../support/scenes/bearers.ts'
import { hold } from '../support/scenes/delayed.ts'
import { issuedAround } from '../support/steps/filters.ts'
import { spoilt } from '../support/documents/malformed.ts'
import { block } from '../support/service/rated.ts'
import { rule } from '../support/checks/rule.ts'
import { expect, test } from '../support/harness/test.ts'

const expectHealthy = async (api: Client, when: string): Promise<void> => {
  expect(await api.call('transport.health', { bearer: null }), when).toBeOk()
}

test(...rule('transport.health'), async ({ api }) => {
  expect(await api.call('transport.health', { bearer: null })).toBeOk()
  await expectPublic(api, 'transport.health')
})

test(...rule('transport.health', 'in a row'), async ({ api }) => {
  for (let time = 1; time <= 30; time += 1) await expectHealthy(api, `call ${time} of 30`)
})

test(...rule('transport.health', 'unknown parameter'), async ({ api }) => {
  for (const query of [{ verbose: 'true' }, { pageSize: '10' }, { token: 'this.is.rubbish' }]) {
    const { status } = await api.call('transport.health', { query, bearer: null })
    const what = `the status with ${JSON.stringify(query)}`
    // The contract does not state whether a parameter that it does not know is ignored.
    expect([401, 403], what).not.toContain(status)
    expect(status, what).toBeLessThan(500)
  }
})

const day = 24 * 3600 * 1000

test(...rule('transport.health', 'after a rotation'), async ({ api, target, clock }) => {
  for (const usage of ['SymmetricKeyEncryption', 'SvcTokenEncryption']) {
    await target.management?.rotateKeys(usage, day)
    await expectHealthy(api, `while two keys for ${usage} are listed`)
  }
  await clock.advance(2 * day)
  await expectHealthy(api, 'when the earlier keys have been withdrawn')
})

test(
  ...rule('transport.health', 'while work is pending'),
  async ({ api, open, invoice, target, clock }) => {
    const desk = await open()
    const done = await hold({ target, clock }, 'invoice', 'export')
    for (const bytes of [invoice().bytes, spoilt]) await submit(desk.api, desk.session, bytes)
    await createExport(desk.api, { filters: issuedAround(clock.now()) })
    await expectHealthy(api, 'while invoices and an export are pending')
    await done()
    await expectHealthy(api, 'when one of them has been rejected')
  },
)

test(...rule('transport.health', 'during a block'), async ({ api, rated }) => {
  await block(await rated(ratedCalls.default))
  await expectHealthy(api, 'while the address is blocked')
})

// There no key is listed before 1 February 2026.
test(...rule('transport.health', 'in production'), async ({ inEnvironment, ledger }) => {
  const target = await inEnvironment('production')
  const api = target.client(ledger.record)
  for (const month of ['2026-01', '2026-02', '2026-12']) {
    await target.management?.set(Date.parse(`${month}-15T12:00:00Z`))
    await expectHealthy(api, `in ${month}`)
  }
})
