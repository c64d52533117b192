import { openBatch } from '../../../lib/flows/batch.ts'
import { closeOnline, settleSession } from '../../../lib/flows/session.ts'
import { formCodes } from '../../support/checks/forms.ts'
import { packed } from '../../support/steps/packages.ts'
import { rule } from '../../support/checks/rule.ts'
import { accept, outcomeOfInvoice } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

test(...rule('sessions.online.close', 'closes'), async ({ open, invoice }) => {
  const desk = await open()
  await accept(desk, invoice().bytes)
  const path = { referenceNumber: desk.session.referenceNumber }
  expect(await desk.api.call('sessions.closeOnline', { path })).toBeOk()
  expect(await settleSession(desk.api, desk.session)).toHaveSucceeded('onlineSession')
})

test(
  ...rule('sessions.online.close', 'submission after close'),
  async ({ open, login, invoice }) => {
    const desk = await open()
    const other = await login()
    await accept(desk, invoice().bytes)
    await closeOnline(other.api, desk.session)
    for (const { api } of [desk, other])
      expect(await outcomeOfInvoice({ ...desk, api }, invoice().bytes)).toBeRejected(
        'session-state-forbids',
      )
  },
)

test(...rule('sessions.online.close', 'second close'), async ({ open, invoice }) => {
  const desk = await open()
  await accept(desk, invoice().bytes)
  await closeOnline(desk.api, desk.session)
  const path = { referenceNumber: desk.session.referenceNumber }
  expect(await desk.api.call('sessions.closeOnline', { path })).toBeRefused('session-state-forbids')
})

test(...rule('sessions.online.close', 'unknown'), async ({ login, unissued }) => {
  const { api } = await login()
  const path = { referenceNumber: unissued('onlineSession') }
  expect(await api.call('sessions.closeOnline', { path })).toBeRefused('session-unknown')
})

test(...rule('sessions.online.close', 'batch session'), async ({ login, invoice }) => {
  const { api } = await login()
  const batch = await openBatch(api, await packed([invoice()]), { formCode: formCodes.fa3 })
  const path = { referenceNumber: batch.referenceNumber }
  expect(await api.call('sessions.closeOnline', { path })).toBeRefused('session-unknown')
})
