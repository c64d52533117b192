import { receiptPages } from '../../../lib/flows/receipt.ts'
import { rule } from '../../support/rule.ts'
import { accept, fields, finish, reported } from '../../support/steps.ts'
import { expect, test } from '../../support/test.ts'

test(...rule('sessions.online.receipt-after-close'), async ({ open, invoice }) => {
  const desk = await open()
  await accept(desk, invoice().bytes)
  const settled = await finish(desk)
  expect(settled).toHaveSucceeded('onlineSession')
  const { upo } = settled.body as { upo?: { pages?: unknown[] } }
  expect(upo?.pages?.length, 'pages of the aggregate receipt').toBeGreaterThan(0)
  const pages = receiptPages(settled)
  const references = new Set(pages.map(({ referenceNumber }) => referenceNumber))
  expect(references.size, 'pages that differ').toBe(pages.length)
  const [page] = pages
  const answer = await desk.api.call('receipts.session', {
    path: {
      referenceNumber: desk.session.referenceNumber,
      upoReferenceNumber: page?.referenceNumber ?? '',
    },
  })
  expect(answer).toBeOk()
})

test(...rule('sessions.online.receipt-after-close', 'open session'), async ({ open, invoice }) => {
  const desk = await open()
  await accept(desk, invoice().bytes)
  const path = { referenceNumber: desk.session.referenceNumber }
  const look = await desk.api.call('sessions.status', { path })
  expect(reported(look), 'an open session').toBeInState('onlineSession', 100)
  const { upo } = fields(look) as { upo?: { pages?: unknown[] } | null }
  expect(upo?.pages ?? [], 'pages of a receipt').toEqual([])
})
