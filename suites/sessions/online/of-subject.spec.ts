import { submissionBody, submit } from '../../../lib/flows/session.ts'
import { rule } from '../../support/checks/rule.ts'
import { accept } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

test(...rule('sessions.online.of-subject', 'InvoiceWrite'), async ({ open, limited, invoice }) => {
  const { session } = await open()
  const colleague = await limited(['InvoiceWrite'])
  const path = { referenceNumber: session.referenceNumber }
  for (const operation of ['sessions.status', 'sessions.invoices', 'sessions.closeOnline'] as const)
    expect(await colleague.api.call(operation, { path }), operation).toBeRefused('session-unknown')
  const body = await submissionBody(colleague.api, session, invoice().bytes)
  const sent = await colleague.api.call('invoices.submit', { path, body })
  expect(sent, 'a submission to the session').toBeRefused('session-unknown')
  const query = { sessionType: 'Online', pageSize: 100 }
  const list = await colleague.api.call('sessions.list', { query })
  expect(list).toBeOk()
  expect(list.text, 'the list of sessions').not.toContain(session.referenceNumber)
})

test(...rule('sessions.online.of-subject', 'its opener'), async ({ open, limited, invoice }) => {
  const { api, session } = await open({ me: await limited(['InvoiceWrite']) })
  const { referenceNumber } = session
  const { referenceNumber: invoiceReferenceNumber } = await submit(api, session, invoice().bytes)
  const path = { referenceNumber, invoiceReferenceNumber }
  expect(await api.call('invoices.inSession', { path }), 'an invoice of its own').toBeOk()
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
