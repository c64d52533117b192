import { submissionBody } from '../../../lib/flows/session.ts'
import { expectObject } from '../../../lib/outcome.ts'
import { rule } from '../../support/checks/rule.ts'
import { accept } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

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
  expect(list.text, 'the list of another context').not.toContain(desk.session.referenceNumber)
})

test(
  ...rule('sessions.online.isolated', 'searched by its number'),
  async ({ open, login, another }) => {
    const { session, me } = await open()
    const stranger = await login({ context: await another() })
    const query = { sessionType: 'Online', referenceNumber: session.referenceNumber }
    const numbers = async ({ api }: Pick<typeof me, 'api'>) => {
      const { sessions } = expectObject(await api.call('sessions.list', { query }), 'search')
      return (sessions as readonly (typeof session)[]).map(({ referenceNumber }) => referenceNumber)
    }
    expect(await numbers(me), 'found by its owner').toEqual([session.referenceNumber])
    expect(await numbers(stranger), 'found by another context').toEqual([])
  },
)

test(
  ...rule('sessions.online.isolated', 'through its own session'),
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
    expect(status, 'the invoice of another context').toBeRefused('invoice-unknown')
    for (const operation of ['receipts.invoice', 'receipts.invoiceBySvcNumber'] as const) {
      const answer = await stranger.api.call(operation, { path })
      expect(answer, `the receipt of another, ${operation}`).toBeClientError()
    }
  },
)
