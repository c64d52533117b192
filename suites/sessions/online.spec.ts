import {
  closeOnline,
  drawSecret,
  encryptionFields,
  settleSession,
  submissionBody,
} from '../../lib/flows/session.ts'
import { openBatch } from '../../lib/flows/batch.ts'
import { receiptPages } from '../../lib/flows/receipt.ts'
import { formCodes, formLabels } from '../support/forms.ts'
import { packed } from '../support/packages.ts'
import { rule } from '../support/rule.ts'
import { accept, fateOfInvoice, fields, finish, reported } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'

test(...rule('sessions.online.opens'), async ({ login }) => {
  const { api } = await login()
  const body = { formCode: formCodes.fa3, ...(await encryptionFields(api, drawSecret())) }
  const answer = await api.call('sessions.openOnline', { body })
  expect(answer).toBeOk()
  expect(fields(answer)['referenceNumber'], 'a reference').toMatch(/\S/)
})

for (const [what, formCode] of [
  ['parts', formCodes.fa3],
  ['label', formLabels.fa3],
] as const) {
  test(...rule('sessions.online.form-code-forms', what), async ({ login }) => {
    const { api } = await login()
    const body = { formCode, ...(await encryptionFields(api, drawSecret())) }
    expect(await api.call('sessions.openOnline', { body })).toBeOk()
  })
}

for (const [what, formCode] of [
  ['unknown', { systemCode: 'FX (9)', schemaVersion: '1-0E', value: 'FX' }],
  ['version', { ...formCodes.fa3, schemaVersion: '9-0E' }],
  ['value', { ...formCodes.fa3, value: 'PEF' }],
  ['label', 'FA (9)'],
  ['calendar', formCodes.fa2],
] as const) {
  test(...rule('sessions.online.bad-form-code-refused', what), async ({ login }) => {
    const { api } = await login()
    const body = { formCode, ...(await encryptionFields(api, drawSecret())) }
    expect(await api.call('sessions.openOnline', { body })).toBeRefused('form-code-refused')
  })
}

const lastOfFa2 = Date.parse('2026-01-31T23:30:00+01:00')
const firstOfFa3 = Date.parse('2026-02-01T00:30:00+01:00')

for (const [what, instant, formCode, taken] of [
  ['fa2 last day', lastOfFa2, formCodes.fa2, true],
  ['fa2 after', firstOfFa3, formCodes.fa2, false],
  ['fa3 before', lastOfFa2, formCodes.fa3, false],
  ['fa3 first day', firstOfFa3, formCodes.fa3, true],
] as const) {
  test(...rule('sessions.online.schema-calendar', what), async ({ login, clock }) => {
    await clock.set(instant)
    const { api } = await login()
    const body = { formCode, ...(await encryptionFields(api, drawSecret())) }
    const answer = await api.call('sessions.openOnline', { body })
    if (taken) expect(answer).toBeOk()
    else expect(answer).toBeRefused('form-code-refused')
  })
}

test(...rule('sessions.online.close', 'closes'), async ({ open, invoice }) => {
  const desk = await open()
  await accept(desk, invoice().bytes)
  const path = { referenceNumber: desk.session.referenceNumber }
  expect(await desk.api.call('sessions.closeOnline', { path })).toBeOk()
  expect(await settleSession(desk.api, desk.session)).toHaveSucceeded('onlineSession')
})

test(...rule('sessions.online.close', 'no invoice after'), async ({ open, invoice }) => {
  const desk = await open()
  await accept(desk, invoice().bytes)
  await closeOnline(desk.api, desk.session)
  const late = await fateOfInvoice(desk, invoice().bytes)
  expect(late).toBeRejected('session-state-forbids')
})

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

test(...rule('sessions.online.receipt-after-close'), async ({ open, invoice }) => {
  const desk = await open()
  await accept(desk, invoice().bytes)
  const settled = await finish(desk)
  expect(settled).toHaveSucceeded('onlineSession')
  const { upo } = settled.body as { upo?: { pages?: unknown[] } }
  expect(upo?.pages?.length, 'pages of the aggregate receipt').toBeGreaterThan(0)
  const [page] = receiptPages(settled)
  const answer = await desk.api.call('receipts.session', {
    path: {
      referenceNumber: desk.session.referenceNumber,
      upoReferenceNumber: page?.referenceNumber ?? '',
    },
  })
  expect(answer).toBeOk()
})

test(...rule('sessions.online.receipt-after-close', 'not before'), async ({ open, invoice }) => {
  const desk = await open()
  await accept(desk, invoice().bytes)
  const path = { referenceNumber: desk.session.referenceNumber }
  const look = await desk.api.call('sessions.status', { path })
  expect(reported(look).status.code, 'the state of an open session').toBe(100)
  const { upo } = fields(look) as { upo?: { pages?: unknown[] } | null }
  expect(upo?.pages ?? [], 'pages of a receipt').toEqual([])
})

test(...rule('sessions.online.isolated'), async ({ open, login, another, invoice }) => {
  const desk = await open()
  await accept(desk, invoice().bytes)
  const stranger = await login({ context: await another() })
  const path = { referenceNumber: desk.session.referenceNumber }
  for (const operation of [
    'sessions.status',
    'sessions.invoices',
    'sessions.failed',
    'sessions.closeOnline',
  ] as const)
    expect(await stranger.api.call(operation, { path }), operation).toBeRefused('session-unknown')
  const body = await submissionBody(stranger.api, desk.session, invoice().bytes)
  expect(await stranger.api.call('invoices.submit', { path, body })).toBeRefused('session-unknown')
  const list = await stranger.api.call('sessions.list', { query: { sessionType: 'Online' } })
  expect(list.text, 'the list of a stranger').not.toContain(desk.session.referenceNumber)
})

test(
  ...rule('sessions.online.isolated', 'through an own session'),
  async ({ open, login, another, invoice }) => {
    const desk = await open()
    const { referenceNumber, svcNumber } = await accept(
      desk,
      invoice({ buyer: '5265877635' }).bytes,
    )
    const stranger = await open({ me: await login({ context: await another() }) })
    const path = {
      referenceNumber: stranger.session.referenceNumber,
      invoiceReferenceNumber: referenceNumber,
      svcNumber,
    }
    const status = await stranger.api.call('invoices.inSession', { path })
    expect(status, 'the invoice of another').toBeRefused('invoice-unknown')
    for (const operation of ['receipts.invoice', 'receipts.invoiceBySvcNumber'] as const) {
      const answer = await stranger.api.call(operation, { path })
      expect(answer, `the receipt of another, ${operation}`).toBeClientError()
    }
  },
)

test(
  ...rule('sessions.online.close', 'a session of the other kind'),
  async ({ login, invoice }) => {
    const { api } = await login()
    const batch = await openBatch(api, await packed([invoice()]), { formCode: formCodes.fa3 })
    const path = { referenceNumber: batch.referenceNumber }
    expect(await api.call('sessions.closeOnline', { path })).toBeRefused('session-unknown')
  },
)

test(...rule('sessions.online.of-subject', 'InvoiceWrite'), async ({ open, limited, invoice }) => {
  const { session } = await open()
  const colleague = await limited(['InvoiceWrite'])
  const path = { referenceNumber: session.referenceNumber }
  for (const operation of ['sessions.status', 'sessions.invoices', 'sessions.closeOnline'] as const)
    expect(await colleague.api.call(operation, { path }), operation).toBeRefused('session-unknown')
  const body = await submissionBody(colleague.api, session, invoice().bytes)
  const sent = await colleague.api.call('invoices.submit', { path, body })
  expect(sent, 'sending into it').toBeRefused('session-unknown')
})

for (const permission of ['Introspection', 'EnforcementOperations'] as const)
  test(...rule('sessions.online.of-subject', permission), async ({ open, limited, invoice }) => {
    const desk = await open()
    const { svcNumber } = await accept(desk, invoice().bytes)
    const colleague = await limited([permission])
    const path = { referenceNumber: desk.session.referenceNumber }
    expect(await colleague.api.call('sessions.status', { path })).toBeOk()
    const list = await colleague.api.call('sessions.invoices', { path })
    expect(list).toBeOk()
    expect(list.text, 'the invoices of the session').toContain(svcNumber)
    const all = await colleague.api.call('sessions.list', { query: { sessionType: 'Online' } })
    expect(all.text, 'the list of sessions').toContain(desk.session.referenceNumber)
  })

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
    expect(await fateOfInvoice(desk, invoice().bytes)).toHaveSucceeded('invoice')
  for (const [desk, count] of [
    [first, 2],
    [second, 1],
  ] as const) {
    const settled = await finish(desk)
    expect(settled).toHaveSucceeded('onlineSession')
    expect(settled.body['successfulInvoiceCount'], 'accepted invoices of the session').toBe(count)
  }
})
