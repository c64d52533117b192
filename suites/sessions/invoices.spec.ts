import { limits } from '../../contract/limits.ts'
import { drawSecret, settleInvoice, submit } from '../../lib/flows/session.ts'
import { drawNip } from '../../lib/identifiers/nip.ts'
import { isoDay } from '../../lib/local-time.ts'
import { spoilt } from '../support/documents/malformed.ts'
import { wentWell } from '../support/judging/matchers.ts'
import {
  hundreds,
  listInvoices,
  manyDocuments,
  packed,
  sendBatch,
  sendHundreds,
} from '../support/steps/packages.ts'
import { rule } from '../support/checks/rule.ts'
import { outcomeOfInvoice, recordOf, reported } from '../support/steps/steps.ts'
import type { Desk } from '../support/steps/steps.ts'
import { withoutRates } from '../support/service/target.ts'
import { expect, test } from '../support/harness/test.ts'

const allowed = limits['session.invoices'].value

test(...rule('sessions.invoices.complete', 'ten thousand'), async ({ login, invoice, target }) => {
  test.setTimeout(300_000)
  await withoutRates(target)
  const { api } = await login()
  const { referenceNumber } = await sendBatch(api, await packed(manyDocuments(allowed, invoice)))
  const rows = await listInvoices(api, referenceNumber, 'sessions.invoices', 900)
  expect(rows.length, 'rows over all pages').toBe(allowed)
  expect(new Set(rows.map((row) => row.referenceNumber)).size, 'each invoice once').toBe(allowed)
})

test(...rule('sessions.invoices.complete', 'few'), async ({ open, invoice }) => {
  const desk = await open()
  const sent: string[] = []
  for (let count = 0; count < 23; count += 1)
    sent.push((await submit(desk.api, desk.session, invoice().bytes)).referenceNumber)
  for (const one of sent) await settleInvoice(desk.api, desk.session, one)
  const listed = await listInvoices(desk.api, desk.session.referenceNumber, 'sessions.invoices', 10)
  expect(
    listed.map(({ referenceNumber }) => referenceNumber).toSorted(),
    'invoices of the session, each once, over pages',
  ).toEqual(sent.toSorted())
  for (const row of listed) expect(row).toHaveSucceeded('invoice')
})

test(
  ...rule('sessions.invoices.complete', 'of every outcome'),
  async ({ open, invoice, rng, target }) => {
    const desk = await open()
    const { api, session } = desk
    const first = invoice()
    const { value: largest } = limits['invoice.bytes']
    const wrongKey = { api, session: { ...session, ...drawSecret() } }
    const future = isoDay(target.now() + 40 * 24 * 3_600_000)
    const sent: readonly (readonly [what: string, desk: Desk, bytes: Uint8Array])[] = [
      ['accepted', desk, first.bytes],
      ['a duplicate', desk, first.bytes],
      ['not decrypted', wrongKey, invoice().bytes],
      ['not a document', desk, spoilt],
      ['of a foreign seller', desk, invoice({ seller: drawNip(rng) }).bytes],
      ['too large', desk, invoice({ bytes: largest + 1 }).bytes],
      ['of a later day', desk, invoice({ issueDate: future }).bytes],
      ['accepted after them', desk, invoice().bytes],
    ]
    const received = new Map<unknown, string>()
    for (const [what, by, bytes] of sent) {
      const outcome = await outcomeOfInvoice(by, bytes)
      // What is refused at once is not of the session.
      if (!('request' in outcome)) received.set(recordOf(outcome)['referenceNumber'], what)
    }
    const rows = await listInvoices(api, session.referenceNumber)
    expect(
      rows
        .map(({ referenceNumber }) => received.get(referenceNumber) ?? referenceNumber)
        .toSorted(),
      'what is listed of what was received',
    ).toEqual([...received.values()].toSorted())
    for (const row of rows) {
      const path = {
        referenceNumber: session.referenceNumber,
        invoiceReferenceNumber: row.referenceNumber,
      }
      const { status } = reported(await api.call('invoices.inSession', { path }))
      expect(row.status.code, `the code of one ${received.get(row.referenceNumber)}`).toBe(
        status.code,
      )
    }
  },
)

test(...rule('sessions.invoices.complete', 'hundreds'), async ({ login, invoice, target }) => {
  await withoutRates(target)
  const { api } = await login()
  const { referenceNumber } = await sendHundreds(api, invoice)
  const rows = await listInvoices(api, referenceNumber, 'sessions.invoices', 100)
  expect(rows.length, 'rows over all pages').toBe(2 * hundreds)
  expect(new Set(rows.map((row) => row.referenceNumber)).size, 'each once').toBe(2 * hundreds)
  const accepted = rows.filter(wentWell)
  expect(accepted.length, 'accepted ones').toBe(hundreds)
  const numbers = accepted.flatMap(({ svcNumber }) => svcNumber ?? [])
  expect(new Set(numbers).size, 'their service numbers, all different').toBe(hundreds)
})
