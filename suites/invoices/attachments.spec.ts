import { limits } from '../../contract/limits.ts'
import type { Client } from '../../lib/client.ts'
import { expectOk } from '../../lib/outcome.ts'
import { listInvoices, only, packed, sendBatch } from '../packages.ts'
import { rule } from '../rule.ts'
import { expect, test } from '../test.ts'

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
