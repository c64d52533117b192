import { limits } from '../../../contract/limits.ts'
import type { Client } from '../../../lib/client.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import { fetchReceipt, receiptPages } from '../../../lib/flows/receipt.ts'
import { settleInvoice, submissionBody } from '../../../lib/flows/session.ts'
import type { Settled } from '../../../lib/flows/settle.ts'
import { serviceNumbersIn } from '../../../lib/node/receipt.ts'
import { expectText } from '../../../lib/outcome.ts'
import { atOnce } from '../../support/steps/at-once.ts'
import { hold } from '../../support/scenes/delayed.ts'
import { manyInvoices } from '../../support/documents/invoice-source.ts'
import { spoilt } from '../../support/documents/malformed.ts'
import { wentWell } from '../../support/judging/matchers.ts'
import { listInvoices } from '../../support/steps/packages.ts'
import { rule } from '../../support/checks/rule.ts'
import { countsOf } from '../../support/answers/session-counts.ts'
import { lowerTo } from '../../support/steps/session-limits.ts'
import {
  correctionOf,
  accept,
  finish,
  outcomeOfInvoice,
  outcomeOfSubmission,
} from '../../support/steps/steps.ts'
import type { Desk } from '../../support/steps/steps.ts'
import { withoutRates } from '../../support/service/target.ts'
import type { Target } from '../../support/service/target.ts'
import { expect, test } from '../../support/harness/test.ts'

const allowed = limits['session.invoices'].value

const senders = 24

/** Sends documents concurrently; returns their reference numbers. */
const fill = async (
  { api, session }: Desk,
  documents: readonly { readonly bytes: Uint8Array }[],
): Promise<string[]> => {
  const references: string[] = []
  const path = { referenceNumber: session.referenceNumber }
  const queue = documents.values()
  const sender = async () => {
    // The senders share one iterator: each takes what is next.
    for (const { bytes } of queue) {
      const body = await submissionBody(api, session, bytes)
      const answer = await api.call('invoices.submit', { path, body, pace: false })
      if (answer.status >= 300)
        expect(answer, `after ${references.length} of ${documents.length} invoices`).toBeOk()
      references.push(expectText(answer, 'fill a session', 'referenceNumber'))
    }
  }
  await Promise.all(Array.from({ length: senders }, sender))
  return references
}

/** The service numbers on the aggregate receipt of a session, over all of its pages. */
const numbersOnReceipt = async (api: Client, session: string, settled: Settled) => {
  const numbers: string[] = []
  for (const { referenceNumber: upoReferenceNumber } of receiptPages(settled)) {
    const asked = { sessionReferenceNumber: session, upoReferenceNumber }
    numbers.push(...serviceNumbersIn((await fetchReceipt(api, asked)).text))
  }
  return numbers
}

test(...rule('sessions.online.ten-thousand'), async ({ open, invoice, target, ledger }) => {
  test.setTimeout(300_000)
  await withoutRates(target)
  const desk = await open()
  const { api, session } = desk
  const { referenceNumber } = session
  // Thousands of calls, and a receipt of megabytes.
  ledger.quiet = true
  const sent = await fill(desk, manyInvoices(invoice, allowed))
  ledger.quiet = false
  const next = await submissionBody(api, session, invoice().bytes)
  const beyond = await outcomeOfSubmission(desk, next, { pace: false })
  expect(beyond, 'one invoice more').toBeRejected('session-full')
  const settled = await finish(desk)
  expect(settled, 'the full session').toHaveSucceeded('onlineSession')
  ledger.quiet = true
  const rows = await listInvoices(api, referenceNumber)
  const known = new Set(sent)
  const listed = rows.filter((row) => known.has(row.referenceNumber))
  expect(listed.length, 'the accepted submissions in the list').toBe(allowed)
  expect(new Set(listed.map((row) => row.referenceNumber)).size, 'each once').toBe(allowed)
  expect(listed.filter((row) => !wentWell(row)).slice(0, 5), 'those not accepted').toEqual([])
  if (target.confirms('session-status')) {
    // If the surplus invoice was received and then rejected, it counts.
    const rejected = Number('exchanges' in beyond)
    const counts = [allowed + rejected, allowed, rejected]
    const expected = { status: counts, list: counts }
    expect(await countsOf(api, referenceNumber, 'Online'), 'the counts').toEqual(expected)
  }
  const numbers = listed.flatMap(({ svcNumber }) => svcNumber ?? [])
  if (target.confirms('invoice-status'))
    expect(new Set(numbers).size, 'service numbers that differ').toBe(allowed)
  if (target.confirms('receipt-paths')) {
    const onReceipt = await numbersOnReceipt(api, referenceNumber, settled)
    expect(onReceipt.length, 'invoices on the receipt').toBe(allowed)
    const distinct = new Set(onReceipt)
    expect(distinct.size, 'each of them once').toBe(allowed)
    const missing = numbers.filter((number) => !distinct.has(number))
    expect(missing.slice(0, 5), 'accepted ones that it lacks').toEqual([])
  }
})

/** Closes a full session, and expects it to end well with the invoices that it has taken, and no others. */
const expectFullEnd = async (
  desk: Desk,
  target: Pick<Target, 'confirms'>,
  taken: { readonly accepted: number; readonly rejected: number },
): Promise<void> => {
  const { referenceNumber } = desk.session
  const { accepted, rejected } = taken
  const all = [accepted + rejected, accepted, rejected]
  const expectCounts = async (when: string): Promise<void> => {
    if (!target.confirms('session-status')) return
    const counts = await countsOf(desk.api, referenceNumber, 'Online')
    expect(counts, `the counts, ${when}`).toEqual({ status: all, list: all })
  }
  await expectCounts('before the close')
  expect(await finish(desk), 'the full session').toHaveSucceeded('onlineSession')
  await expectCounts('after the close')
  const rows = await listInvoices(desk.api, referenceNumber)
  expect(rows.length, 'invoices of the session').toBe(accepted + rejected)
}

test(
  ...rule('sessions.online.ten-thousand', 'lower limit'),
  async ({ open, login, invoice, target, clock }) => {
    const me = await login()
    const { context } = me
    const most = 2
    await lowerTo(me.api, most)
    const desk = await open({ me })
    const { api, session } = desk
    const path = { referenceNumber: session.referenceNumber }
    const submission = () => submissionBody(api, session, invoice().bytes)
    const right = await submission()
    const wrong = { ...right, encryptedInvoiceSize: right.encryptedInvoiceSize + 16 }
    const first = await api.call('invoices.submit', { path, body: wrong })
    // What is refused at once takes no place; what is rejected later takes one.
    const room = wentWell(first) ? most - 1 : most
    const release = await hold({ target, clock }, 'invoice')
    const sent: string[] = []
    for (let place = 0; place < room; place += 1) {
      const answer = await api.call('invoices.submit', { path, body: await submission() })
      expect(answer, `invoice ${place + 1} of ${room}`).toBeOk()
      sent.push(expectText(answer, 'submit an invoice', 'referenceNumber'))
    }
    const beyond: Exchange[] = []
    for (const declaration of [{}, { offlineMode: true }, {}]) {
      const body = { ...(await submission()), ...declaration }
      beyond.push(await api.call('invoices.submit', { path, body }))
    }
    await release()
    const later = (await login({ context })).api
    for (const [place, reference] of sent.entries()) {
      const settled = await settleInvoice(later, session, reference)
      expect(settled, `invoice ${place + 1} of ${room}`).toHaveSucceeded('invoice')
    }
    for (const answer of beyond) {
      const outcome = wentWell(answer)
        ? await settleInvoice(later, session, expectText(answer, 'submit', 'referenceNumber'))
        : answer
      expect(outcome, 'one invoice more').toBeRejected('session-full')
    }
    const rejected = [first, ...beyond].filter(wentWell).length
    await expectFullEnd({ api: later, session }, target, { accepted: room, rejected })
  },
)

test(
  ...rule('sessions.online.ten-thousand', 'lower limit, rejected ones'),
  async ({ open, login, invoice, target }) => {
    const me = await login()
    const most = 4
    await lowerTo(me.api, most)
    const desk = await open({ me })
    const { bytes } = invoice()
    await accept(desk, bytes)
    const wrong = [
      await outcomeOfInvoice(desk, spoilt, { offlineMode: true }),
      await outcomeOfInvoice(desk, bytes),
    ]
    for (const outcome of wrong) expect(outcome, 'a wrong one').not.toHaveSucceeded('invoice')
    // An invoice of the session that was rejected is one of its invoices.
    const rejected = wrong.filter((outcome) => 'exchanges' in outcome).length
    const accepted = most - rejected
    for (let place = 1; place < accepted; place += 1) await accept(desk, invoice().bytes)
    let late = 0
    for (const [what, declared] of [
      ['one invoice more', {}],
      ['a technical correction of the rejected one', await correctionOf(desk.api, spoilt)],
    ] as const) {
      const beyond = await outcomeOfInvoice(desk, invoice().bytes, declared)
      expect(beyond, what).toBeRejected('session-full')
      late += Number('exchanges' in beyond)
    }
    await expectFullEnd(desk, target, { accepted, rejected: rejected + late })
  },
)

test(
  ...rule('sessions.online.ten-thousand', 'lower limit, of each session'),
  async ({ open, login, invoice }) => {
    const me = await login()
    const most = 3
    await lowerTo(me.api, most)
    const desks = [await open({ me }), await open({ me }), await open({ me: await login() })]
    // In turn, so that together they exceed what one may have long before one of them is full.
    for (let place = 1; place <= most; place += 1)
      for (const [session, desk] of desks.entries())
        expect(
          await outcomeOfInvoice(desk, invoice().bytes),
          `invoice ${place} of ${most} in session ${session + 1}`,
        ).toHaveSucceeded('invoice')
    for (const [session, desk] of desks.entries())
      expect(
        await outcomeOfInvoice(desk, invoice().bytes),
        `one more in session ${session + 1}`,
      ).toBeRejected('session-full')
  },
)

test(
  ...rule('sessions.online.ten-thousand', 'lower limit, at the same moment'),
  async ({ open, login, invoice, target, rng }) => {
    const me = await login()
    await lowerTo(me.api, 2)
    const desk = await open({ me })
    await accept(desk, invoice().bytes)
    // There is room for one more.
    const documents = Array.from({ length: 4 }, () => invoice().bytes)
    const outcomes = await atOnce(
      rng,
      documents.map((bytes) => () => outcomeOfInvoice(desk, bytes)),
    )
    const losers = outcomes.filter((outcome) => !wentWell(outcome))
    expect(outcomes.length - losers.length, 'invoices that are accepted at the limit').toBe(1)
    for (const loser of losers) expect(loser, 'the others').toBeRejected('session-full')
    const rejected = losers.filter((loser) => 'exchanges' in loser).length
    await expectFullEnd(desk, target, { accepted: 2, rejected })
  },
)
