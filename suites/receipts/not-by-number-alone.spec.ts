import type { Client } from '../../lib/client.ts'
import { createExport } from '../../lib/flows/export.ts'
import { callReceipt } from '../../lib/flows/receipt.ts'
import { closeOnline, settleSession } from '../../lib/flows/session.ts'
import { issuedAround } from '../support/steps/filters.ts'
import { listInvoices, only, packed, sendBatch } from '../support/steps/packages.ts'
import { withThirdParty } from '../support/documents/parties.ts'
import { rule } from '../support/checks/rule.ts'
import { accept } from '../support/steps/steps.ts'
import { expect, test } from '../support/harness/test.ts'

/** Addresses at which a receipt could be expected by a text alone. */
const addressesOf = (text: string): readonly string[] => [
  `/invoices/svc/${text}/upo`,
  `/upo/${text}`,
  `/receipts/${text}`,
]

test(...rule('receipts.not-by-number-alone'), async ({ open, invoice, api }) => {
  const desk = await open()
  const { svcNumber } = await accept(desk, invoice().bytes)
  for (const path of addressesOf(svcNumber)) {
    const bearer = desk.me.accessToken
    expect(await api.request('GET', path, { bearer }), path).toBeClientError()
  }
})

test(
  ...rule('receipts.not-by-number-alone', 'at every address'),
  async ({ open, login, another, invoice }) => {
    const desk = await open()
    const caller = async () => login({ context: await another() })
    const [buyer, third, stranger] = [await caller(), await caller(), await caller()]
    const { bytes } = invoice({ buyer: buyer.context.nip })
    const sold = await accept(desk, withThirdParty(bytes, third.context.nip))
    const links = [sold.receiptUrl ?? []].flat()
    for (const [who, me] of Object.entries({ seller: desk.me, buyer, third, stranger }))
      for (const text of [sold.svcNumber, sold.referenceNumber])
        for (const path of [
          ...addressesOf(text),
          ...links.map((link) => link.replace(/[^/?]+(\?.*)?$/, text)),
        ]) {
          const answer = await me.api.request('GET', path, { bearer: me.accessToken })
          expect(answer, `${path} for the ${who}`).toBeClientError()
        }
  },
)

test(
  ...rule('receipts.not-by-number-alone', 'at every address, as its session ends'),
  async ({ open, login, another, invoice }) => {
    const desk = await open()
    const buyer = await login({ context: await another() })
    const sold = await accept(desk, invoice({ buyer: buyer.context.nip }).bytes)
    const { receiptUrl: link = `/receipts/${sold.svcNumber}` } = sold
    const expectNone = async (when: string, { svcNumber }: { readonly svcNumber: string }) => {
      const paths = [
        ...addressesOf(svcNumber),
        link.replace(/[^/?]+(\?.*)?$/, svcNumber),
        link.replace(/[^/?]+(\?.*)?$/, `${svcNumber}$1`),
      ]
      for (const [who, { api, accessToken }] of Object.entries({ seller: desk.me, buyer }))
        for (const bearer of [accessToken, null])
          for (const path of paths) {
            const answer = await api.request('GET', path, { bearer })
            const what = `${path} for the ${who}${bearer === null ? ' without a token' : ''}, ${when}`
            expect(answer, what).toBeClientError()
            expect(answer.text, what).not.toContain('Potwierdzenie')
          }
    }
    await expectNone('while its session is open', sold)
    await closeOnline(desk.api, desk.session)
    await expectNone('once its session is closed', sold)
    await settleSession(desk.api, desk.session)
    await expectNone('once its session has been processed', sold)
    const sent = await packed([invoice({ buyer: buyer.context.nip })])
    const { referenceNumber } = await sendBatch(desk.api, sent)
    const { svcNumber = '' } = only(await listInvoices(desk.api, referenceNumber))
    await expectNone('once its package has been processed', { svcNumber })
  },
)

test(...rule('receipts.not-by-number-alone', 'another session'), async ({ open, invoice }) => {
  const desk = await open()
  const { svcNumber } = await accept(desk, invoice().bytes)
  const other = await open({ me: desk.me })
  const receipt = await callReceipt(desk.api, {
    sessionReferenceNumber: other.session.referenceNumber,
    svcNumber,
  })
  expect(receipt).toBeRefused('receipt-unknown')
})

test(
  ...rule('receipts.not-by-number-alone', 'another session, or none'),
  async ({ open, login, another, invoice, unissued, clock }) => {
    const desk = await open()
    const buyer = await open({ me: await login({ context: await another() }) })
    const made = invoice({ buyer: buyer.me.context.nip })
    const { referenceNumber, svcNumber } = await accept(desk, made.bytes)
    const started = await createExport(desk.api, { filters: issuedAround(clock.now()) })
    const refused = { referenceNumber, svcNumber, export: started.referenceNumber }
    const sentBefore = await sendBatch(desk.api, await packed([invoice()]))
    const below: Readonly<Record<string, readonly [Client, string]>> = {
      'a reference that was never issued': [desk.api, unissued('onlineSession')],
      'the reference of a batch session that was never issued': [
        desk.api,
        unissued('batchSession'),
      ],
      'another package of its seller': [desk.api, sentBefore.referenceNumber],
      'the reference of the invoice': [desk.api, refused.referenceNumber],
      'the service number': [desk.api, refused.svcNumber],
      'the reference of an export': [desk.api, refused.export],
      'the reference of a login': [desk.api, desk.me.referenceNumber],
      'the session of its seller, by its buyer': [buyer.api, desk.session.referenceNumber],
      'a session of its buyer, by its buyer': [buyer.api, buyer.session.referenceNumber],
    }
    for (const [what, [api, sessionReferenceNumber]] of Object.entries(below))
      for (const which of [{ svcNumber }, { invoiceReferenceNumber: referenceNumber }])
        expect(
          await callReceipt(api, { sessionReferenceNumber, ...which }),
          `${Object.keys(which)[0]} below ${what}`,
        ).toBeClientError()
  },
)
