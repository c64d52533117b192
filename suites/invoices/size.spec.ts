import { limits } from '../../contract/limits.ts'
import { expectOk } from '../../lib/outcome.ts'
import { allowAttachments, sendAlone } from '../support/steps/packages.ts'
import { rule } from '../support/checks/rule.ts'
import { outcomeOfInvoice } from '../support/steps/steps.ts'
import { expect, test } from '../support/harness/test.ts'

const withAttachments = limits['invoice.bytesWithAttachment'].value

test(...rule('invoices.size.with-attachments', 'at the limit'), async ({ login, invoice }) => {
  const { api, context } = await login()
  await allowAttachments(api, context.nip)
  const { bytes } = invoice({ attachment: true, bytes: withAttachments })
  expect(await sendAlone(api, bytes)).toHaveSucceeded('invoice')
})

test(...rule('invoices.size.with-attachments', 'above the limit'), async ({ login, invoice }) => {
  const { api, context } = await login()
  await allowAttachments(api, context.nip)
  const { bytes } = invoice({ attachment: true, bytes: withAttachments + 1 })
  expect(await sendAlone(api, bytes)).toBeRejected('invoice-too-large')
})

test(...rule('invoices.size.with-attachments', 'no consent'), async ({ login, invoice }) => {
  const { api } = await login()
  const { bytes } = invoice({ attachment: true })
  expect(await sendAlone(api, bytes)).toBeRejected('seller-not-allowed')
})

test(
  ...rule('invoices.size.with-attachments', 'no consent, withdrawn'),
  async ({ login, invoice }) => {
    const { api, context } = await login()
    const { nip } = context
    await allowAttachments(api, nip)
    const first = invoice({ attachment: true })
    expect(await sendAlone(api, first.bytes), 'while it holds').toHaveSucceeded('invoice')
    const denied = await api.call('testdata.denyAttachments', { body: { nip } })
    expectOk(denied, 'withdraw the consent')
    const later = invoice({ attachment: true })
    expect(await sendAlone(api, later.bytes), 'afterwards').toBeRejected('seller-not-allowed')
    await allowAttachments(api, nip)
    expect(await sendAlone(api, later.bytes), 'given once more').toHaveSucceeded('invoice')
  },
)

test(
  ...rule('invoices.size.with-attachments', 'interactive session'),
  async ({ open, invoice }) => {
    const desk = await open()
    await allowAttachments(desk.api, desk.me.context.nip)
    const { bytes } = invoice({ attachment: true })
    expect(await outcomeOfInvoice(desk, bytes)).toBeRejected('attachment-not-allowed')
  },
)

const withoutAttachments = limits['invoice.bytes'].value

test(...rule('invoices.size.without-attachments', 'at the limit'), async ({ open, invoice }) => {
  const { bytes } = invoice({ bytes: withoutAttachments })
  expect(bytes.length, 'bytes of the invoice').toBe(withoutAttachments)
  expect(await outcomeOfInvoice(await open(), bytes)).toHaveSucceeded('invoice')
})

test(...rule('invoices.size.without-attachments', 'above the limit'), async ({ open, invoice }) => {
  const { bytes } = invoice({ bytes: withoutAttachments + 1 })
  expect(await outcomeOfInvoice(await open(), bytes)).toBeRejected('invoice-too-large')
})
