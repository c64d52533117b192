import { submissionBody } from '../../lib/flows/session.ts'
import { wireOperation } from '../../lib/wire.ts'
import { slowDown } from '../support/scenes/delayed.ts'
import { issuedAround } from '../support/steps/filters.ts'
import type { MadeInvoice } from '../support/documents/invoice-source.ts'
import { withInvalidAmount } from '../support/documents/malformed.ts'
import { rule } from '../support/checks/rule.ts'
import { sendAlone } from '../support/steps/packages.ts'
import { offered } from '../support/service/offered.ts'
import type { SearchOperation } from '../support/steps/searches.ts'
import { findAll, page } from '../support/steps/searches.ts'
import { correctionOf, accept, outcomeOfInvoice, outcomeOfSending } from '../support/steps/steps.ts'
import { outcomeOfSubmission, recordOf } from '../support/steps/steps.ts'
import type { Desk } from '../support/steps/steps.ts'
import { expect, test } from '../support/harness/test.ts'

/** Technical corrections of rejected offline invoices. */

/** Sends an offline invoice with an invalid total, so that it is rejected; returns what declares its correction. */
const rejected = async (desk: Desk, { bytes }: MadeInvoice) => {
  const text = withInvalidAmount(desk.api.codec.text(bytes))
  const broken = desk.api.codec.utf8(text)
  const outcome = await outcomeOfInvoice(desk, broken, { offlineMode: true })
  expect(outcome).toBeRejected('invoice-invalid')
  return correctionOf(desk.api, broken)
}

test(...rule('invoices.correction', 'once'), async ({ open, invoice, clock }) => {
  const desk = await open()
  const made = invoice()
  const correction = await rejected(desk, made)
  // A correction that is rejected itself corrects nothing.
  const broken = desk.api.codec.utf8('<Faktura/>')
  expect(await outcomeOfInvoice(desk, broken, correction)).toBeRejected('invoice-invalid')
  const outcome = await outcomeOfInvoice(desk, made.bytes, correction)
  expect(outcome).toHaveSucceeded('invoice')
  const svcNumber = String(recordOf(outcome)['svcNumber'])
  const { svcNumber: before } = await accept(desk, invoice().bytes)
  const other = invoice()
  const ofOther = await rejected(desk, other)
  const second = await outcomeOfInvoice(desk, other.bytes, ofOther)
  expect(second).toHaveSucceeded('invoice')
  const otherNumber = String(recordOf(second)['svcNumber'])
  const filters = issuedAround(clock.now())
  await findAll(desk.api, filters, [svcNumber, before, otherNumber])
  for (const operation of offered('queries.metadata', 'queries.general') as SearchOperation[]) {
    const { invoices } = await page(desk.api, filters, { sortOrder: 'Desc' }, operation)
    const corrected = new Map(
      invoices.map((row) => [row.svcNumber, row['hashOfCorrectedInvoice'] ?? null]),
    )
    expect(corrected.get(svcNumber), `the corrected invoice, in ${operation}`).toBe(
      correction.hashOfCorrectedInvoice,
    )
    expect(corrected.get(otherNumber), `another one, in ${operation}`).toBe(
      ofOther.hashOfCorrectedInvoice,
    )
    expect(corrected.get(before), `an invoice that corrects none, in ${operation}`).toBeNull()
  }
  const again = await outcomeOfInvoice(desk, invoice().bytes, correction)
  expect(again).toBeRejected('correction-unavailable')
  const ofCorrection = await correctionOf(desk.api, made.bytes)
  const next = await outcomeOfInvoice(desk, invoice().bytes, ofCorrection)
  expect(next, 'a correction of the accepted correction').toBeRejected('correction-forbidden')
})

test(
  ...rule('invoices.correction', 'once, of a rejected correction'),
  async ({ open, invoice }) => {
    const desk = await open()
    const made = invoice()
    const correction = await rejected(desk, made)
    const broken = desk.api.codec.utf8('<Faktura/>')
    expect(await outcomeOfInvoice(desk, broken, correction)).toBeRejected('invoice-invalid')
    // The rejected correction is a rejected offline invoice itself.
    const ofCorrection = await correctionOf(desk.api, broken)
    const outcome = await outcomeOfInvoice(desk, made.bytes, ofCorrection)
    expect(outcome).toHaveSucceeded('invoice')
  },
)

test(
  ...rule('invoices.correction', 'once, in whichever session'),
  async ({ open, login, limited, invoice }) => {
    const desk = await open()
    const made = invoice()
    const correction = await rejected(desk, made)
    const other = await open({ me: desk.me })
    expect(await outcomeOfInvoice(other, made.bytes, correction)).toHaveSucceeded('invoice')
    const later = await open({ me: await login({ context: desk.me.context }) })
    const colleague = await open({ me: await limited(['InvoiceWrite']) })
    for (const [where, session] of Object.entries({ desk, other, later, colleague }))
      expect(
        await outcomeOfInvoice(session, invoice().bytes, correction),
        `corrected again, ${where}`,
      ).toBeRejected('correction-unavailable')
  },
)

test(...rule('invoices.correction', 'once, of two at once'), async ({ open, invoice, target }) => {
  const desk = await open()
  const correction = await rejected(desk, invoice())
  // The second one finds the first in processing.
  await slowDown(target, 'invoice')
  const both = [invoice(), invoice()].map(({ bytes }) => outcomeOfInvoice(desk, bytes, correction))
  const accepted = (await Promise.all(both)).filter(
    (outcome) => 'succeeded' in outcome && outcome.succeeded,
  )
  expect(accepted.length, 'accepted corrections of one invoice').toBe(1)
})

test(
  ...rule('invoices.correction', 'of an accepted invoice, sent in another way'),
  async ({ open, invoice }) => {
    const desk = await open()
    const { api, me } = desk
    const ways = {
      'another session': async (bytes: Uint8Array) => accept(await open({ me }), bytes),
      'a package': (bytes: Uint8Array) => sendAlone(api, bytes),
      ...(offered('invoices.send').length > 0 && {
        'no session': (bytes: Uint8Array) => outcomeOfSending(api, bytes),
      }),
    }
    for (const [way, send] of Object.entries(ways)) {
      const { bytes } = invoice()
      await send(bytes)
      const correction = await correctionOf(desk.api, bytes)
      const outcome = await outcomeOfInvoice(desk, invoice().bytes, correction)
      expect(outcome, `accepted by ${way}`).toBeRejected('correction-forbidden')
    }
  },
)

test(...rule('invoices.correction', 'of an accepted invoice'), async ({ open, invoice }) => {
  const desk = await open()
  const { api, session } = desk
  const otherPaths = [...wireOperation('invoices.submit', api.dialect).aliases.keys()]
  for (const offlineMode of [false, true]) {
    const { bytes } = invoice()
    await accept(desk, bytes, { offlineMode })
    const correction = await correctionOf(desk.api, bytes)
    for (const more of [{}, ...otherPaths.map((alias) => ({ alias }))]) {
      const body = {
        ...(await submissionBody(api, session, invoice().bytes)),
        ...correction,
      }
      expect(
        await outcomeOfSubmission(desk, body, more),
        `accepted ${offlineMode ? 'offline' : 'online'}`,
      ).toBeRejected('correction-forbidden')
    }
  }
})
