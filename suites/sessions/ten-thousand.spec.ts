import { limits } from '../../contract/limits.ts'
import { minimalInvoice } from '../../generators/invoice/invoice.ts'
import { submissionBody } from '../../lib/flows/session.ts'
import type { Submission } from '../../lib/flows/session.ts'
import { Inconclusive } from '../../lib/outcome.ts'
import { listInvoices, packed, sendBatch } from '../packages.ts'
import { rule } from '../rule.ts'
import { fateOfInvoice } from '../steps.ts'
import type { Desk } from '../steps.ts'
import type { Target } from '../target.ts'
import { expect, test } from '../test.ts'

const allowed = limits['session.invoices'].value
const atOnce = 24

/** Takes the rate limits out of the way where that is ours to do; elsewhere the target says that they are wide. */
const withoutRates = async ({ management, embedded }: Target): Promise<void> => {
  if (embedded) await management?.setLimits('off')
}

/** Sends one body as often as asked, many at a time. Not valid, but counted all the same, and quick. */
const fill = async ({ api, session }: Desk, body: Submission, times: number): Promise<void> => {
  let left = times
  const sender = async () => {
    while (left > 0) {
      left -= 1
      const path = { referenceNumber: session.referenceNumber }
      const answer = await api.call('invoices.submit', { path, body, pace: false })
      if (answer.status > 299)
        throw new Inconclusive('fill a session', `${times} submissions that are taken in`, answer)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, sender))
}

test(...rule('sessions.online.ten-thousand'), async ({ open, invoice, target, ledger }) => {
  test.setTimeout(300_000)
  await withoutRates(target)
  const desk = await open()
  const body = await submissionBody(desk.api, desk.session, desk.api.codec.utf8('<a/>'))
  ledger.quiet = true
  await fill(desk, body, allowed - 1)
  ledger.quiet = false
  expect(await fateOfInvoice(desk, invoice().bytes), 'the last that fits').toHaveSucceeded(
    'invoice',
  )
  expect(await fateOfInvoice(desk, invoice().bytes)).toBeRejected('session-full')
})

const smallest = (seller: string, place: number, issueDate: string): Uint8Array =>
  minimalInvoice({ seller, number: `B/${place}`, issueDate })

for (const [what, count] of [
  ['at the limit', allowed],
  ['above', allowed + 1],
] as const) {
  test(...rule('sessions.batch.ten-thousand', what), async ({ open, invoice, own, target }) => {
    test.setTimeout(300_000)
    await withoutRates(target)
    const desk = await open()
    const { issueDate } = invoice()
    const documents = Array.from({ length: count }, (_, place) => ({
      bytes: smallest(own.nip, place, issueDate),
    }))
    const { settled, referenceNumber } = await sendBatch(desk.api, await packed(documents))
    if (count > allowed) {
      expect(settled).toBeRejected('session-full')
      return
    }
    expect(settled).toHaveSucceeded('batchSession')
    expect(settled.body['successfulInvoiceCount'], 'accepted invoices').toBe(count)
    const rows = await listInvoices(desk.api, referenceNumber)
    expect(new Set(rows.map((row) => row.referenceNumber)).size, 'listed, each once').toBe(count)
  })
}

test(
  ...rule('sessions.invoices.complete', 'ten thousand'),
  async ({ open, own, target, invoice }) => {
    test.skip(!target.has('bulk'), 'the target does not offer: bulk')
    test.setTimeout(300_000)
    await withoutRates(target)
    const desk = await open()
    const { issueDate } = invoice()
    const documents = Array.from({ length: allowed }, (_, place) => ({
      bytes: smallest(own.nip, place, issueDate),
    }))
    const { referenceNumber } = await sendBatch(desk.api, await packed(documents))
    const rows = await listInvoices(desk.api, referenceNumber, 'sessions.invoices', 900)
    expect(rows.length, 'rows over all pages').toBe(allowed)
    expect(new Set(rows.map((row) => row.invoiceNumber)).size, 'each invoice once').toBe(allowed)
  },
)
