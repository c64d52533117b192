import { limits } from '../../contract/limits.ts'
import type { Client } from '../../lib/client.ts'
import { expectObject, expectOk } from '../../lib/outcome.ts'
import { isoDay } from '../support/invoice-source.ts'
import { listInvoices, only, packed, sendBatch } from '../support/packages.ts'
import { rule } from '../support/rule.ts'
import { fateOfInvoice } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'

const bytesAllowed = limits['invoice.bytesWithAttachment'].value

const consent = async (api: Client, nip: string): Promise<void> => {
  const answer = await api.call('testdata.allowAttachments', { body: { nip } })
  expectOk(answer, 'enable attachments')
}

/** What becomes of one document in a package of its own. */
const alone = async (api: Client, bytes: Uint8Array) => {
  const { referenceNumber } = await sendBatch(api, await packed([{ bytes }]))
  return only(await listInvoices(api, referenceNumber))
}

test(...rule('invoices.size.with-attachments', 'at the limit'), async ({ login, invoice }) => {
  const { api, context } = await login()
  await consent(api, context.nip)
  const { bytes } = invoice({ attachment: true, bytes: bytesAllowed })
  expect(await alone(api, bytes)).toHaveSucceeded('invoice')
})

test(...rule('invoices.size.with-attachments', 'above'), async ({ login, invoice }) => {
  const { api, context } = await login()
  await consent(api, context.nip)
  const { bytes } = invoice({ attachment: true, bytes: bytesAllowed + 1 })
  expect(await alone(api, bytes)).toBeRejected('invoice-too-large')
})

test(...rule('invoices.size.with-attachments', 'no consent'), async ({ login, invoice }) => {
  const { api } = await login()
  const { bytes } = invoice({ attachment: true })
  expect(await alone(api, bytes)).toBeRejected('seller-not-allowed')
})

test(
  ...rule('invoices.size.with-attachments', 'by interactive session'),
  async ({ open, invoice, target }) => {
    test.skip(!target.confirms('attachments'), 'where attachments may be sent is not confirmed')
    const desk = await open()
    await consent(desk.api, desk.me.context.nip)
    const { bytes } = invoice({ attachment: true })
    expect(await fateOfInvoice(desk, bytes)).toBeRejected('attachment-not-allowed')
  },
)

test(...rule('testdata.attachments', 'allowed'), async ({ login, invoice }) => {
  const { api, context } = await login()
  expect(await api.call('testdata.allowAttachments', { body: { nip: context.nip } })).toBeOk()
  expect(await alone(api, invoice({ attachment: true }).bytes)).toHaveSucceeded('invoice')
})

test(...rule('testdata.attachments', 'denied'), async ({ login, invoice }) => {
  const { api, context } = await login()
  await consent(api, context.nip)
  expect(await api.call('testdata.denyAttachments', { body: { nip: context.nip } })).toBeOk()
  expect(await alone(api, invoice({ attachment: true }).bytes)).toBeRejected('seller-not-allowed')
})

const statusOf = async (api: Client) => {
  const answer = await api.call('permissions.attachmentStatus')
  return expectObject(answer, 'read the status of attachments')
}

test(...rule('testdata.attachments', 'told'), async ({ login, target }) => {
  const { api, context } = await login()
  expect((await statusOf(api))['isAttachmentAllowed'] ?? false, 'before any consent').toBe(false)
  await consent(api, context.nip)
  const allowed = await statusOf(api)
  expect(allowed['isAttachmentAllowed'], 'after the consent').toBe(true)
  expect(allowed['revokedDate'] ?? null, 'an end of the consent').toBe(null)
  const body = { nip: context.nip }
  expectOk(await api.call('testdata.denyAttachments', { body }), 'withdraw the consent')
  const denied = await statusOf(api)
  expect(denied['isAttachmentAllowed'], 'after the consent was withdrawn').toBe(false)
  const since = Date.parse(String(denied['revokedDate']))
  expect(Math.abs(since - target.now()), 'milliseconds since it was withdrawn').toBeLessThan(60_000)
})

test(...rule('testdata.attachments', 'from a day on'), async ({ login, clock, target }) => {
  const { api, context } = await login()
  await consent(api, context.nip)
  const day = 24 * 3600 * 1000
  const expectedEndDate = isoDay(clock.now() + 2 * day)
  const body = { nip: context.nip, expectedEndDate }
  expectOk(await api.call('testdata.denyAttachments', { body }), 'withdraw the consent later')
  expect((await statusOf(api))['isAttachmentAllowed'], 'until the day comes').toBe(true)
  test.skip(!target.has('clock'), 'the clock cannot be turned to the day')
  await clock.set(clock.now() + 3 * day)
  const me = await login({ context })
  expect((await statusOf(me.api))['isAttachmentAllowed'], 'after it came').toBe(false)
})
