import { limits } from '../../../contract/limits.ts'
import { closeBatch, openBatch, uploadPart, uploadParts } from '../../../lib/flows/batch.ts'
import { settleSession } from '../../../lib/flows/session.ts'
import { formCodes } from '../../support/checks/forms.ts'
import {
  expectIncomplete,
  listInvoices,
  inOnePart,
  packed,
  sendBatch,
} from '../../support/steps/packages.ts'
import { rule } from '../../support/checks/rule.ts'
import { reported } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

for (const [what, options] of [
  ['complete package', {}],
  ['several parts', { partBytes: 600 }],
  ['tar.gz', { compressionType: 'TarGz' }],
] as const) {
  test(...rule('sessions.batch.close', what), async ({ login, invoice }) => {
    const { api } = await login()
    const documents = [invoice(), invoice(), invoice()]
    const { settled, referenceNumber } = await sendBatch(api, await packed(documents, options))
    expect(settled).toHaveSucceeded('batchSession')
    const listed = await listInvoices(api, referenceNumber)
    expect(
      new Set(listed.map(({ invoiceNumber }) => invoiceNumber)),
      'the invoices of the package',
    ).toEqual(new Set(documents.map(({ number }) => number)))
    for (const { status } of listed) expect({ status }).toHaveSucceeded('invoice')
  })
}

test(...rule('sessions.batch.close', 'parts in reverse'), async ({ login, invoice }) => {
  const { api } = await login()
  for (const compressionType of ['Zip', 'TarGz'] as const) {
    const batch = await packed([invoice(), invoice()], { partBytes: 600, compressionType })
    const session = await openBatch(api, batch, { formCode: formCodes.fa3 })
    expect(batch.parts.length, `parts of the package, ${compressionType}`).toBeGreaterThan(1)
    await uploadParts(api, session, batch.parts.toReversed())
    await closeBatch(api, session)
    expect(await settleSession(api, session, 'batchSession'), compressionType).toHaveSucceeded(
      'batchSession',
    )
  }
})

test(...rule('sessions.batch.close', 'starts processing'), async ({ login, invoice }) => {
  const { api } = await login()
  const batch = await packed([invoice()])
  const session = await openBatch(api, batch, { formCode: formCodes.fa3 })
  await uploadParts(api, session, batch.parts)
  const path = { referenceNumber: session.referenceNumber }
  const before = reported(await api.call('sessions.status', { path }))
  expect(before, 'an open batch session').toBeInState('batchSession', 100)
  expect(await api.call('sessions.closeBatch', { path })).toBeOk()
  const after = reported(await api.call('sessions.status', { path }))
  expect(after.status.code, 'the state after the close').not.toBe(before.status.code)
})

test(...rule('sessions.batch.close', 'missing part'), async ({ login, invoice }) => {
  const { api } = await login()
  const batch = await packed([invoice(), invoice()], { partBytes: 600 })
  const session = await openBatch(api, batch, { formCode: formCodes.fa3 })
  const [, ...others] = batch.parts
  await uploadParts(api, session, others)
  // As many uploads as parts, and yet one of them is missing; whether a second upload is accepted does not matter.
  await uploadPart(api, session, others[0]!)
  const path = { referenceNumber: session.referenceNumber }
  await expectIncomplete(api, session, await api.call('sessions.closeBatch', { path }))
})

test(
  ...rule('sessions.batch.close', 'after the upload period'),
  async ({ login, invoice, clock }) => {
    const { api, context } = await login()
    const batch = await packed([invoice()], inOnePart)
    const session = await openBatch(api, batch, { formCode: formCodes.fa3 })
    await uploadParts(api, session, batch.parts)
    await clock.advance(limits['batch.uploadSecondsPerPart'].value * 1000 + 60_000)
    const later = await login({ context })
    const path = { referenceNumber: session.referenceNumber }
    const answer = await later.api.call('sessions.closeBatch', { path })
    const outcome =
      answer.status < 300 ? await settleSession(later.api, session, 'batchSession') : answer
    expect(outcome).toBeRejected('upload-time-exceeded')
  },
)

test(
  ...rule('sessions.batch.close', 'after the upload period, never closed'),
  async ({ login, invoice, clock }) => {
    const { api, context } = await login()
    const batch = await packed([invoice()], inOnePart)
    const session = await openBatch(api, batch, { formCode: formCodes.fa3 })
    await uploadParts(api, session, batch.parts)
    // Longer than the period of the upload, and than a session lasts.
    await clock.advance(25 * 3_600_000)
    const later = await login({ context })
    const settled = await settleSession(later.api, session, 'batchSession')
    expect(settled).toBeRejected('upload-time-exceeded')
    const listed = await listInvoices(later.api, session.referenceNumber)
    expect(listed, 'invoices of a package that was never closed').toEqual([])
  },
)

test(...rule('sessions.batch.close', 'second close'), async ({ login, invoice }) => {
  const { api } = await login()
  const { referenceNumber, settled } = await sendBatch(api, await packed([invoice()]))
  expect(settled).toHaveSucceeded('batchSession')
  const path = { referenceNumber }
  expect(await api.call('sessions.closeBatch', { path })).toBeRefused('session-state-forbids')
  const after = reported(await api.call('sessions.status', { path }))
  expect(after.status.code, 'the state after the attempt').toBe(settled.status.code)
})
