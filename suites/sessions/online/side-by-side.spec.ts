import { drawSecret, encryptionFields } from '../../../lib/flows/session.ts'
import { formCodes } from '../../support/forms.ts'
import { rule } from '../../support/rule.ts'
import { outcomeOfInvoice, fields, finish } from '../../support/steps.ts'
import { expect, test } from '../../support/test.ts'

test(...rule('sessions.online.side-by-side'), async ({ open, invoice }) => {
  const first = await open()
  const secret = drawSecret()
  const body = { formCode: formCodes.fa3, ...(await encryptionFields(first.api, secret)) }
  const opened = await first.api.call('sessions.openOnline', { body })
  expect(opened, 'a second session while the first is open').toBeOk()
  const { referenceNumber } = fields(opened) as { referenceNumber: string }
  const second = { ...first, session: { referenceNumber, exchange: opened, ...secret } }
  expect(referenceNumber, 'another session').not.toBe(first.session.referenceNumber)
  for (const desk of [first, second, first])
    expect(await outcomeOfInvoice(desk, invoice().bytes)).toHaveSucceeded('invoice')
  for (const [desk, count] of [
    [first, 2],
    [second, 1],
  ] as const) {
    const settled = await finish(desk)
    expect(settled).toHaveSucceeded('onlineSession')
    expect(settled.body['successfulInvoiceCount'], 'accepted invoices of the session').toBe(count)
  }
})
