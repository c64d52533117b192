import { limits } from '../../contract/limits.ts'
import { settleInvoice, submissionBody } from '../../lib/flows/session.ts'
import type { Submission } from '../../lib/flows/session.ts'
import { expectText } from '../../lib/outcome.ts'
import type { MadeInvoice } from '../support/documents/invoice-source.ts'
import { rule } from '../support/checks/rule.ts'
import { accept, finish, outcomeOfSubmission } from '../support/steps/steps.ts'
import type { Desk } from '../support/steps/steps.ts'
import { expect, test } from '../support/harness/test.ts'

const spellings = [
  ['without the slash', {}],
  ['with the slash', { alias: 0 }],
] as const

/** Expects a document to be taken by a path, and to be found by the reference that the answer states. */
const expectTaken = async (
  { api, session }: Desk,
  body: Submission,
  [what, more]: (typeof spellings)[number],
): Promise<void> => {
  const path = { referenceNumber: session.referenceNumber }
  const answer = await api.call('invoices.submit', { path, body, ...more })
  expect(answer, what).toBeOk()
  const invoiceReferenceNumber = expectText(answer, 'submit an invoice', 'referenceNumber')
  const look = await api.call('invoices.inSession', { path: { ...path, invoiceReferenceNumber } })
  expect(look, `the status by the reference that was answered ${what}`).toBeOk()
  const settled = await settleInvoice(api, session, invoiceReferenceNumber)
  expect(settled, what).toHaveSucceeded('invoice')
}

test(...rule('transport.trailing-slash'), async ({ open, invoice }) => {
  for (const spelling of spellings) {
    const desk = await open()
    await expectTaken(desk, await submissionBody(desk.api, desk.session, invoice().bytes), spelling)
    // What came by a path alone makes a session that ends well, and counts.
    const { body, ...ended } = await finish(desk)
    expect(ended, `a session of what was sent ${spelling[0]}`).toHaveSucceeded('onlineSession')
    expect(body['invoiceCount'], `invoices that were sent ${spelling[0]}`).toBe(1)
  }
})

const { value: largest } = limits['invoice.bytes']

test(...rule('transport.trailing-slash', 'the largest invoice'), async ({ open, invoice }) => {
  const desk = await open()
  for (const spelling of spellings) {
    const { bytes } = invoice({ bytes: largest })
    await expectTaken(desk, await submissionBody(desk.api, desk.session, bytes), spelling)
  }
})

type Write = (desk: Desk, invoice: () => MadeInvoice) => Promise<Record<string, unknown>>

const described =
  (fields: (body: Submission) => object): Write =>
  async ({ api, session }, invoice) => {
    const body = await submissionBody(api, session, invoice().bytes)
    return { ...body, ...fields(body) }
  }

/** Submissions that come to nothing, each for a reason of its own. */
const wrong: Readonly<Record<string, Write>> = {
  'a duplicate': async (desk, invoice) => {
    const { bytes } = invoice()
    await accept(desk, bytes)
    return { ...(await submissionBody(desk.api, desk.session, bytes)) }
  },
  'a document that is not valid': async ({ api, session }) => ({
    ...(await submissionBody(api, session, new TextEncoder().encode('<Faktura/>'))),
  }),
  'a byte too many': async ({ api, session }, invoice) => {
    const { bytes } = invoice()
    const room = largest + 1 - bytes.length
    const padded = Buffer.concat([bytes, Buffer.from(`<!--${'.'.repeat(room - 7)}-->`)])
    return { ...(await submissionBody(api, session, new Uint8Array(padded))) }
  },
  'another hash': described(({ encryptedInvoiceHash }) => ({ invoiceHash: encryptedInvoiceHash })),
  'another size': described(({ invoiceSize }) => ({ invoiceSize: invoiceSize + 1 })),
  'another hash of what is encrypted': described(({ invoiceHash }) => ({
    encryptedInvoiceHash: invoiceHash,
  })),
  'another size of what is encrypted': described(({ encryptedInvoiceSize }) => ({
    encryptedInvoiceSize: encryptedInvoiceSize + 16,
  })),
  'content with line breaks': described(({ encryptedInvoiceContent }) => ({
    encryptedInvoiceContent: encryptedInvoiceContent.replace(/.{76}/g, '$&\n'),
  })),
}

test(...rule('transport.trailing-slash', 'rejections'), async ({ open, invoice }) => {
  const desk = await open()
  for (const [what, write] of Object.entries(wrong)) {
    const codes = []
    for (const [, more] of spellings) {
      const outcome = await outcomeOfSubmission(desk, await write(desk, invoice), more)
      codes.push('request' in outcome ? outcome.status : outcome.status.code)
    }
    const [main = 0, other] = codes
    expect(main, `${what}, without the slash`).toBeGreaterThan(300)
    expect(other, `${what}, with the slash`).toBe(main)
  }
})
