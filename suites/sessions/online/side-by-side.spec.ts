import { drawSecret, encryptionFields } from '../../../lib/flows/session.ts'
import type { Secret } from '../../../lib/flows/session.ts'
import type { Fixtures } from '../../support/harness/fixtures.ts'
import { formCodes } from '../../support/checks/forms.ts'
import { rule } from '../../support/checks/rule.ts'
import { outcomeOfInvoice, fields, finish, recordOf, retrieve } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** Opens two sessions with these secrets and sends into both in turn. */
const expectSideBySide = async (
  { open, invoice }: Pick<Fixtures, 'open' | 'invoice'>,
  secret: Secret,
  another: Secret,
): Promise<void> => {
  const first = await open({ secret })
  const { api } = first
  const body = { formCode: formCodes.fa3, ...(await encryptionFields(api, another)) }
  const opened = await api.call('sessions.openOnline', { body })
  expect(opened, 'a second session while the first is open').toBeOk()
  const { referenceNumber } = fields(opened) as { referenceNumber: string }
  const second = { ...first, session: { referenceNumber, exchange: opened, ...another } }
  expect(referenceNumber, 'another session').not.toBe(first.session.referenceNumber)
  for (const [place, desk] of [first, second, first].entries()) {
    const which = `invoice ${place + 1}`
    const { bytes } = invoice()
    const outcome = await outcomeOfInvoice(desk, bytes)
    expect(outcome, which).toHaveSucceeded('invoice')
    const svcNumber = String(recordOf(outcome)['svcNumber'])
    const answer = await retrieve(api, 'invoices.bySvcNumber', { svcNumber })
    expect(answer, `the retrieval of ${which}`).toBeOk()
    expect(Buffer.from(answer.bytes).equals(bytes), `${which} byte for byte`).toBe(true)
  }
  for (const [desk, count] of [
    [first, 2],
    [second, 1],
  ] as const) {
    const settled = await finish(desk)
    expect(settled).toHaveSucceeded('onlineSession')
    expect(settled.body['successfulInvoiceCount'], 'accepted invoices of the session').toBe(count)
  }
}

test(...rule('sessions.online.side-by-side'), ({ open, invoice }) =>
  expectSideBySide({ open, invoice }, drawSecret(), drawSecret()),
)

test(...rule('sessions.online.side-by-side', 'same key'), ({ open, invoice }) => {
  const secret = drawSecret()
  return expectSideBySide({ open, invoice }, secret, { ...drawSecret(), key: secret.key })
})

test(...rule('sessions.online.side-by-side', 'same key and vector'), ({ open, invoice }) => {
  const secret = drawSecret()
  return expectSideBySide({ open, invoice }, secret, secret)
})
