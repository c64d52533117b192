import type { Client } from '../../../lib/client.ts'
import { closeBatch, openBatch, uploadParts } from '../../../lib/flows/batch.ts'
import type { BatchSession } from '../../../lib/flows/batch.ts'
import { settleSession } from '../../../lib/flows/session.ts'
import { formCodes } from '../../support/checks/forms.ts'
import type { MadeInvoice } from '../../support/documents/invoice-source.ts'
import { wentWell } from '../../support/judging/matchers.ts'
import type { Reported } from '../../support/judging/matchers.ts'
import { listInvoices, packed, sendBatch } from '../../support/steps/packages.ts'
import { rule } from '../../support/checks/rule.ts'
import { outcomeOfInvoice } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'
import { offeredWays } from '../../support/scenes/ways-of-sending.ts'

test(...rule('sessions.batch.duplicates', 'within the package'), async ({ login, invoice }) => {
  const { api } = await login()
  const twice = invoice()
  const { referenceNumber } = await sendBatch(api, await packed([twice, invoice(), twice]))
  const listed = await listInvoices(api, referenceNumber)
  const rows = listed.filter(({ invoiceNumber }) => invoiceNumber === twice.number)
  expect(rows.length, 'rows of the invoice that is there twice').toBe(2)
  expect(rows.filter(wentWell).length, 'accepted ones').toBe(1)
  for (const row of rows)
    if (wentWell(row)) expect(row).toHaveSucceeded('invoice')
    else expect(row).toBeRejected('duplicate-invoice')
})

test(...rule('sessions.batch.duplicates', 'accepted earlier'), async ({ open, invoice }) => {
  const desk = await open()
  const known = invoice()
  expect(await outcomeOfInvoice(desk, known.bytes)).toHaveSucceeded('invoice')
  const { referenceNumber } = await sendBatch(desk.api, await packed([known, invoice()]))
  const listed = await listInvoices(desk.api, referenceNumber)
  const again = listed.find(({ invoiceNumber }) => invoiceNumber === known.number)
  expect(again ?? { status: { code: 0 } }).toBeRejected('duplicate-invoice')
})

/** Opens a batch session and uploads its package. */
const upload = async (api: Client, documents: readonly MadeInvoice[]): Promise<BatchSession> => {
  const made = await packed(documents)
  const session = await openBatch(api, made, { formCode: formCodes.fa3 })
  await uploadParts(api, session, made.parts)
  return session
}

/** Closes a batch session and returns what became of an invoice of its package. */
const outcomeInPackage = async (
  api: Client,
  session: BatchSession,
  { number }: MadeInvoice,
): Promise<Reported> => {
  await closeBatch(api, session)
  await settleSession(api, session, 'batchSession')
  const listed = await listInvoices(api, session.referenceNumber)
  return listed.find(({ invoiceNumber }) => invoiceNumber === number) ?? { status: { code: 0 } }
}

test(
  ...rule('sessions.batch.duplicates', 'accepted earlier, after the opening'),
  async ({ login, invoice }) => {
    const me = await login()
    for (const [way, { outcome }] of offeredWays()) {
      const known = invoice()
      const session = await upload(me.api, [known, invoice()])
      expect(await outcome(me, known.bytes), `sent by ${way}`).toHaveSucceeded('invoice')
      expect(
        await outcomeInPackage(me.api, session, known),
        `in the package that was open when it was sent by ${way}`,
      ).toBeRejected('duplicate-invoice')
    }
  },
)

test(
  ...rule('sessions.batch.duplicates', 'accepted earlier, in a package that was opened later'),
  async ({ login, invoice }) => {
    const { api } = await login()
    const known = invoice()
    const first = await upload(api, [known, invoice()])
    const second = await upload(api, [invoice(), known])
    expect(
      await outcomeInPackage(api, second, known),
      'in the package that was closed first',
    ).toHaveSucceeded('invoice')
    expect(
      await outcomeInPackage(api, first, known),
      'in the package that was opened first',
    ).toBeRejected('duplicate-invoice')
  },
)
