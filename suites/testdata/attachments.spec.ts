import type { Client } from '../../lib/client.ts'
import { expectObject, expectOk } from '../../lib/outcome.ts'
import { isoDay } from '../support/invoice-source.ts'
import { allowAttachments, sendAlone } from '../support/packages.ts'
import { rule } from '../support/rule.ts'
import { expect, test } from '../support/test.ts'

test(...rule('testdata.attachments', 'allowed'), async ({ login, invoice }) => {
  const { api, context } = await login()
  expect(await api.call('testdata.allowAttachments', { body: { nip: context.nip } })).toBeOk()
  expect(await sendAlone(api, invoice({ attachment: true }).bytes)).toHaveSucceeded('invoice')
})

test(...rule('testdata.attachments', 'denied'), async ({ login, invoice }) => {
  const { api, context } = await login()
  await allowAttachments(api, context.nip)
  expect(await api.call('testdata.denyAttachments', { body: { nip: context.nip } })).toBeOk()
  expect(await sendAlone(api, invoice({ attachment: true }).bytes)).toBeRejected(
    'seller-not-allowed',
  )
})

const statusOf = async (api: Client) => {
  const answer = await api.call('permissions.attachmentStatus')
  return expectObject(answer, 'read the status of attachments')
}

test(...rule('testdata.attachments', 'reported'), async ({ login, target }) => {
  const { api, context } = await login()
  expect((await statusOf(api))['isAttachmentAllowed'] ?? false, 'before the consent').toBe(false)
  await allowAttachments(api, context.nip)
  const allowed = await statusOf(api)
  expect(allowed['isAttachmentAllowed'], 'after the consent').toBe(true)
  expect(allowed['revokedDate'] ?? null, 'the end of the consent').toBe(null)
  const body = { nip: context.nip }
  expectOk(await api.call('testdata.denyAttachments', { body }), 'withdraw the consent')
  const denied = await statusOf(api)
  expect(denied['isAttachmentAllowed'], 'after the consent was withdrawn').toBe(false)
  const since = Date.parse(String(denied['revokedDate']))
  expect(Math.abs(since - target.now()), 'milliseconds since it was withdrawn').toBeLessThan(60_000)
})

test(...rule('testdata.attachments', 'from a date'), async ({ login, clock }) => {
  const { api, context } = await login()
  await allowAttachments(api, context.nip)
  const day = 24 * 3600 * 1000
  const expectedEndDate = isoDay(clock.now() + 2 * day)
  const body = { nip: context.nip, expectedEndDate }
  expectOk(await api.call('testdata.denyAttachments', { body }), 'withdraw the consent later')
  expect((await statusOf(api))['isAttachmentAllowed'], 'before the date').toBe(true)
  await clock.set(clock.now() + 3 * day)
  const me = await login({ context })
  expect((await statusOf(me.api))['isAttachmentAllowed'], 'after the date').toBe(false)
})
