import { sha256 } from '../../lib/crypto.ts'
import { contextKey, finishLogin, startWithDocument } from '../../lib/flows/login.ts'
import { fetchReceipt, receiptPages } from '../../lib/flows/receipt.ts'
import { openOnline } from '../../lib/flows/session.ts'
import { internalId } from '../../lib/identifiers/internal-id.ts'
import { readReceipt } from '../../lib/node/receipt.ts'
import type { Receipt } from '../../lib/node/receipt.ts'
import { contextWith } from '../support/service/contexts.ts'
import { formCodes } from '../support/checks/forms.ts'
import { rule } from '../support/checks/rule.ts'
import { toDayOf } from '../support/documents/schema-days.ts'
import { accept, outcomeOfInvoice, finish } from '../support/steps/steps.ts'
import type { Desk } from '../support/steps/steps.ts'
import { expect, test } from '../support/harness/test.ts'

/** A receipt identifies its sender: the signed document or the service token, and the context. */

const proofs = async (desk: Desk, bytes: Uint8Array) => {
  const { referenceNumber } = await accept(desk, bytes)
  const sessionReferenceNumber = desk.session.referenceNumber
  const [page] = receiptPages(await finish(desk))
  const upoReferenceNumber = page?.referenceNumber ?? ''
  const documents = [
    await fetchReceipt(desk.api, {
      sessionReferenceNumber,
      invoiceReferenceNumber: referenceNumber,
    }),
    await fetchReceipt(desk.api, { sessionReferenceNumber, upoReferenceNumber }),
  ]
  return documents.map((document) => readReceipt(document.bytes).loginProof)
}

test(
  ...rule('receipts.session.verifies', 'identity, login by document'),
  async ({ api, own, invoice }) => {
    test.skip(own.by === 'token', 'the target offers no certificate of the context')
    let document = ''
    const started = await startWithDocument(api, {
      sign: async (challenge) => {
        document = await own.document(challenge)
        return document
      },
    })
    const { accessToken } = await finishLogin(api, started)
    const mine = api.with({ bearer: accessToken, context: contextKey(own) })
    const session = await openOnline(mine, { formCode: formCodes.fa3 })
    const value = api.codec.base64(await sha256(api.codec.utf8(document)))
    expect(
      await proofs({ api: mine, session }, invoice().bytes),
      'the identity on the receipts: the hash of the signed document',
    ).toEqual([
      { kind: 'document', value },
      { kind: 'document', value },
    ])
  },
)

test(
  ...rule('receipts.session.verifies', 'identity, login by token'),
  async ({ serviceToken, login, invoice }) => {
    const { token, referenceNumber, context } = await serviceToken()
    test.skip(
      referenceNumber === undefined,
      'the reference number of the only service token is unknown',
    )
    const { api } = await login({ token, context })
    const session = await openOnline(api, { formCode: formCodes.fa3 })
    const made = { kind: 'token', value: referenceNumber }
    expect(
      await proofs({ api, session }, invoice().bytes),
      'the identity on the receipts: the reference of the service token',
    ).toEqual([made, made])
  },
)

test(
  ...rule('receipts.session.verifies', 'identity, unit'),
  async ({ login, own, invoice, target }) => {
    test.skip(own.by === 'token', 'the service token belongs to another context')
    const value = internalId(own.nip, '1234')
    const unit = contextWith({ type: 'InternalId', value }, own.credentials, target.now)
    const me = await login({ context: unit })
    const session = await openOnline(me.api, { formCode: formCodes.fa3 })
    const { referenceNumber } = await accept({ api: me.api, session }, invoice().bytes)
    const document = await fetchReceipt(me.api, {
      sessionReferenceNumber: session.referenceNumber,
      invoiceReferenceNumber: referenceNumber,
    })
    const { context } = readReceipt(document.bytes)
    expect(context, 'the context on the receipt').toEqual({ kind: 'IdWewnetrzny', value })
  },
)

const numbersOn = ({ documents }: Receipt): string[] =>
  documents.map(({ serviceNumber }) => serviceNumber)

/** Sends invoices, closes the session, and reads its aggregate receipt. */
const aggregate = async (desk: Desk, invoice: () => { bytes: Uint8Array }) => {
  const accepted = [
    (await accept(desk, invoice().bytes)).svcNumber,
    (await accept(desk, invoice().bytes)).svcNumber,
  ]
  await outcomeOfInvoice(desk, desk.api.codec.utf8('<Faktura/>'))
  const [page] = receiptPages(await finish(desk))
  const document = await fetchReceipt(desk.api, {
    sessionReferenceNumber: desk.session.referenceNumber,
    upoReferenceNumber: page?.referenceNumber ?? '',
  })
  return { accepted, receipt: readReceipt(document.bytes) }
}

test(...rule('receipts.session.verifies', 'schema'), async ({ open, invoice }) => {
  const { receipt } = await aggregate(await open(), invoice)
  test.skip(receipt.notValidated !== undefined, receipt.notValidated)
  expect(receipt.schemaProblems, 'schema violations of the receipt').toEqual([])
})

test(...rule('receipts.session.verifies', 'signature'), async ({ open, invoice }) => {
  const { receipt } = await aggregate(await open(), invoice)
  expect(receipt.signed, 'a signature on the receipt').toBe(true)
  expect(receipt.signatureProblems, 'faults of the signature').toEqual([])
})

test(...rule('receipts.session.verifies', 'content'), async ({ open, invoice }) => {
  const desk = await open()
  const { receipt, accepted } = await aggregate(desk, invoice)
  expect(numbersOn(receipt).toSorted(), 'each accepted invoice once, no rejected one').toEqual(
    accepted.toSorted(),
  )
  expect(receipt.sessionReferenceNumber, 'the session on the receipt').toBe(
    desk.session.referenceNumber,
  )
  expect(receipt.page, 'the number of the page').toEqual({
    number: 1,
    of: 1,
    first: 1,
    last: accepted.length,
    documents: accepted.length,
  })
})

test(...rule('receipts.session.verifies', 'facts'), async ({ open, invoice }) => {
  const desk = await open()
  const made = invoice()
  const { svcNumber, referenceNumber } = await accept(desk, made.bytes)
  const document = await fetchReceipt(desk.api, {
    sessionReferenceNumber: desk.session.referenceNumber,
    invoiceReferenceNumber: referenceNumber,
  })
  const { documents, context, formCode } = readReceipt(document.bytes)
  expect(context, 'the context on the receipt').toEqual({ kind: 'Nip', value: made.seller })
  expect(formCode, 'the form on the receipt').toBe('FA (3)')
  expect(documents, 'the invoice on the receipt').toMatchObject([
    {
      sellerNip: made.seller,
      serviceNumber: svcNumber,
      invoiceNumber: made.number,
      issueDate: made.issueDate,
      invoiceHash: desk.api.codec.base64(await sha256(made.bytes)),
    },
  ])
})

test(
  ...rule('receipts.session.verifies', 'facts, characters of markup'),
  async ({ open, invoice, rng }) => {
    const desk = await open()
    const { bytes, number } = invoice({ number: `A&B <${rng.digits(8)}> "'` })
    const { referenceNumber } = await accept(desk, bytes)
    const document = await fetchReceipt(desk.api, {
      sessionReferenceNumber: desk.session.referenceNumber,
      invoiceReferenceNumber: referenceNumber,
    })
    const { documents, signatureProblems } = readReceipt(document.bytes)
    expect(signatureProblems, 'faults of the signature').toEqual([])
    expect(documents, 'the invoice on the receipt').toMatchObject([{ invoiceNumber: number }])
  },
)

/** Expects the receipt of an invoice to state the same times as the status. */
const expectMoments = async (desk: Desk, bytes: Uint8Array) => {
  const { referenceNumber, body } = await accept(desk, bytes)
  const document = await fetchReceipt(desk.api, {
    sessionReferenceNumber: desk.session.referenceNumber,
    invoiceReferenceNumber: referenceNumber,
  })
  const reportedAt = (name: string) => Date.parse(String(body[name]))
  expect(
    readReceipt(document.bytes).documents.map(({ sentAt, numberedAt, mode }) => ({
      sent: Date.parse(sentAt),
      numbered: Date.parse(numberedAt),
      mode,
    })),
    'the submission, mode and number of the invoice as reported by its status',
  ).toEqual([
    {
      sent: reportedAt('invoicingDate'),
      numbered: reportedAt('acquisitionDate'),
      mode: body['invoicingMode'],
    },
  ])
}

test(...rule('receipts.session.verifies', 'moments'), async ({ open, invoice }) => {
  await expectMoments(await open(), invoice().bytes)
})

test(
  ...rule('receipts.session.verifies', 'form of its day'),
  async ({ login, invoice, clock, target }) => {
    await toDayOf('fa2', target, clock)
    const { api } = await login()
    const session = await openOnline(api, { formCode: formCodes.fa2 })
    const { referenceNumber } = await accept({ api, session }, invoice({ schema: 'fa2' }).bytes)
    const sessionReferenceNumber = session.referenceNumber
    const [page] = receiptPages(await finish({ api, session }))
    for (const asked of [
      { sessionReferenceNumber, invoiceReferenceNumber: referenceNumber },
      { sessionReferenceNumber, upoReferenceNumber: page?.referenceNumber ?? '' },
    ])
      expect(readReceipt((await fetchReceipt(api, asked)).bytes).formCode).toBe('FA (2)')
  },
)

for (const day of ['2026-07-15', '2026-11-16'])
  test(
    ...rule('receipts.session.verifies', `moments of the year, ${day}`),
    async ({ open, invoice, clock }) => {
      await clock.set(Date.parse(`${day}T12:00:00Z`))
      await expectMoments(await open(), invoice().bytes)
    },
  )
