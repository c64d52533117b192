import { callReceiptLink } from '../../../lib/flows/receipt.ts'
import { createExport } from '../../../lib/flows/export.ts'
import { openOnline } from '../../../lib/flows/session.ts'
import { drawNip } from '../../../lib/identifiers/nip.ts'
import { isoDay } from '../../../lib/local-time.ts'
import { readReceipt } from '../../../lib/node/receipt.ts'
import { fetchFiles } from '../../support/steps/export-parts.ts'
import { issuedAround } from '../../support/steps/filters.ts'
import { formCodes } from '../../support/checks/forms.ts'
import { authorizeSelfInvoicing } from '../../support/callers/grants.ts'
import { offered } from '../../support/service/offered.ts'
import { withInvalidAmount } from '../../support/documents/malformed.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { findAll, lookFor, numbersOf, page } from '../../support/steps/searches.ts'
import {
  correctionOf,
  accept,
  fields,
  outcomeOfInvoice,
  recordOf,
  retrieve,
} from '../../support/steps/steps.ts'
import type { Desk } from '../../support/steps/steps.ts'
import { describedPlainly, documentOf } from '../../support/documents/stock-document.ts'
import { expect, test } from '../../support/harness/test.ts'

/** An invoice that another entity sends in the name of its seller. */
const sentForSeller = async ({
  login,
  another,
  rng,
  target,
}: Pick<Parameters<Parameters<typeof test>[2]>[0], 'login' | 'another' | 'rng' | 'target'>) => {
  const seller = await login()
  const agent = await login({ context: await another() })
  await authorizeSelfInvoicing(seller.api, agent.context.nip)
  const parties = { third: drawNip(rng), authorized: drawNip(rng) }
  /** Another invoice of the seller each time. */
  const document = () => {
    const made = describedPlainly({
      seller: seller.context.nip,
      number: `S-${rng.digits(9)}`,
      issueDate: isoDay(target.now()),
    })
    return documentOf({ ...made, isSelfInvoicing: true }, parties)
  }
  const session = await openOnline(agent.api, { formCode: formCodes.fa3 })
  const desk: Desk = { api: agent.api, session }
  const bytes = document()
  return { seller, agent, desk, document, bytes, accepted: await accept(desk, bytes) }
}

test(
  ...familyRule('queries.metadata.subject-type', 'invoice sent for its seller'),
  async ({ login, another, rng, target }) => {
    const scene = await sentForSeller({ login, another, rng, target })
    const { seller, agent } = scene
    const { svcNumber } = scene.accepted
    const filters = issuedAround(target.now())
    const sold = numbersOf([await lookFor(seller.api, filters, [svcNumber])])
    expect(sold, 'what the seller finds').toEqual([svcNumber])
    expect(numbersOf([await page(agent.api, filters)]), 'what the sender finds').toEqual([])
  },
)

test(
  ...familyRule('invoices.get.parties-only', 'invoice sent for its seller'),
  async ({ login, another, rng, target }) => {
    const { seller, agent, accepted } = await sentForSeller({ login, another, rng, target })
    const path = { svcNumber: accepted.svcNumber, invoiceId: accepted.referenceNumber }
    for (const { api } of [seller, agent]) {
      const who = api === seller.api ? 'the seller' : 'the sender'
      expect(await retrieve(api, 'invoices.bySvcNumber', path), `read by ${who}`).toBeOk()
      for (const operation of offered('invoices.statusBySvcNumber', 'invoices.status'))
        expect(await api.call(operation, { path }), `${operation} by ${who}`).toBeOk()
    }
  },
)

test(
  ...familyRule('invoices.number.unique', 'invoice sent for its seller'),
  async ({ login, another, rng, target }) => {
    const { seller, accepted } = await sentForSeller({ login, another, rng, target })
    expect(accepted.svcNumber.slice(0, 10), 'the NIP in its number').toBe(seller.context.nip)
  },
)

test(
  ...familyRule('receipts.link.parties-only', 'invoice sent for its seller'),
  async ({ login, another, rng, target }) => {
    const { seller, agent, accepted } = await sentForSeller({ login, another, rng, target })
    for (const me of [seller, agent]) {
      const answer = await callReceiptLink(me.api, accepted.receiptUrl ?? '')
      expect(answer, me === seller ? 'the seller' : 'the sender').toBeOk()
    }
  },
)

test(
  ...familyRule('receipts.session.verifies', 'invoice sent for its seller'),
  async ({ login, another, rng, target }) => {
    const { seller, agent, accepted } = await sentForSeller({ login, another, rng, target })
    const answer = await callReceiptLink(agent.api, accepted.receiptUrl ?? '')
    expect(answer, 'the receipt').toBeOk()
    const { context, documents } = readReceipt(answer.bytes)
    expect(context, 'the context that sent it').toEqual({ kind: 'Nip', value: agent.context.nip })
    expect(
      documents.map(({ sellerNip }) => sellerNip),
      'the seller',
    ).toEqual([seller.context.nip])
  },
)

test(
  ...familyRule('invoices.correction', 'invoice sent for its seller', 'rejected, accepted'),
  async ({ login, another, rng, target }) => {
    const scene = await sentForSeller({ login, another, rng, target })
    const { desk, document } = scene
    const { codec } = desk.api
    const correct = async (corrected: Uint8Array) =>
      outcomeOfInvoice(desk, document(), await correctionOf(desk.api, corrected))
    const broken = codec.utf8(withInvalidAmount(codec.text(document())))
    const outcome = await outcomeOfInvoice(desk, broken, { offlineMode: true })
    expect(outcome).toBeRejected('invoice-invalid')
    expect(await correct(broken), 'a rejected one, corrected').toHaveSucceeded('invoice')
    expect(await correct(broken), 'corrected again').toBeRejected('correction-unavailable')
    expect(await correct(scene.bytes), 'an accepted one').toBeRejected('correction-forbidden')
  },
)

test(
  ...familyRule('invoices.mode', 'invoice sent for its seller', 'declared offline'),
  async ({ login, another, rng, target }) => {
    const scene = await sentForSeller({ login, another, rng, target })
    const { seller, desk, document } = scene
    const outcome = await outcomeOfInvoice(desk, document(), { offlineMode: true })
    expect(outcome).toHaveSucceeded('invoice')
    const { svcNumber, invoicingMode } = recordOf(outcome)
    expect(invoicingMode, 'the mode in the status').toBe('Offline')
    const filters = issuedAround(target.now())
    await findAll(seller.api, filters, [String(svcNumber)])
    const { invoices } = await page(seller.api, filters)
    const found = invoices.find((row) => row.svcNumber === svcNumber)
    expect(found?.['invoicingMode'], 'the mode that the seller finds').toBe('Offline')
  },
)

test(
  ...familyRule('receipts.link.in-status', 'invoice sent for its seller'),
  async ({ login, another, rng, target }) => {
    const { seller, agent, accepted } = await sentForSeller({ login, another, rng, target })
    expect(accepted.receiptUrl, 'the link in the status in its session').toMatch(/^https?:/)
    const path = { svcNumber: accepted.svcNumber, invoiceId: accepted.referenceNumber }
    for (const { api } of [seller, agent])
      for (const operation of offered('invoices.statusBySvcNumber', 'invoices.status')) {
        const who = api === seller.api ? 'the seller' : 'the sender'
        const { upoDownloadUrl } = fields(await api.call(operation, { path }))
        expect(upoDownloadUrl, `${operation} by ${who}`).toMatch(/^https?:/)
      }
  },
)

test(
  ...familyRule('exports.package.content', 'invoice sent for its seller'),
  async ({ login, another, rng, target }) => {
    const { seller, bytes, accepted } = await sentForSeller({ login, another, rng, target })
    const filters = issuedAround(target.now())
    await findAll(seller.api, filters, [accepted.svcNumber])
    const files = await fetchFiles(seller.api, await createExport(seller.api, { filters }))
    const file = files[`${accepted.svcNumber}.xml`] ?? new Uint8Array()
    expect(Buffer.from(file).equals(bytes), 'the document in the export of its seller').toBe(true)
  },
)
