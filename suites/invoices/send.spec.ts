import { openOnline } from '../../lib/flows/session.ts'
import { formCodes } from '../support/forms.ts'
import { rule } from '../support/rule.ts'
import { outcomeOfInvoice, fields, settleById } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'

test(...rule('invoices.send.alternative', 'with the permission'), async ({ limited, invoice }) => {
  const { api } = await limited(['InvoiceWrite'])
  expect(await api.call('invoices.send', { body: invoice().bytes })).toBeOk()
})

test(
  ...rule('invoices.send.alternative', 'without the permission'),
  async ({ limited, invoice }) => {
    const { api } = await limited(['InvoiceRead'])
    const answer = await api.call('invoices.send', { body: invoice().bytes })
    expect(answer).toBeRefused('missing-permission')
  },
)

test(...rule('invoices.send.alternative', 'processed'), async ({ login, invoice }) => {
  const { api } = await login()
  const { bytes } = invoice()
  const sent = await api.call('invoices.send', { body: bytes })
  expect(sent).toBeOk()
  const { referenceNumber } = fields(sent) as { referenceNumber: string }
  const settled = await settleById(api, referenceNumber)
  expect(settled).toHaveSucceeded('invoice')
  const session = await openOnline(api, { formCode: formCodes.fa3 })
  expect(await outcomeOfInvoice({ api, session }, bytes)).toBeRejected('duplicate-invoice')
})
