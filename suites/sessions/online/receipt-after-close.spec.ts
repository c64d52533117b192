import { receiptPages } from '../../../lib/flows/receipt.ts'
import type { Settled } from '../../../lib/flows/settle.ts'
import { receivedNumbers } from '../../support/steps/received.ts'
import { rule } from '../../support/checks/rule.ts'
import { accept, fields, finish, reported } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

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

test(
  ...rule('sessions.online.receipt-after-close', 'of each session'),
  async ({ open, invoice }) => {
    const { me } = await open()
    const desks = [await open({ me }), await open({ me }), await open({ me })]
    const sent: string[] = []
    for (const desk of desks) sent.push((await accept(desk, invoice().bytes)).svcNumber)
    // The first that is opened is neither the first nor the last to be closed.
    const ended = new Map<number, Settled>()
    for (const place of [1, 0, 2]) ended.set(place, await finish(desks[place]!))
    for (const [place, settled] of ended) {
      const which = `session ${place + 1} of ${desks.length}`
      expect(settled, which).toHaveSucceeded('onlineSession')
      for (const { referenceNumber: upoReferenceNumber } of receiptPages(settled)) {
        const path = { referenceNumber: desks[place]!.session.referenceNumber, upoReferenceNumber }
        expect(await me.api.call('receipts.session', { path }), which).toBeOk()
      }
      expect(await receivedNumbers(me.api, settled), `the receipt of ${which}`).toEqual([
        sent[place],
      ])
    }
  },
)
